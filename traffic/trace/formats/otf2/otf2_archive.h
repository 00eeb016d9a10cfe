// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/program.h"
#include "traffic/trace/event.h"

#include <otf2/otf2.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>

/// An OTF2 archive: its definitions, and the events of each of its processes.
namespace sare::traffic {

class otf2_archive {
  public:
    /// Reads the definitions. Throws config::error if OTF2's library cannot read them, or if there is no
    /// process of MPI.
    explicit otf2_archive(const std::string& path);

    const std::string& path() const { return m_path; }
    std::uint32_t tasks() const { return static_cast<std::uint32_t>(m_places.size()); }
    std::size_t others() const { return m_others; }  ///< number of locations (threads, ...) that are no task
    OTF2_Reader* reader() const { return m_reader.get(); }
    OTF2_LocationRef location(std::uint32_t task) const { return m_places[task]; }
    double seconds(std::uint64_t ticks) const { return static_cast<double>(ticks) / m_resolution; }
    bool is_mpi(OTF2_RegionRef region) const { return m_mpi_regions.count(region) != 0; }

    /// Returns the number that events have for a communicator of a task. Throws config::error if it is not
    /// defined.
    std::uint32_t number(OTF2_CommRef name, std::uint32_t task);
    const communicator& group(std::uint32_t number) const {
        return number == 0 ? static_cast<const communicator&>(*m_all) : m_listed.at(number);
    }
    /// Returns the number that events have for the communicator of a window; nothing if it is no window of
    /// MPI. Throws config::error if it is not defined.
    std::optional<std::uint32_t> window(OTF2_RmaWinRef name, std::uint32_t task);
    OTF2_CommRef communicator_of(OTF2_RmaWinRef window) const { return m_windows.at(window); }
    /// Notes that a kind of event, `what`, is left out: once for each kind.
    void leave_out(const std::string& what);
    const std::vector<std::string>& left_out() const { return m_left_out; }
    /// Throws config::error with the path of the archive.
    [[noreturn]] void fail(const std::string& what) const;

  private:
    friend struct otf2_definitions;
    struct group_definition {
        OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
        bool of_locations = false;  ///< true: members are locations, not ranks
        std::vector<std::uint64_t> members;
    };
    struct close {
        void operator()(OTF2_Reader* r) const { OTF2_Reader_Close(r); }
    };

    void read_definitions();
    void open_locations();
    std::vector<std::uint32_t> tasks_of(const group_definition& g) const;

    std::string m_path;
    std::unique_ptr<OTF2_Reader, close> m_reader;
    double m_resolution = 0;  ///< ticks a second
    std::set<OTF2_LocationRef> m_locations;
    std::size_t m_others = 0;
    std::map<OTF2_GroupRef, group_definition> m_groups;
    std::map<OTF2_CommRef, OTF2_GroupRef> m_comms;
    std::map<OTF2_RmaWinRef, OTF2_CommRef> m_windows;
    std::set<OTF2_RegionRef> m_mpi_regions;
    std::vector<std::uint64_t> m_places;  ///< location of each task, its rank in MPI's world
    std::unique_ptr<all_tasks> m_all;
    std::map<std::uint32_t, listed_tasks> m_listed;  ///< communicators by number
    std::map<OTF2_CommRef, std::uint32_t> m_numbers;
    std::vector<std::string> m_left_out;
};

/// The events of one-sided operations, for the library to call with a process.
void add_one_sided(OTF2_EvtReaderCallbacks* calls);

/// A process of an archive, whose events are read as next() asks for them.
class otf2_process {
  public:
    otf2_process(otf2_archive& archive, std::uint32_t task) : m_archive(archive), m_task(task) {}
    /// Reads the next event; returns false after the last one. Throws config::error for an error in the
    /// archive.
    bool next(event& e);

  private:
    friend struct otf2_events;
    friend struct otf2_one_sided;
    struct item {
        event what;
        std::uint64_t open = 0;  ///< request of a receive whose message is not known yet; else 0
        bool dropped = false;
    };

    /// Runs a callback's work; keeps an error until the library has returned.
    template <class Do>
    OTF2_CallbackCode guarded(OTF2_TimeStamp now, Do&& act) {
        try {
            if (m_depth == 0) computed_until(now);
            act();
        } catch (const std::exception& wrong) {
            m_wrong = wrong.what();
            return OTF2_CALLBACK_INTERRUPT;
        }
        return OTF2_CALLBACK_SUCCESS;
    }

    void read_some();
    void computed_until(OTF2_TimeStamp now);
    std::uint32_t rank(std::uint32_t peer, std::uint32_t communicator) const;
    void message(op what, std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                 event& e);
    void one_sided(op what, OTF2_RmaWinRef win, std::uint32_t peer, std::uint64_t bytes, std::uint64_t id);
    void complete(OTF2_RmaWinRef win, std::uint64_t id, bool at_target);
    void synchronize(op what, OTF2_RmaWinRef win, std::uint32_t peer);
    void collective(OTF2_CollectiveOp what, OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                    std::uint64_t received);
    void one_by_one(bool gathers, const event& common, std::uint32_t rank, std::uint64_t sent,
                    std::uint64_t received, std::uint32_t ranks);
    void push(event e) { m_items.push_back({std::move(e), 0, false}); }
    void push_wait(std::uint64_t request);
    item* posted(std::uint64_t request);

    otf2_archive& m_archive;
    std::uint32_t m_task;
    OTF2_EvtReader* m_reader = nullptr;
    std::deque<item> m_items;
    std::map<std::uint64_t, std::uint64_t> m_sends;  ///< our request, by the trace's
    /// Our requests of puts and gets that have not ended, by window and the trace's number.
    std::map<std::pair<OTF2_RmaWinRef, std::uint64_t>, std::vector<std::pair<op, std::uint64_t>>> m_one_sided;
    std::uint64_t m_number = 0, m_requests = 0;
    unsigned m_depth = 0;  ///< depth of calls of MPI
    bool m_began = false, m_over = false;
    OTF2_TimeStamp m_since = 0;  ///< begin of its computation
    std::string m_wrong;         ///< error that a callback found
};

}  // namespace sare::traffic
