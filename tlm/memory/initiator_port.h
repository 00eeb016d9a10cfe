// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/memory/access.h"
#include "tlm/memory/map/address_view.h"
#include "tlm/memory/map/split_access.h"
#include "tlm/memory/params.h"
#include "tlm/memory/reorder_buffer.h"
#include "tlm/memory/timing/port_counts.h"

#include <tlm_utils/peq_with_get.h>

#include <deque>
#include <map>
#include <memory>
#include <string>

namespace sare {

class access_statistics;
class memory_bridge_base;
class memory_map;

/// State of the accesses of one ID of an initiator, kept while some of them are open; for up to 16 IDs
/// longer.
struct accesses_of_id {
    std::uint32_t open = 0;     ///< number of accesses that have begun and have not ended
    std::uint32_t sent = 0;     ///< number of open accesses whose request was sent and not answered
    memory_port* at = nullptr;  ///< memory that the last one was sent to; null: none was sent yet
    reorder_buffer<memory_access*>* there = nullptr;  ///< order of the requests to `at`
    /// Order of the responses; holds responses that have overtaken earlier ones.
    reorder_buffer<memory_access*> responses;
    /// Order of the requests to each memory.
    std::map<memory_port*, reorder_buffer<memory_access*>> requests;
};

/// The side of a bridge towards one initiator. An access is sent when its memory has a free place for it and
/// the initiator has fewer than memory_bridge_params::outstanding accesses under way; accesses of one ID are
/// sent and answered in order.
class initiator_port {
  public:
    /// Makes the port of initiator `number`, in the order of binding, of `bridge`, which must outlive it.
    initiator_port(memory_bridge_base& bridge, std::uint32_t number);
    ~initiator_port();
    initiator_port(const initiator_port&) = delete;
    initiator_port& operator=(const initiator_port&) = delete;

    std::uint32_t node() const;  ///< number of the node of its bridge
    /// Returns which component keeps the accesses of one ID in order, as the parameter `order` says.
    access_order order() const { return m_params.order; }
    /// Returns the counts so far.
    const initiator_counts& counts() const { return m_counts; }
    /// Returns the statistics of the initiator's accesses that are over.
    access_statistics& statistics() { return *m_statistics; }

    /// Does an access loosely timed; called by the initiator. In mode exact it waits for `delay` and the
    /// response, and sets `delay` to 0; a call that is not from a thread is then reported as an error
    /// "/sare/protocol".
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    /// Takes a phase of the base protocol; called by the initiator. A phase out of turn is reported as an
    /// error "/sare/protocol" and ignored.
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay);
    /// Gives the memory's DMI, in the initiator's addresses, and returns true. Returns false unless the mode
    /// is functional, no access of this initiator is open, and the memory gives it.
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
    /// Does a debug access. Returns the number of bytes done, up to the first one that no memory owns.
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    /// Sets which addresses of the map the initiator sees, for accesses that begin from now on; its DMI is
    /// void.
    void set_view(address_view view);
    /// True if each of the `bytes` bytes from `address` on (0 counts as 1), in the initiator's view, is in a
    /// range of the map.
    bool reaches(std::uint64_t address, std::uint64_t bytes) const;
    /// Notes that the bridge has another mode: the next estimated access sends a probe, and the initiator is
    /// told that its DMI is void.
    void mode_changed();
    /// Tells an initiator that has asked for DMI that it is void for addresses `first` to `last` of the map.
    void forget_direct(std::uint64_t first, std::uint64_t last);
    /// Carries the present message of `a`, request or response, without the network. The message arrives at
    /// the beginning of the network's cycle `cycles` after the present one; 0: now, in the next delta cycle.
    void carry(memory_access& a, cycle_t cycles);
    void probed() { m_probing = false; }  ///< notes that the probe under way is back, or lost
    /// Ends an access in the network: its response has arrived, or one of its messages was lost.
    void answered(memory_access& a);
    /// Reports "/sare/memory" if the message of `a`, which has `number` in `numbers`, has overtaken an
    /// earlier message although order() is access_order::network.
    void check_order(const memory_access& a, const reorder_buffer<memory_access*>& numbers,
                     std::uint64_t number) const;

