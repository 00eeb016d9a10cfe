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
/// here and takes one before it sends a request, so that no more than `window` requests of each initiator are
/// here or on their way.
class memory_port {
  public:
    /// Makes a port that calls the memory as the parameter `timing` of `bridge` says. `number`: number of the
    /// memory in the order of binding.
    static std::unique_ptr<memory_port> make(memory_bridge_base& bridge, std::uint32_t number);
    memory_port(memory_bridge_base& bridge, std::uint32_t number);
    virtual ~memory_port();
    memory_port(const memory_port&) = delete;
    memory_port& operator=(const memory_port&) = delete;

    std::uint32_t node() const;  ///< node of its bridge
    std::string text() const;    ///< name of the bridge, and number of the memory, for messages
    /// Places for the requests of each initiator.
    std::uint32_t window() const { return m_params.window; }
    /// Counts so far.
    const memory_counts& counts() {
        settle_before_now();
        return m_counts;
    }
    /// Statistics of accesses that are over.
    access_statistics& statistics() {
        settle_before_now();
        return *m_statistics;
    }

    void requested(memory_access& a);  ///< takes a request that has arrived
    void lost(memory_access& a);       ///< notes that a request was lost on its way
    /// Does an access at once, without a message; may wait. `delay`: time from now to its begin, then to its
    /// end.
    void access(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
    /// As access(), in less time, for an access that is neither exclusive nor atomic nor counted in
    /// statistics.
    void access_plain(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
    /// Asks the memory for DMI.
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
        return target().get_direct_mem_ptr(p, dmi);
    }
    /// Writes the reservations of an idle port to a checkpoint, or reads them.
    void serialize(archive& a) { m_monitor.serialize(a); }
    /// Does a debug access. Returns the number of bytes done.
    unsigned debug(tlm::tlm_generic_payload& p) { return target().transport_dbg(p); }
    /// Called by the memory with a phase.
    virtual tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) = 0;

  protected:
    /// The memory.
    tlm::tlm_fw_transport_if<>& target() { return m_target != nullptr ? *m_target : find_target(); }
    /// Wakes the process that calls the memory, as a request may have come, or the memory may have room
    /// again.
    void wake();
    /// Number of queues: 2 if reads and writes are apart (writes in the second), else 1.
    std::uint32_t ways() const;
    /// True for an atomic access that the bridge carries out by a read and a write of the memory.
    bool takes_steps(const tlm::tlm_generic_payload& p) const;
    bool takes_steps(const memory_access& a) const {
        return a.atomic && m_params.atomics == atomic_place::bridge;
    }
    /// Calls the memory by b_transport.
    void call(tlm::tlm_generic_payload& p, sc_core::sc_time& delay) { call(p, takes_steps(p), delay); }
    void call(tlm::tlm_generic_payload& p, bool steps, sc_core::sc_time& delay);
    /// Takes the next access out of queue `way`, for the memory to be called with; null if none may begin
    /// now.
    memory_access* next(std::uint32_t way);
    /// Notes that the memory has done `a`, and sends the response.
    void done(memory_access& a);
    /// Sends the response to `a` ahead of its time: the memory has done it and needs the time `delay` for it.
    /// Until then is_busy() is true, and nobody is woken at its end unless something waits for it. Returns
    /// false, and does nothing, if that could make a difference to others.
    bool answer_ahead(memory_access& a, const sc_core::sc_time& delay);
    /// True while the memory has an access that was answered ahead.
    bool is_busy();
    void report(const std::string& what) const;
    /// Returns the access whose transaction `p` the memory was called with; null if it has no such access.
    memory_access* with_memory(const tlm::tlm_generic_payload& p) const;

    sc_core::sc_event m_wake;

  private:
    /// Counts, within its scope, an access without messages that the memory has; an atomic one must be alone
    /// there.
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
    /// True if an access without messages need not wait, unless it is atomic.
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
    const std::uint32_t m_number;
    const memory_bridge_params m_params;
    std::uint32_t m_held = 0;  ///< number of requests between their arrival and their response
    /// Accesses without messages that the memory has now: those that it does by one call; atomic ones that
    /// the bridge does by a read and a write.
    std::uint32_t m_direct = 0, m_direct_steps = 0;
    /// Number of atomic accesses with messages that the memory has now, which the bridge does by a read and a
    /// write.
    std::uint32_t m_atomics = 0;
    bool m_kept_away = false;               ///< true: something waits for m_let_in
    access_turns m_turns;                   ///< accesses that wait for it, in order
    std::array<std::uint64_t, 2> m_turn{};  ///< place in m_turns of the first access of each queue; 0: none
    sc_core::sc_event m_let_in;
    std::array<std::deque<memory_access*>, 2> m_waiting;  ///< requests that wait for the memory, by queue
    exclusive_monitor m_monitor;
    std::vector<memory_access*> m_with_memory;
    /// The access that was answered ahead, which is with the memory until `until`.
    struct {
        bool on = false;
        bool write = false, error = false;
        unsigned bytes = 0;
        sc_core::sc_time from, until;
    } m_ahead;
    memory_counts m_counts;
    const std::unique_ptr<access_statistics> m_statistics;
};

/// A memory that is called by b_transport, from as many threads for each queue as accesses may be with it at
/// once.
class blocking_memory final : public memory_port {
  public:
    blocking_memory(memory_bridge_base& bridge, std::uint32_t number);
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override;

  private:
    void serve(std::uint32_t way);
};

/// A memory that is called by nb_transport_fw, one request after another; responses may come in any order.
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
    /// Atomic accesses that have been read and are to be written; they come before others.
    std::deque<memory_access*> m_to_write;
    sc_core::sc_time m_request_end;  ///< time at which the last END_REQ takes effect
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> m_responses;
};

}  // namespace sare
