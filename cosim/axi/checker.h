// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/burst.h"

#include <deque>
#include <map>
#include <string>

namespace sare::axi {

/// Checks the rules of AXI4 at a port between any manager and subordinate. A valid channel keeps its values
/// until it is taken; bursts have a legal form; WLAST and RLAST are right; strobes are within the beat. Each
/// request gets one response, in the order of its ID; data of different reads of one ID are not mixed. Atomic
/// transactions (AXI5) have a legal form, return the old value if they fetch it, and share their ID with no
/// other open transaction.
class pin_checker {
  public:
    /// `data_width`: number of data bits of a beat: 32, 64, 128, 256 or 512.
    explicit pin_checker(std::uint32_t data_width) : m_bus(data_width / 8) {}

    /// Checks the pins of the port in a cycle, driven by the manager (`f`) and by the subordinate (`b`). Must
    /// be called in every cycle. Only the first rule that is broken is stored.
    void cycle(const forward_pins& f, const backward_pins& b);

    /// Returns the first rule that was broken, as a line with the cycle, counted from 1; empty: none was.
    const std::string& first_violation() const { return m_violation; }
    /// Returns first_violation() without the cycle: the name of Arm's protocol assertion (DUI 0534) and a
    /// sentence; empty: none was broken. Rules of atomic transactions have names of this class: "AXI5 AWATOP"
    /// and "AXI5 atomic ID".
    const std::string& broken_rule() const { return m_rule; }
    /// Returns true if no transaction is open: each request has all its data and its response.
    bool idle() const { return m_reads.empty() && m_answers.empty() && m_aw.empty() && m_beats.empty(); }
    /// Returns the number of reads that have ended; atomic transactions count as writes only.
    std::uint64_t reads() const { return m_reads_done; }
    /// Returns the number of writes, atomic ones included, whose response (B) has come.
    std::uint64_t writes() const { return m_writes_done; }

  private:
    /// An open read.
    struct read {
        address what;
        std::uint32_t beats = 0;  ///< number of beats of data that have come
    };
    /// A beat of write data: its strobes, byte lane 0 in bit 0, and WLAST.
    struct write_beat {
        std::uint64_t strobes;
        bool last;
    };
    void broken(const std::string& rule, const std::string& what);
    void stays(const forward_pins& f, const backward_pins& b);
    void is_legal(const std::string& channel, const address& a);
    void match_writes();
    void begin_write(const address& a);
    void must_be_alone(const address& a, bool write);
    void end_atomic(std::uint64_t id);
    void answer(std::uint64_t id);
    void data(std::uint64_t id, bool last);

    const std::uint32_t m_bus;                          ///< bytes of data of a beat
    forward_pins m_forward;                             ///< pins in the previous cycle
    backward_pins m_backward;                           ///< pins in the previous cycle
    std::map<std::uint64_t, std::deque<read>> m_reads;  ///< open reads by ID, the oldest first
    std::deque<address> m_aw;        ///< writes whose address has come and whose data are incomplete
    std::deque<write_beat> m_beats;  ///< beats of data that have come before the address of their write
    std::uint32_t m_place = 0;       ///< number of beats of m_aw.front() that have come
    std::map<std::uint64_t, std::uint32_t> m_answers;  ///< number of complete writes without a response, by
                                                       ///< ID
    std::map<std::uint64_t, std::uint32_t> m_atomics;  ///< number of responses that atomic transactions still
                                                       ///< wait for, by ID
    std::uint64_t m_cycle = 0, m_reads_done = 0, m_writes_done = 0;
    std::string m_rule, m_violation;
};

}  // namespace sare::axi
