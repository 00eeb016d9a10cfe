// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/burst.h"

#include <deque>
#include <map>
#include <string>

namespace sare::axi {

/// The rules of AXI4 at a port, between any manager and subordinate: what is valid stays until it is taken;
/// bursts are allowed by the standard; WLAST and RLAST are right; strobes are within the beat; each request
/// has one response, of an ID that waits for one, in the order of its ID; data of one ID are not mixed. It
/// knows AXI5's atomic transactions: their form, the data of those that fetch, and that nothing else of their
/// ID is open.
class pin_checker {
  public:
    /// `data_width`: bits of a beat's data.
    explicit pin_checker(std::uint32_t data_width) : m_bus(data_width / 8) {}

    /// Checks the pins of a port in a cycle. Call once in every cycle.
    void cycle(const forward_pins& f, const backward_pins& b);

    /// The first rule that was broken, with its cycle; "": none.
    const std::string& first_violation() const { return m_violation; }
    /// True if no transaction is open.
    bool idle() const { return m_reads.empty() && m_answers.empty() && m_aw.empty() && m_beats.empty(); }
    std::uint64_t reads() const { return m_reads_done; }    ///< number of reads that have ended
    std::uint64_t writes() const { return m_writes_done; }  ///< number of writes that have ended

  private:
    struct read {
        address what;
        std::uint32_t beats = 0;  ///< beats so far
    };
    struct write_beat {
        std::uint64_t strobes;
        bool last;
    };
    void broken(const std::string& rule);
    void stays(const forward_pins& f, const backward_pins& b);
    void is_legal(const char* channel, const address& a);
    void match_writes();
    void begin_write(const address& a);
    void must_be_alone(const address& a, bool write);
    void end_atomic(std::uint64_t id);
    void answer(std::uint64_t id);
    void data(std::uint64_t id, bool last);

    const std::uint32_t m_bus;                          ///< in bytes
    forward_pins m_forward;                             ///< pins of the cycle before
    backward_pins m_backward;                           ///< pins of the cycle before
    std::map<std::uint64_t, std::deque<read>> m_reads;  ///< open reads by ID, oldest first
    std::deque<address> m_aw;                           ///< writes whose data are incomplete
    std::deque<write_beat> m_beats;                     ///< beats that belong to no AW yet
    std::uint32_t m_place = 0;                          ///< beats of m_aw.front() so far
    std::map<std::uint64_t, std::uint32_t> m_answers;   ///< complete writes without a response, by ID
    std::map<std::uint64_t, std::uint32_t> m_atomics;   ///< responses that are due, by ID
    std::uint64_t m_cycle = 0, m_reads_done = 0, m_writes_done = 0;
    std::string m_violation;
};

}  // namespace sare::axi
