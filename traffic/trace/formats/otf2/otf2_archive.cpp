// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/otf2/otf2_archive.h"

#include "tlm/config/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdarg>
#include <numeric>

namespace sare::traffic {
namespace {

constexpr std::uint64_t at_once = 256;  ///< events read at a time

/// Keeps the library from printing its own lines, which would be a second answer.
OTF2_ErrorCode stay_silent(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*,
                           va_list) {
    return code;
}

}  // namespace

/// The callbacks for definitions.
struct otf2_definitions {
    static otf2_archive& of(void* archive) { return *static_cast<otf2_archive*>(archive); }

    static OTF2_CallbackCode clock(void* a, std::uint64_t resolution, std::uint64_t, std::uint64_t,
                                   std::uint64_t) {
        of(a).m_resolution = static_cast<double>(resolution);
        return OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode location(void* a, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType,
                                      std::uint64_t, OTF2_LocationGroupRef) {
        of(a).m_locations.insert(self);
        return OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode region(void* a, OTF2_RegionRef self, OTF2_StringRef, OTF2_StringRef,
                                    OTF2_StringRef, OTF2_RegionRole, OTF2_Paradigm paradigm, OTF2_RegionFlag,
                                    OTF2_StringRef, std::uint32_t, std::uint32_t) {
        if (paradigm == OTF2_PARADIGM_MPI) of(a).m_mpi_regions.insert(self);
        return OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode group(void* a, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type,
                                   OTF2_Paradigm paradigm, OTF2_GroupFlag flags, std::uint32_t count,
                                   const std::uint64_t* members) {
        if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
        otf2_archive& archive = of(a);
        std::vector<std::uint64_t> all(members, members + count);
        if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
            archive.m_places = std::move(all);
        else
            archive.m_groups[self] = {type, (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0, std::move(all)};
        return OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode window(void* a, OTF2_RmaWinRef self, OTF2_StringRef, OTF2_CommRef comm,
                                    OTF2_RmaWinFlag) {
        of(a).m_windows[self] = comm;
        return OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode comm(void* a, OTF2_CommRef self, OTF2_StringRef, OTF2_GroupRef group,
                                  OTF2_CommRef, OTF2_CommFlag) {
        of(a).m_comms[self] = group;
        return OTF2_CALLBACK_SUCCESS;
    }
};

otf2_archive::otf2_archive(const std::string& path) : m_path(path) {
    OTF2_Error_RegisterCallback(stay_silent, nullptr);
    m_reader.reset(OTF2_Reader_Open(path.c_str()));
    if (!m_reader)
        fail("the library of OTF2 cannot open the archive; its files must be beside the anchor file");
    OTF2_Reader_SetSerialCollectiveCallbacks(reader());
    read_definitions();
    if (m_places.empty()) fail("the archive defines no processes of MPI");
    std::set<OTF2_LocationRef> places;
    for (const auto p : m_places)
        if (m_locations.count(p) == 0 || !places.insert(p).second)
            fail(fmt::format("location {} of a process is not defined, or is named twice", p));
    if (!(m_resolution > 0)) fail("the archive does not say how long a tick is");
    m_others = m_locations.size() - m_places.size();
    m_all = std::make_unique<all_tasks>(tasks());
    open_locations();
}

void otf2_archive::fail(const std::string& what) const {
    throw config::error({m_path, 0, 0}, what);
}

void otf2_archive::read_definitions() {
    OTF2_GlobalDefReader* const definitions = OTF2_Reader_GetGlobalDefReader(reader());
    const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, void (*)(OTF2_GlobalDefReaderCallbacks*)> calls(
        OTF2_GlobalDefReaderCallbacks_New(), OTF2_GlobalDefReaderCallbacks_Delete);
    if (definitions == nullptr || !calls) fail("the definitions of the archive cannot be read");
    OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(calls.get(), otf2_definitions::clock);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(calls.get(), otf2_definitions::location);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(calls.get(), otf2_definitions::region);
    OTF2_GlobalDefReaderCallbacks_SetGroupCallback(calls.get(), otf2_definitions::group);
    OTF2_GlobalDefReaderCallbacks_SetCommCallback(calls.get(), otf2_definitions::comm);
    OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(calls.get(), otf2_definitions::window);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader(), definitions, calls.get(), this);
    std::uint64_t read = 0;
    if (OTF2_Reader_ReadAllGlobalDefinitions(reader(), definitions, &read) != OTF2_SUCCESS)
        fail("the definitions of the archive are damaged or cut short");
    OTF2_Reader_CloseGlobalDefReader(reader(), definitions);
}

/// Opens the locations, whose definitions say how their own numbers become those of the archive.
void otf2_archive::open_locations() {
    for (const auto place : m_places) OTF2_Reader_SelectLocation(reader(), place);
    const bool local = OTF2_Reader_OpenDefFiles(reader()) == OTF2_SUCCESS;
    if (OTF2_Reader_OpenEvtFiles(reader()) != OTF2_SUCCESS)
        fail("the archive's files of events cannot be opened");
    for (const auto place : m_places) {
        OTF2_DefReader* const definitions = local ? OTF2_Reader_GetDefReader(reader(), place) : nullptr;
        if (definitions == nullptr) continue;
        std::uint64_t read = 0;
        if (OTF2_Reader_ReadAllLocalDefinitions(reader(), definitions, &read) != OTF2_SUCCESS)
            fail(fmt::format("the definitions of location {} are damaged or cut short", place));
        OTF2_Reader_CloseDefReader(reader(), definitions);
    }
    if (local) OTF2_Reader_CloseDefFiles(reader());
}

std::vector<std::uint32_t> otf2_archive::tasks_of(const group_definition& g) const {
    std::vector<std::uint32_t> all;
    std::set<std::uint64_t> seen;
    for (const auto member : g.members) {
        std::uint64_t task = member;
        if (g.of_locations)
            task = static_cast<std::uint64_t>(std::find(m_places.begin(), m_places.end(), member) -
                                              m_places.begin());
        if (task >= m_places.size() || !seen.insert(task).second)
            fail(fmt::format("a communicator has member {}, which is no process, or twice", member));
        all.push_back(static_cast<std::uint32_t>(task));
    }
    return all;
}

std::uint32_t otf2_archive::number(OTF2_CommRef name, std::uint32_t task) {
    const auto comm = m_comms.find(name);
    const auto group = comm == m_comms.end() ? m_groups.end() : m_groups.find(comm->second);
    if (group == m_groups.end())
        fail(fmt::format("communicator {} is not defined, or between two groups", name));
    // Numbers do not depend on which is used first: by the order of definition, and then those of a task
    // alone.
    if (group->second.type == OTF2_GROUP_TYPE_COMM_SELF) {
        const auto self = static_cast<std::uint32_t>(m_comms.size()) + 1 + task;
        m_listed.try_emplace(self, std::vector<std::uint32_t>{task});
        return self;
    }
    const auto [at, added] = m_numbers.try_emplace(name, 0);
    if (added) {
        std::vector<std::uint32_t> members = tasks_of(group->second);
        std::vector<std::uint32_t> world(m_places.size());
        std::iota(world.begin(), world.end(), 0);
        if (members != world) {
            at->second = 1 + static_cast<std::uint32_t>(std::distance(m_comms.begin(), comm));
            m_listed.try_emplace(at->second, std::move(members));
        }
    }
    if (at->second != 0 && !m_listed.at(at->second).has(task))
        fail(fmt::format("task {} is not in communicator {}, which it uses", task, name));
    return at->second;
}

void otf2_archive::leave_out(const std::string& what) {
    const std::string text = what + " of the trace are left out";
    if (std::find(m_left_out.begin(), m_left_out.end(), text) == m_left_out.end()) m_left_out.push_back(text);
}

/// The callbacks for events.
struct otf2_events {
    static otf2_process& of(void* process) { return *static_cast<otf2_process*>(process); }

    static OTF2_CallbackCode enter(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                   OTF2_AttributeList*, OTF2_RegionRef region) {
        otf2_process& p = of(user);
        if (!p.m_archive.is_mpi(region)) return OTF2_CALLBACK_SUCCESS;
        if (p.m_depth++ == 0) p.computed_until(now);
        return OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode leave(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                   OTF2_AttributeList*, OTF2_RegionRef region) {
        otf2_process& p = of(user);
        if (p.m_archive.is_mpi(region) && p.m_depth > 0 && --p.m_depth == 0) p.m_since = now;
        return OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode send(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                  OTF2_AttributeList*, std::uint32_t to, OTF2_CommRef comm, std::uint32_t tag,
                                  std::uint64_t bytes) {
        otf2_process& p = of(user);
        return p.guarded(now, [&] {
            event e;
            p.message(op::send, to, comm, tag, bytes, e);
            p.push(std::move(e));
        });
    }
    static OTF2_CallbackCode receive(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                     OTF2_AttributeList*, std::uint32_t from, OTF2_CommRef comm,
                                     std::uint32_t tag, std::uint64_t bytes) {
        otf2_process& p = of(user);
        return p.guarded(now, [&] {
            event e;
            p.message(op::recv, from, comm, tag, bytes, e);
            p.push(std::move(e));
        });
    }
    static OTF2_CallbackCode isend(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                   OTF2_AttributeList*, std::uint32_t to, OTF2_CommRef comm,
                                   std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
        otf2_process& p = of(user);
        return p.guarded(now, [&] {
            event e;
            p.message(op::isend, to, comm, tag, bytes, e);
            p.m_sends[request] = e.request = ++p.m_requests;
            p.push(std::move(e));
        });
    }
    static OTF2_CallbackCode sent(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                  OTF2_AttributeList*, std::uint64_t request) {
        otf2_process& p = of(user);
        return p.guarded(now, [&] {
            const auto found = p.m_sends.find(request);
            if (found == p.m_sends.end()) return;
            p.push_wait(found->second);
            p.m_sends.erase(found);
        });
    }
    /// Posts a receive: only its completion says from whom, and how much.
    static OTF2_CallbackCode post(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                  OTF2_AttributeList*, std::uint64_t request) {
        otf2_process& p = of(user);
        return p.guarded(now, [&] {
            event e;
            e.what = op::irecv;
            e.request = ++p.m_requests;
            p.m_items.push_back({std::move(e), request + 1, false});
        });
    }
    static OTF2_CallbackCode received(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                      OTF2_AttributeList*, std::uint32_t from, OTF2_CommRef comm,
                                      std::uint32_t tag, std::uint64_t bytes, std::uint64_t request) {
        otf2_process& p = of(user);
        return p.guarded(now, [&] {
            otf2_process::item* const i = p.posted(request);
            if (i == nullptr)
                p.m_archive.fail(
                    fmt::format("a receive with request {} ends that was never posted", request));
            i->open = 0;
            p.message(op::irecv, from, comm, tag, bytes, i->what);
            p.push_wait(i->what.request);
        });
    }
    static OTF2_CallbackCode cancelled(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                       OTF2_AttributeList*, std::uint64_t request) {
        otf2_process& p = of(user);
        return p.guarded(now, [&] {
            if (otf2_process::item* const i = p.posted(request)) {
                i->open = 0;
                i->dropped = true;
            }
        });
    }
    static OTF2_CallbackCode collective(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                        OTF2_AttributeList*, OTF2_CollectiveOp what, OTF2_CommRef comm,
                                        std::uint32_t root, std::uint64_t sent, std::uint64_t received) {
        otf2_process& p = of(user);
        return p.guarded(now, [&] { p.collective(what, comm, root, sent, received); });
    }
    /// Adds a non-blocking collective where it has ended; in truth it goes on beside its task.
    static OTF2_CallbackCode ended(OTF2_LocationRef at, OTF2_TimeStamp now, std::uint64_t position,
                                   void* user, OTF2_AttributeList* list, OTF2_CollectiveOp what,
                                   OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                                   std::uint64_t received, std::uint64_t) {
        of(user).m_archive.leave_out("beginnings of non-blocking collectives (called where they ended)");
        return collective(at, now, position, user, list, what, comm, root, sent, received);
    }
    static void attach(otf2_process& p) {
        const std::unique_ptr<OTF2_EvtReaderCallbacks, void (*)(OTF2_EvtReaderCallbacks*)> calls(
            OTF2_EvtReaderCallbacks_New(), OTF2_EvtReaderCallbacks_Delete);
        OTF2_EvtReaderCallbacks_SetEnterCallback(calls.get(), enter);
        OTF2_EvtReaderCallbacks_SetLeaveCallback(calls.get(), leave);
        OTF2_EvtReaderCallbacks_SetMpiSendCallback(calls.get(), send);
        OTF2_EvtReaderCallbacks_SetMpiRecvCallback(calls.get(), receive);
        OTF2_EvtReaderCallbacks_SetMpiIsendCallback(calls.get(), isend);
        OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(calls.get(), sent);
        OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(calls.get(), post);
        OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(calls.get(), received);
        OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(calls.get(), cancelled);
        OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(calls.get(), collective);
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(calls.get(), ended);
        add_one_sided(calls.get());
        OTF2_Reader_RegisterEvtCallbacks(p.m_archive.reader(), p.m_reader, calls.get(), &p);
    }
};

void otf2_process::read_some() {
    if (m_reader == nullptr) {
        m_reader = OTF2_Reader_GetEvtReader(m_archive.reader(), m_archive.location(m_task));
        if (m_reader == nullptr) m_archive.fail(fmt::format("the events of task {} cannot be read", m_task));
        otf2_events::attach(*this);
    }
    std::uint64_t read = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadLocalEvents(m_archive.reader(), m_reader, at_once, &read);
    if (!m_wrong.empty()) throw config::error(m_wrong);
    if (code != OTF2_SUCCESS)
        m_archive.fail(fmt::format("the events of task {} are damaged or cut short", m_task));
    if (read < at_once) {
        m_over = true;
        OTF2_Reader_CloseEvtReader(m_archive.reader(), m_reader);
    }
}

bool otf2_process::next(event& e) {
    for (;;) {
        while ((m_items.empty() || m_items.front().open != 0) && !m_over) read_some();
        if (m_items.empty()) return false;
        item i = std::move(m_items.front());
        m_items.pop_front();
        // A receive that never ended takes no message.
        if (i.open != 0 || i.dropped) continue;
        e = std::move(i.what);
        e.number = ++m_number;
        return true;
    }
}

void otf2_process::computed_until(OTF2_TimeStamp now) {
    if (m_began && now > m_since) {
        event e;
        e.seconds = m_archive.seconds(now - m_since);
        push(std::move(e));
    }
    m_began = true;
    m_since = now;
}

void otf2_process::push_wait(std::uint64_t request) {
    event e;
    e.what = op::wait;
    e.request = request;
    push(std::move(e));
}

otf2_process::item* otf2_process::posted(std::uint64_t request) {
    const auto found =
        std::find_if(m_items.begin(), m_items.end(), [&](const item& i) { return i.open == request + 1; });
    return found == m_items.end() ? nullptr : &*found;
}

std::uint32_t otf2_process::rank(std::uint32_t peer, std::uint32_t communicator) const {
    const std::uint32_t ranks = m_archive.group(communicator).size();
    if (peer >= ranks)
        m_archive.fail(
            fmt::format("task {}: rank {} is out of range; ranks are 0 to {}", m_task, peer, ranks - 1));
    return peer;
}

void otf2_process::message(op what, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag,
                           std::uint64_t bytes, event& e) {
    e.what = what;
    e.communicator = m_archive.number(comm, m_task);
    e.peer = rank(peer, e.communicator);
    e.tag = tag;
    e.bytes = bytes;
}

/// Adds a collective. Sizes are what a process sends and receives in all, as Score-P counts it.
void otf2_process::collective(OTF2_CollectiveOp what, OTF2_CommRef comm, std::uint32_t root,
                              std::uint64_t sent, std::uint64_t received) {
    event e;
    e.communicator = m_archive.number(comm, m_task);
    const communicator& group = m_archive.group(e.communicator);
    const std::uint32_t ranks = group.size(), rank = group.rank(m_task);
    const bool rooted = what == OTF2_COLLECTIVE_OP_BCAST || what == OTF2_COLLECTIVE_OP_REDUCE ||
                        what == OTF2_COLLECTIVE_OP_GATHER || what == OTF2_COLLECTIVE_OP_GATHERV ||
                        what == OTF2_COLLECTIVE_OP_SCATTER || what == OTF2_COLLECTIVE_OP_SCATTERV;
    // In a communicator of one task the root may be undefined, or its rank elsewhere.
    e.root = rooted && ranks > 1 ? root : 0;
    if (e.root >= ranks)
        m_archive.fail(
            fmt::format("task {}: the root {} is out of range; ranks are 0 to {}", m_task, root, ranks - 1));
    const auto of_all = [&](std::uint64_t total) { return std::vector<std::uint64_t>(ranks, total / ranks); };
    switch (what) {
        case OTF2_COLLECTIVE_OP_BARRIER:
            e.what = op::barrier;
            break;
        case OTF2_COLLECTIVE_OP_BCAST:
        case OTF2_COLLECTIVE_OP_SCATTER:
            e.what = what == OTF2_COLLECTIVE_OP_BCAST ? op::bcast : op::scatter;
            e.bytes = received;
            break;
        case OTF2_COLLECTIVE_OP_REDUCE:
        case OTF2_COLLECTIVE_OP_GATHER:
            e.what = what == OTF2_COLLECTIVE_OP_REDUCE ? op::reduce : op::gather;
            e.bytes = sent;
            break;
        case OTF2_COLLECTIVE_OP_ALLREDUCE:
        case OTF2_COLLECTIVE_OP_ALLGATHER:
        case OTF2_COLLECTIVE_OP_ALLTOALL:
            e.what = what == OTF2_COLLECTIVE_OP_ALLREDUCE   ? op::allreduce
                     : what == OTF2_COLLECTIVE_OP_ALLGATHER ? op::allgather
                                                            : op::alltoall;
            e.bytes = sent / ranks;
            break;
        case OTF2_COLLECTIVE_OP_SCAN:
            e.what = op::scan;
            e.bytes = received / (rank + 1);
            break;
        case OTF2_COLLECTIVE_OP_EXSCAN:
            e.what = op::exscan;
            e.bytes = rank > 0 ? received / rank : ranks > 1 ? sent / (ranks - 1) : 0;
            break;
        case OTF2_COLLECTIVE_OP_ALLGATHERV:
            e.what = op::allgatherv;
            e.counts = of_all(received);
            m_archive.leave_out("sizes for each process in collectives of several sizes (all alike here)");
            break;
        case OTF2_COLLECTIVE_OP_REDUCE_SCATTER:
        case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK:
            e.what = op::reduce_scatter;
            e.counts = of_all(sent);
            break;
        case OTF2_COLLECTIVE_OP_ALLTOALLV:
        case OTF2_COLLECTIVE_OP_ALLTOALLW:
            e.what = op::alltoallv;
            e.counts = of_all(sent);
            e.receive_counts = of_all(received);
            m_archive.leave_out("sizes for each process in collectives of several sizes (all alike here)");
            break;
        case OTF2_COLLECTIVE_OP_GATHERV:
        case OTF2_COLLECTIVE_OP_SCATTERV:
            one_by_one(what == OTF2_COLLECTIVE_OP_GATHERV, e, rank, sent, received, ranks);
            return;
        default:  // that make or end a communicator
            return;
    }
    push(std::move(e));
}

/// Adds a linear gatherv or scatterv: a process knows its own size, and the root that of all together.
void otf2_process::one_by_one(bool gathers, const event& common, std::uint32_t rank, std::uint64_t sent,
                              std::uint64_t received, std::uint32_t ranks) {
    constexpr std::int64_t gather_tag = -1001, scatter_tag = -1002;
    constexpr std::uint64_t any_size = std::uint64_t{1} << 40;
    event e = common;
    e.tag = gathers ? gather_tag : scatter_tag;
    if (rank != common.root) {
        e.what = gathers ? op::send : op::recv;
        e.peer = common.root;
        e.bytes = gathers ? sent : std::max(received, any_size);
        push(std::move(e));
        return;
    }
    if (!gathers)
        m_archive.leave_out("sizes for each process in collectives of several sizes (all alike here)");
    for (std::uint32_t r = 0; r < ranks; ++r) {
        if (r == rank) continue;
        e.what = gathers ? op::recv : op::send;
        e.peer = r;
        e.bytes = gathers ? any_size : sent / ranks;
        push(e);
    }
}

}  // namespace sare::traffic
