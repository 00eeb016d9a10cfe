// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/memory/access.h"
#include "tlm/memory/atomic/access_turns.h"
#include "tlm/memory/atomic/atomic_steps.h"
#include "tlm/memory/atomic/exclusive_monitor.h"
#include "tlm/memory/params.h"
#include "tlm/memory/timing/port_counts.h"

#include <tlm_utils/peq_with_get.h>

#include <array>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sare {

class access_statistics;
class memory_bridge_base;
class memory_map;

/// The side of a bridge towards one memory. Requests that have arrived wait for earlier ones of their
/// initiator and ID, then in a queue for the memory. Each initiator has memory_bridge_params::window places
/// here, takes one before it sends a request, and gives it back when the response has come. So no more than
/// `window` requests of each initiator are here or on their way.
class memory_port {
  public:
    /// Makes a port that calls the memory as the parameter `timing` of `bridge` says. `number`: number of the
    /// memory in the order of binding, from 0. `bridge` must outlive the port.
    static std::unique_ptr<memory_port> make(memory_bridge_base& bridge, std::uint32_t number);
    /// Makes the port of memory `number` of `bridge`, which must outlive it. For derived classes.
    memory_port(memory_bridge_base& bridge, std::uint32_t number);
    virtual ~memory_port();
    memory_port(const memory_port&) = delete;
    memory_port& operator=(const memory_port&) = delete;

    std::uint32_t node() const;  ///< number of the node of its bridge
    std::string text() const;    ///< name of the bridge, and number of the memory, for messages
    /// Number of places for the requests of each initiator.
    std::uint32_t window() const { return m_params.window; }
    /// Returns the counts so far.
    const memory_counts& counts() {
        settle_before_now();
        return m_counts;
    }
    /// Returns the statistics of accesses that are over.
    access_statistics& statistics() {
        settle_before_now();
        return *m_statistics;
    }

    void requested(memory_access& a);  ///< takes the request of `a`, which has arrived
    void lost(memory_access& a);       ///< notes that the request of `a` was lost on its way
    /// Does an access at once, without a message, by b_transport of the memory; waits for atomic accesses, so
    /// call it from a thread. `delay`: time from now to the access's beginning, on return to its end.
    void access(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
    /// Does the same as access() at less cost. Call it only for an access that is neither exclusive nor
    /// atomic nor counted in statistics (not checked).
    void access_plain(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
    /// Asks the memory for DMI, in the memory's addresses; returns true if the memory gives it.
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
        return target().get_direct_mem_ptr(p, dmi);
    }
    /// Writes the reservations (exclusive_monitor) of a port without accesses to a checkpoint, or reads them.
    void serialize(archive& a) { m_monitor.serialize(a); }
    /// Does a debug access at the memory. Returns the number of bytes that the memory says it has done.
    unsigned debug(tlm::tlm_generic_payload& p) { return target().transport_dbg(p); }
    /// Called by the memory with a phase of the base protocol.
    virtual tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) = 0;

  protected:
    /// Returns the memory.
    tlm::tlm_fw_transport_if<>& target() { return m_target != nullptr ? *m_target : find_target(); }
    /// Wakes the process that calls the memory, as a request may have come, or the memory may have room
    /// again.
    void wake();
    /// Number of queues: 2 if reads and writes are apart (writes in the second), else 1.
    std::uint32_t ways() const;
    /// Returns true for an atomic access that the bridge carries out by a read and a write (atomic_steps).
    bool takes_steps(const tlm::tlm_generic_payload& p) const;
    bool takes_steps(const memory_access& a) const {
        return a.atomic && m_params.atomics == atomic_place::bridge;
    }
    /// Calls the memory by b_transport, twice for an access that takes steps. `steps`: takes_steps(p).
    void call(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) { call(p, takes_steps(p), delay); }
    void call(tlm::tlm_generic_payload& p, bool steps, sc_core::sc_time& delay);
    /// Takes the next access out of queue `way`, below ways(), for the memory to be called with; null if none
    /// may begin now.
    memory_access* next(std::uint32_t way);
    /// Notes that the memory has done `a`, and sends the response.
    void done(memory_access& a);
    /// Sends the response to `a`, which the memory has done and which ends `delay` from now, ahead of its
    /// time. Until that end is_busy() is true, and no process is woken at the end unless an access waits for
    /// it. Returns false, and does nothing, if other accesses could notice the difference.
    bool answer_ahead(memory_access& a, const sc_core::sc_time& delay);
    /// True while the memory has an access that was answered ahead.
    bool is_busy();
    void report(const std::string& what) const;  ///< reports "/sare/protocol", with text()
    /// Returns the access with whose transaction `p` the memory was called; null if it has none.
    memory_access* with_memory(const tlm::tlm_generic_payload& p) const;

