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

namespace sare::traffic {

/// An OTF2 archive: its definitions, and the library's reader for the events of its processes. A task is a
/// process of MPI.
class otf2_archive {
  public:
    /// Opens the archive by its anchor file `path` and reads the definitions. Throws config::error if OTF2's
    /// library cannot read them, or if the archive has no process of MPI.
    explicit otf2_archive(const std::string& path);

    /// Returns the path of the anchor file.
    const std::string& path() const { return m_path; }
    /// Returns the number of processes of MPI, at least 1.
    std::uint32_t tasks() const { return static_cast<std::uint32_t>(m_places.size()); }
    /// Returns the number of locations (threads, accelerators) that are no process of MPI.
    std::size_t others() const { return m_others; }
    /// Returns the library's reader, open as long as the archive.
    OTF2_Reader* reader() const { return m_reader.get(); }
    /// Returns the library's number of the location of a task, which must be below tasks() (not checked).
    OTF2_LocationRef location(std::uint32_t task) const { return m_places[task]; }
    /// Returns the seconds of a time given in ticks of the archive's clock.
    double seconds(std::uint64_t ticks) const { return static_cast<double>(ticks) / m_resolution; }
    /// Returns true if the region is a function of MPI.
    bool is_mpi(OTF2_RegionRef region) const { return m_mpi_regions.count(region) != 0; }

    /// Returns the number by which events name the communicator `name`, which `task` uses; 0: all tasks in
    /// order. Throws config::error if the communicator is not defined, is an intercommunicator, or does not
    /// have `task`.
    std::uint32_t number(OTF2_CommRef name, std::uint32_t task);
    /// Returns the communicator that events name by `number`: 0 for all tasks, or a number that number() or
    /// window() has returned. Throws std::out_of_range for any other.
    const communicator& group(std::uint32_t number) const {
        return number == 0 ? static_cast<const communicator&>(*m_all) : m_listed.at(number);
    }
    /// Returns the number by which events name the communicator of the window `name`, which `task` uses;
    /// nullopt if the window does not belong to MPI. Throws config::error if it is not defined, or as
    /// number() does.
    std::optional<std::uint32_t> window(OTF2_RmaWinRef name, std::uint32_t task);
    /// Returns the communicator of a window. Throws std::out_of_range if the window is not defined.
    OTF2_CommRef communicator_of(OTF2_RmaWinRef window) const { return m_windows.at(window); }
    /// Adds the text '`what` of the trace are left out' to left_out(), unless it is there.
    void leave_out(const std::string& what);
    /// Returns texts on kinds of events that are left out, each once.
    const std::vector<std::string>& left_out() const { return m_left_out; }
    /// Throws config::error with the path of the archive and the text `what`.
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
    double m_resolution = 0;  ///< ticks of the archive's clock per second
    std::set<OTF2_LocationRef> m_locations;
    std::size_t m_others = 0;
    std::map<OTF2_GroupRef, group_definition> m_groups;
    std::map<OTF2_CommRef, OTF2_GroupRef> m_comms;
    std::map<OTF2_RmaWinRef, OTF2_CommRef> m_windows;
    std::set<OTF2_RegionRef> m_mpi_regions;
    std::vector<std::uint64_t> m_places;  ///< location of each task, by its rank in MPI_COMM_WORLD
    std::unique_ptr<all_tasks> m_all;
    std::map<std::uint32_t, listed_tasks> m_listed;  ///< communicators by the number that events have
    std::map<OTF2_CommRef, std::uint32_t> m_numbers;
    std::vector<std::string> m_left_out;
};

/// Sets the callbacks of `calls` for one-sided operations; the caller must register `calls` with an
/// otf2_process as user data.
void add_one_sided(OTF2_EvtReaderCallbacks* calls);

/// Reader of the events of one process of an archive, a few hundred at a time as next() asks for them.
class otf2_process {
  public:
    /// `archive` must outlive the object; `task`: number of the process, below archive.tasks().
    otf2_process(otf2_archive& archive, std::uint32_t task) : m_archive(archive), m_task(task) {}
    /// Reads the next event into `e`, and numbers it; returns false after the last one. Throws config::error
    /// if the archive is damaged or has an event that cannot be replayed.
    bool next(event& e);

  private:
    friend struct otf2_events;
    friend struct otf2_one_sided;
    /// An event that next() has not returned yet.
    struct item {
        event what;
        std::uint64_t open = 0;  ///< 1 + the archive's number of the request, for a receive whose source and
                                 ///< size are not known yet; else 0
        /// True: the event is a receive that was cancelled; next() skips it.
        bool dropped = false;
    };

    /// Runs `act` in a callback of the library, after it has added the computation up to the time `now` if no
    /// call of MPI is open. An exception is stored in m_wrong and interrupts the library, which returns
    /// before it is thrown again.
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
    /// Name (operation::request) of the request of each open isend, by the archive's number.
    std::map<std::uint64_t, std::uint64_t> m_sends;
    /// Kind, and name (operation::request), of the puts and gets that have not ended, by window and the
    /// archive's number.
    std::map<std::pair<OTF2_RmaWinRef, std::uint64_t>, std::vector<std::pair<op, std::uint64_t>>> m_one_sided;
    std::uint64_t m_number = 0, m_requests = 0;
    unsigned m_depth = 0;  ///< number of nested calls of MPI that are open
    bool m_began = false, m_over = false;
    OTF2_TimeStamp m_since = 0;  ///< time, in ticks, at which the present computation began
    std::string m_wrong;         ///< text of an exception of a callback; empty: none
};

}  // namespace sare::traffic
