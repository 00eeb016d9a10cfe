// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/otf2/otf2_archive.h"

#include <fmt/format.h>

/// One-sided operations of an OTF2 archive. Each has a number that its completions name: here they wait for
/// it.
namespace sare::traffic {
std::optional<std::uint32_t> otf2_archive::window(OTF2_RmaWinRef name, std::uint32_t task) {
    const auto found = m_windows.find(name);
    if (found == m_windows.end()) fail(fmt::format("window {} is not defined", name));
    const auto comm = m_comms.find(found->second);
    if (comm != m_comms.end() && m_groups.count(comm->second) != 0) return number(found->second, task);
    leave_out("one-sided operations in windows that are not of MPI");
    return std::nullopt;
}

void otf2_process::one_sided(op what, OTF2_RmaWinRef win, std::uint32_t peer, std::uint64_t bytes,
                             std::uint64_t id) {
    const auto in = m_archive.window(win, m_task);
    if (!in) return;
    event e;
    e.what = what;
    e.communicator = *in;
    e.peer = rank(peer, *in);
    e.bytes = bytes;
    e.request = ++m_requests;
    m_one_sided[{win, id}].emplace_back(what, e.request);
    push(std::move(e));
}

/// Completes operations with a number: at the target all have ended, here only what was got is there.
void otf2_process::complete(OTF2_RmaWinRef win, std::uint64_t id, bool at_target) {
    const auto found = m_one_sided.find({win, id});
    if (found == m_one_sided.end()) return;
    std::vector<std::pair<op, std::uint64_t>> kept;
    for (const auto& [what, request] : found->second)
        if (at_target || what == op::get)
            push_wait(request);
        else
            kept.emplace_back(what, request);
    if (kept.empty())
        m_one_sided.erase(found);
    else
        found->second = std::move(kept);
}

/// Adds a flush to `peer` (any_source: to all), or a fence.
void otf2_process::synchronize(op what, OTF2_RmaWinRef win, std::uint32_t peer) {
    const auto in = m_archive.window(win, m_task);
    if (!in) return;
    event e;
    e.what = what;
    e.communicator = *in;
    if (what == op::flush) e.peer = peer == any_source ? peer : rank(peer, *in);
    push(std::move(e));
    if (peer != any_source) return;
    // What is through needs no wait.
    m_one_sided.erase(m_one_sided.lower_bound({win, 0}), m_one_sided.upper_bound({win, UINT64_MAX}));
}

/// The callbacks for one-sided operations.
struct otf2_one_sided {
    using list = OTF2_AttributeList;
    static otf2_process& of(void* process) { return *static_cast<otf2_process*>(process); }
    static void waits_left_out(void* process) {
        of(process).m_archive.leave_out("waits of one-sided calls for locks, groups and notifications");
    }

    static OTF2_CallbackCode put(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user, list*,
                                 OTF2_RmaWinRef win, std::uint32_t to, std::uint64_t bytes,
                                 std::uint64_t id) {
        return of(user).guarded(now, [&] { of(user).one_sided(op::put, win, to, bytes, id); });
    }
    static OTF2_CallbackCode get(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user, list*,
                                 OTF2_RmaWinRef win, std::uint32_t from, std::uint64_t bytes,
                                 std::uint64_t id) {
        return of(user).guarded(now, [&] { of(user).one_sided(op::get, win, from, bytes, id); });
    }
    /// Adds an atomic operation: what it sends is put, what it brings is got.
    static OTF2_CallbackCode atomic(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user, list*,
                                    OTF2_RmaWinRef win, std::uint32_t at, OTF2_RmaAtomicType,
                                    std::uint64_t sent, std::uint64_t received, std::uint64_t id) {
        return of(user).guarded(now, [&] {
            if (sent > 0 || received == 0) of(user).one_sided(op::put, win, at, sent, id);
            if (received > 0) of(user).one_sided(op::get, win, at, received, id);
        });
    }
    static OTF2_CallbackCode complete_here(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                           list*, OTF2_RmaWinRef win, std::uint64_t id) {
        return of(user).guarded(now, [&] { of(user).complete(win, id, false); });
    }
    static OTF2_CallbackCode complete_there(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                            list*, OTF2_RmaWinRef win, std::uint64_t id) {
        return of(user).guarded(now, [&] { of(user).complete(win, id, true); });
    }
    /// Adds a collective; a barrier that completes what is under way is a fence.
    static OTF2_CallbackCode collective(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user,
                                        list*, OTF2_CollectiveOp what, OTF2_RmaSyncLevel level,
                                        OTF2_RmaWinRef win, std::uint32_t root, std::uint64_t sent,
                                        std::uint64_t received) {
        otf2_process& p = of(user);
        return p.guarded(now, [&] {
            const bool completes = (level & OTF2_RMA_SYNC_LEVEL_MEMORY) != 0;
            if (what == OTF2_COLLECTIVE_OP_BARRIER && completes) {
                p.synchronize(op::fence, win, any_source);
            } else if (p.m_archive.window(win, p.m_task)) {
                if (completes) p.synchronize(op::flush, win, any_source);
                p.collective(what, p.m_archive.communicator_of(win), root, sent, received);
            }
        });
    }
    static OTF2_CallbackCode group(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user, list*,
                                   OTF2_RmaSyncLevel level, OTF2_RmaWinRef win, OTF2_GroupRef) {
        waits_left_out(user);
        return of(user).guarded(now, [&] {
            if ((level & OTF2_RMA_SYNC_LEVEL_MEMORY) != 0) of(user).synchronize(op::flush, win, any_source);
        });
    }
    static OTF2_CallbackCode lock(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* user, list*,
                                  OTF2_RmaWinRef, std::uint32_t, std::uint64_t, OTF2_LockType) {
        waits_left_out(user);
        return OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode unlock(OTF2_LocationRef, OTF2_TimeStamp now, std::uint64_t, void* user, list*,
                                    OTF2_RmaWinRef win, std::uint32_t at, std::uint64_t) {
        return of(user).guarded(now, [&] { of(user).synchronize(op::flush, win, at); });
    }
    static OTF2_CallbackCode notify(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* user, list*,
                                    OTF2_RmaWinRef, std::uint32_t, OTF2_RmaSyncType type) {
        if (type != OTF2_RMA_SYNC_TYPE_MEMORY) waits_left_out(user);
        return OTF2_CALLBACK_SUCCESS;
    }
    static OTF2_CallbackCode change(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* user, list*,
                                    OTF2_RmaWinRef) {
        waits_left_out(user);
        return OTF2_CALLBACK_SUCCESS;
    }
};

void add_one_sided(OTF2_EvtReaderCallbacks* calls) {
    using events = otf2_one_sided;
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(calls, events::put);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(calls, events::get);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(calls, events::atomic);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(calls, events::complete_here);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(calls, events::complete_here);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(calls, events::complete_there);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(calls, events::collective);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(calls, events::group);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(calls, events::lock);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(calls, events::unlock);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(calls, events::notify);
    OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback(calls, events::change);
}

}  // namespace sare::traffic