    sc_core::sc_event m_wake;  ///< see wake()

  private:
    /// Counts, within its scope, an access without messages that the memory has now.
    struct counted {
        memory_port& port;
        std::uint32_t& count;
        counted(memory_port& p, std::uint32_t& c) : port(p), count(c) { ++count; }
        ~counted() {
            --count;
            if (port.m_kept_away) port.let_in();
        }
    };
    tlm::tlm_fw_transport_if<>& find_target();
    void carry_out(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
    void keep_away(bool steps, sc_core::sc_time& delay);
    bool is_kept_away(std::uint32_t way, bool steps);
    /// True if an access without messages that is not atomic need not wait.
    bool is_open() const { return m_direct_steps + m_atomics == 0 && m_turns.is_empty(); }
    void let_in();
    bool is_ahead() const;
    void enqueue(memory_access* a);
    void settle();
    /// Ends an access that was answered ahead, if its time is over: a method may run before the memory's
    /// thread sees that.
    void settle_before_now() {
        if (m_ahead.on && m_ahead.until < sc_core::sc_time_stamp()) settle();
    }

    memory_bridge_base& m_bridge;
    memory_map& m_map;
    tlm::tlm_fw_transport_if<>* m_target = nullptr;  ///< the memory; null until it is called
    const std::uint32_t m_number;                    ///< number of the memory in the order of binding
    const memory_bridge_params m_params;
    std::uint32_t m_held = 0;  ///< number of requests between their arrival and their response
    /// Numbers of accesses without messages that the memory has now: those done by one call; atomic ones that
    /// take steps.
    std::uint32_t m_direct = 0, m_direct_steps = 0;
    /// Number of atomic accesses with messages that the memory has now and that take steps.
    std::uint32_t m_atomics = 0;
    bool m_kept_away = false;               ///< true: an access waits for m_let_in
    access_turns m_turns;                   ///< accesses that wait for m_let_in, in order
    std::array<std::uint64_t, 2> m_turn{};  ///< place in m_turns of the first access of each queue; 0: none
    sc_core::sc_event m_let_in;             ///< notified when accesses that are kept away may go on
    std::array<std::deque<memory_access*>, 2> m_waiting;  ///< requests that wait for the memory, by queue
    exclusive_monitor m_monitor;
    std::vector<memory_access*> m_with_memory;  ///< accesses with messages that the memory has now
    /// The access that was answered ahead, which is with the memory until `until`.
    struct {
        bool on = false;                    ///< true: there is such an access
        bool write = false, error = false;  ///< true: a write; true: it ended with an error
        unsigned bytes = 0;                 ///< length of its data
        sc_core::sc_time from, until;       ///< beginning and end
    } m_ahead;
    memory_counts m_counts;  ///< see counts()
    const std::unique_ptr<access_statistics> m_statistics;
};

/// Port of a memory that is called by b_transport, from memory_bridge_params::at_once threads for each queue.
/// A phase from the memory is reported as an error "/sare/protocol".
class blocking_memory final : public memory_port {
  public:
    blocking_memory(memory_bridge_base& bridge, std::uint32_t number);  ///< starts the threads
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;

  private:
    void serve(std::uint32_t way);
};

/// Port of a memory that is called by nb_transport_fw, one request after another; responses in any order.
class phased_memory final : public memory_port {
  public:
    phased_memory(memory_bridge_base& bridge, std::uint32_t number);
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;

  private:
    void run();
    void begin(memory_access& a);
    bool advance(memory_access& a, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    void end_request(const sc_core::sc_time& delay);
    void end(memory_access& a);

    memory_access* m_requesting = nullptr;           ///< access between BEGIN_REQ and END_REQ; null: none
    std::map<memory_access*, atomic_steps> m_steps;  ///< atomic accesses under way
    /// Atomic accesses whose value was read and whose write has not begun; they go before other accesses.
    std::deque<memory_access*> m_to_write;
    sc_core::sc_time m_request_end;  ///< time at which the last END_REQ takes effect
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> m_responses;  ///< accesses answered, at their times
};

}  // namespace sare