  private:
    placement place(std::uint64_t address) const;
    access_route route(tlm::tlm_generic_payload& payload) const;
    std::vector<access_piece> pieces_of(const tlm::tlm_generic_payload& payload) const;
    void cross(std::uint32_t from, std::uint32_t to, std::uint32_t bytes, sc_core::sc_time& delay);
    bool done_at_once(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay, bool timed);
    void access(tlm::tlm_generic_payload& payload, const access_route& way, sc_core::sc_time& delay,
                access_mode mode);
    access_times access(tlm::tlm_generic_payload& payload, const placement& at, sc_core::sc_time& delay,
                        bool timed);
    void wait_for_open(std::uint32_t id, sc_core::sc_time& delay);
    void probe(memory_port& to, const tlm::tlm_generic_payload& like);
    void arrive();
    memory_access& enqueue(tlm::tlm_generic_payload& payload, const placement& at, access_mode mode,
                           const sc_core::sc_time& made);
    memory_access& begin(tlm::tlm_generic_payload& payload, const access_route& way,
                         const sc_core::sc_time& made);
    bool refuse_classes(tlm::tlm_generic_payload& payload);
    bool refuse_after_the_end(tlm::tlm_generic_payload& payload);
    bool refuse_open(const tlm::tlm_generic_payload& payload);
    bool refuse_to_wait(tlm::tlm_generic_payload& payload);
    void begin_at(sc_core::sc_time& delay);
    void call_memory(memory_port& memory, tlm::tlm_generic_payload& payload, bool plain,
                     sc_core::sc_time& delay);
    void begin_request();
    tlm::tlm_generic_payload& end_request();
    void send_waiting();
    bool may_go(const memory_access& a) const;
    void send(memory_access& a);
    void settle(memory_access& a);
    void abandon(memory_access& a);
    void abandon_part(memory_access& a);
    void answer(memory_access& a);
    void over(const tlm::tlm_generic_payload& p, memory_port* to, const access_times& times,
              const std::vector<access_packet>& packets = {});
    void answer_at_once(tlm::tlm_generic_payload& payload, const sc_core::sc_time& when);
    void finish(memory_access& a);
    void release(memory_access& a);
    void wake();
    void notify(sc_core::sc_event& event);
    void run();
    void begin_response();
    void report_out_of_turn(const tlm::tlm_phase& phase, const tlm::tlm_generic_payload& payload) const;
    void end_response(const sc_core::sc_time& delay);
    std::string text() const;

    memory_bridge_base& m_bridge;
    memory_map& m_map;
    const std::uint32_t m_number;  ///< number of the initiator in the order of binding
    const memory_bridge_params m_params;
    address_view m_view;  ///< see set_view()
    struct {
        std::map<std::uint32_t, accesses_of_id> by_id;  ///< states by ID
        std::uint32_t open = 0;   ///< number of accesses of all IDs that have begun and not ended
        bool waited_for = false;  ///< true: a process waits for m_closed
        open_payloads payloads;   ///< payloads of calls that have not ended
    } m_ids;                      ///< accesses under way
    /// Number of places that this initiator has in use, by memory.
    std::map<const memory_port*, std::uint32_t> m_places;
    std::deque<memory_access*> m_waiting;  ///< accesses that wait to be sent
    std::uint32_t m_outstanding = 0;       ///< number of accesses sent whose END_RESP has not come

    tlm::tlm_generic_payload* m_request = nullptr;  ///< payload between BEGIN_REQ and END_REQ; null: none
    memory_access* m_request_access = nullptr;      ///< access of m_request; null until its delay has passed
    sc_core::sc_time m_request_due;                 ///< time at which m_request takes effect
    bool m_request_taken = false;                   ///< true: m_request was sent, so END_REQ may be called
    bool m_answering = false;                       ///< true: within answered(), in the engine's process
    std::deque<memory_access*> m_responses;         ///< accesses that wait for BEGIN_RESP, one after another
    memory_access* m_responding = nullptr;          ///< access between BEGIN_RESP and END_RESP; null: none
    sc_core::sc_time m_response_end;                ///< time at which the last END_RESP takes effect
    sc_core::sc_event m_wake;                       ///< wakes run()
    sc_core::sc_event m_closed;                     ///< notified when the last open access of an ID has ended

    /// Accesses whose message is carried without the network, at the times of arrival.
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> m_carried;
    /// Number of estimated accesses since the last probe; number from one probe to the next.
    std::uint32_t m_unprobed = 0, m_probe_after = 1;
    bool m_asked_direct = false;  ///< true: the initiator has asked for DMI
    bool m_probing = false;       ///< true: a probe is on its way
    /// The last estimated access: network time is not lost if the initiator or a memory drops a delay.
    struct {
        const sc_core::sc_process_b* process = nullptr;  ///< process that made the access
        sc_core::sc_time end;                            ///< time at which the access ends
        /// True: a warning has said that a process began an access before the end of its last one.
        bool goes_back = false;
        /// True: a warning has said that a memory returned less delay than it was given.
        bool takes_back = false;
    } m_estimated;
    initiator_counts m_counts;
    const std::unique_ptr<access_statistics> m_statistics;
};

}  // namespace sare
