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

/// Managers and memories that drive AXI ports at random, for tests. The managers know which data they must
/// read.
namespace sare::axi {

/// Memory of bytes by address, with all addresses of 64 bits.
class byte_store {
  public:
    /// Returns the byte at address `at`; if it was never set, a value computed from its address.
    std::uint8_t get(std::uint64_t at) const;
    void set(std::uint64_t at, std::uint8_t value) { m_bytes[at] = value; }
    /// Returns true if set() was called for the byte.
    bool has(std::uint64_t at) const { return m_bytes.count(at) != 0; }

  private:
    std::unordered_map<std::uint64_t, std::uint8_t> m_bytes;
};

/// Parameters of random traffic at a port.
struct stimulus_params {
    double begin = 0.5;  ///< probability in a cycle that a manager begins a transaction
    double show = 0.7;   ///< probability in a cycle that a channel with something to send raises VALID, which
                         ///< then stays until READY
    double take = 0.7;   ///< probability in a cycle that READY of a channel is up, whatever VALID is
    double writes = 0.5;      ///< probability that a transaction is a write
    double nowhere = 0.05;    ///< probability that a transaction has an address of no node
    std::uint32_t most = 16;  ///< largest number of open transactions of a manager
};

/// A random manager: begins transactions of all kinds of bursts, widths and IDs, and checks the data that it
/// reads. No other manager uses its parts of memory. A read never overlaps a write under way, so that its
/// data are known; writes of one ID may overlap, since they are done in order.
class random_manager {
  public:
    /// A part of memory that only this manager uses: `bytes` bytes from address `first` on.
    struct part {
        std::uint64_t first, bytes;
    };
    /// `params`: parameters of its bridge, for widths and limits; `how`: its traffic. `parts`: its memory, at
    /// least one part, each of whole and aligned blocks of 4 KiB (not checked). `node`: number that makes its
    /// random stream another one than those of other nodes with the same `seed`.
    random_manager(const manager_params& params, std::vector<part> parts, const stimulus_params& how,
                   std::uint64_t seed, std::uint64_t node);

    /// Returns the pins that the manager drives in the next cycle. `closing`: true: it begins no transaction,
    /// and takes every response. The pins in the reference change with the next drive() or clock().
    const forward_pins& drive(bool closing);
    /// Ends a cycle, in which the subordinate drives the pins `b`: takes handshakes and responses.
    void clock(const backward_pins& b);

    bool idle() const { return m_open.empty(); }   ///< true: no transaction is open
    std::uint64_t done() const { return m_done; }  ///< number of transactions that have ended
    /// Returns the number of transactions that have ended and had an address of no node.
    std::uint64_t lost() const { return m_lost; }
    /// Returns the first wrong response, as a line; empty: none was wrong.
    const std::string& first_error() const { return m_error; }
    /// Changes the parameters of the traffic from now on.
    void set_stimulus(const stimulus_params& how) { m_how = how; }
    /// Lets the manager, from now on, only check bytes that it has written, for a memory whose first contents
    /// are not those of a random_memory.
    void trust_only_written() { m_knows_all = false; }

  private:
    /// An open transaction.
    struct transaction {
        bool write;
        address what;
        bool lost;                 ///< true: no node has the address, and DECERR is expected
        std::vector<wide> expect;  ///< read: expected data of each beat, with a bit in the place of WSTRB
                                   ///< for each byte that is known; write: empty
        std::uint32_t beats = 0;   ///< number of beats of read data that have come
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
    bool m_knows_all = true;         ///< true: bytes never written have the values of byte_store
    std::deque<transaction> m_open;  ///< open transactions, in the order in which they began
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

/// Requests of managers that memories have not taken yet, in order. Key: ID at the memory's port, and true
/// for a write.
using request_log = std::map<std::pair<std::uint64_t, bool>, std::deque<address>>;

/// A random memory, with all addresses. It answers requests of different IDs in any order, and those of one
/// ID in order; it sends the data of one read at a time.
class random_memory {
  public:
    /// Order in which a memory takes the address (AW) and the data (W) of a write. none: any order;
    /// address_waits: the address only when all data of the write have come; data_waits: data only when the
    /// address of their write has come.
    enum class write_order { none, address_waits, data_waits };

    /// `f`: widths of the port; `how`: probabilities of its handshakes; `waits`: order of AW and W. `node`:
    /// number that makes its random stream another one than those of other memories with the same `seed`.
    random_memory(const format& f, const stimulus_params& how, write_order waits, std::uint64_t seed,
                  std::uint64_t node);

    /// Returns the pins that the memory drives in the next cycle. The pins in the reference change with the
    /// next drive() or clock().
    const backward_pins& drive();
    /// Ends a cycle, in which the manager drives the pins `f`: takes handshakes and requests.
    void clock(const forward_pins& f);
    /// Returns true if no transaction is open.
    bool idle() const { return m_reads.empty() && m_writes.empty() && m_answers.empty() && m_w.empty(); }
    /// Returns the requests taken since the last forget_seen(), in order, each with true for a write.
    const std::vector<std::pair<bool, address>>& seen() const { return m_seen; }
    void forget_seen() { m_seen.clear(); }  ///< empties the list of seen()
    /// Changes the parameters of the traffic from now on.
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
    std::uint32_t m_whole = 0;  ///< number of complete bursts in m_w
    std::uint32_t m_place = 0;  ///< number of beats of m_reads.front() that were taken
    /// True: data of m_reads.front() have been shown, and its last beat was not taken.
    bool m_reading = false;
    backward_pins m_pins;
    std::vector<std::pair<bool, address>> m_seen;
};

}  // namespace sare::axi
