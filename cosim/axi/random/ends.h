// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/model/burst.h"
#include "cosim/axi/model/format.h"
#include "tlm/base/rng.h"

#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

/// Random ends at the AXI ports in tests: managers that know what they must read, and memories.
namespace sare::axi {

/// Bytes by address; a byte that was never written is a hash of its address.
class byte_store {
  public:
    std::uint8_t get(std::uint64_t at) const;
    void set(std::uint64_t at, std::uint8_t value) { m_bytes[at] = value; }

  private:
    std::unordered_map<std::uint64_t, std::uint8_t> m_bytes;
};

/// Parameters of a random stimulus: probabilities in a cycle (of a transaction for `writes` and `nowhere`),
/// and the most open transactions.
struct stimulus_params {
    double begin = 0.5;       ///< a transaction begins
    double show = 0.7;        ///< a channel shows what it has
    double take = 0.7;        ///< a channel takes
    double writes = 0.5;      ///< writes among transactions
    double nowhere = 0.05;    ///< addresses of no node
    std::uint32_t most = 16;  ///< most transactions at a time
};

/// A random manager: begins transactions of any burst, width and ID, and checks the data that it reads. Only
/// it uses its parts of memory. A read never overlaps a write that is under way, so that its data are known;
/// writes of one ID may overlap, since they are in order.
class random_manager {
  public:
    /// A part of memory that the manager has for itself: `bytes` bytes from address `first` on.
    struct part {
        std::uint64_t first, bytes;
    };
    /// `node`: number that makes the random stream differ from those of other nodes with the same seed.
    random_manager(const manager_params& params, std::vector<part> parts, const stimulus_params& how,
                   std::uint64_t seed, std::uint64_t node);

    /// Returns the pins that the manager drives in the next cycle. `closing`: it begins no transaction.
    const forward_pins& drive(bool closing);
    /// Ends a cycle: takes handshakes and the answers on the pins `b`.
    void clock(const backward_pins& b);

    bool idle() const { return m_open.empty(); }   ///< no transaction is open
    std::uint64_t done() const { return m_done; }  ///< number of transactions that have ended
    /// Number of transactions among done() to addresses of no node.
    std::uint64_t lost() const { return m_lost; }
    const std::string& first_error() const { return m_error; }  ///< first wrong answer; "": none
    void set_stimulus(const stimulus_params& how) { m_how = how; }

  private:
    struct transaction {
        bool write;
        address what;
        bool lost;                 ///< true: no node has the address
        std::vector<wide> expect;  ///< only of reads: data by beat
        std::uint32_t beats = 0;   ///< beats so far
    };
    address draw();
    bool may(const transaction& t) const;
    void begin();
    void put_data(const address& a, bool lost);
    std::vector<wide> expected(const address& a) const;
    void answer(const backward_pins& b);
    void data(const backward_pins& b);
    void wrong(const std::string& what, const address& a);

    const manager_params m_params;
    const std::vector<part> m_parts;
    stimulus_params m_how;
    rng m_random;
    byte_store m_memory;
    std::deque<transaction> m_open;  ///< in order of begin
    std::deque<address> m_ar, m_aw;
    struct write_beat {
        wide what;
        bool last;
    };
    std::deque<write_beat> m_w;
    forward_pins m_pins;
    std::uint64_t m_done = 0, m_lost = 0;
    std::string m_error;
};

/// Requests of managers that memories have not seen yet, by ID at the memory and whether they write.
using request_log = std::map<std::pair<std::uint64_t, bool>, std::deque<address>>;

/// A memory. It answers requests of different IDs in any order; the data of a read are not mixed with others.
class random_memory {
  public:
    /// Order in which it takes AW and W: any; AW only when its data have come whole; W only after its AW.
    enum class write_order { none, address_waits, data_waits };

    /// `node`: number that makes the random stream differ from those of other memories with the same seed.
    random_memory(const format& f, const stimulus_params& how, write_order waits, std::uint64_t seed,
                  std::uint64_t node);

    /// Returns the pins that the memory drives in the next cycle.
    const backward_pins& drive();
    /// Ends a cycle: takes handshakes and the requests on the pins `f`.
    void clock(const forward_pins& f);
    /// True if no transaction is open.
    bool idle() const { return m_reads.empty() && m_writes.empty() && m_answers.empty() && m_w.empty(); }
    /// Returns the requests taken since forget_seen(), in order: true for a write, and AR or AW.
    const std::vector<std::pair<bool, address>>& seen() const { return m_seen; }
    void forget_seen() { m_seen.clear(); }
    void set_stimulus(const stimulus_params& how) { m_how = how; }

  private:
    struct write_beat {
        wide what;
        bool last;
    };
    std::size_t any_first(const std::deque<address>& of);
    void show_data();
    void show_answer();
    void write();

    const format m_format;
    stimulus_params m_how;
    const write_order m_waits;
    rng m_random;
    byte_store m_memory;
    std::deque<address> m_reads, m_writes, m_answers;
    std::deque<write_beat> m_w;
    std::uint32_t m_whole = 0;  ///< complete bursts in m_w
    std::uint32_t m_place = 0;  ///< beats of m_reads.front() that have left
    bool m_reading = false;
    backward_pins m_pins;
    std::vector<std::pair<bool, address>> m_seen;
};

}  // namespace sare::axi
