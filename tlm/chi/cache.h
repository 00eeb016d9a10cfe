// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/agent.h"
#include "tlm/chi/cache_observer.h"
#include "tlm/memory/atomic/atomic_access.h"

#include <tlm_utils/simple_target_socket.h>

#include <optional>

namespace sare::chi {

/// Parameters of a cache.
struct cache_params {
    /// Number of lines, at least 1; the cache is fully associative, and the least recently used line leaves.
    std::uint32_t lines = 16;
    /// Most transactions that the cache may have at a time, each with a TxnID; 1 to 4,096.
    std::uint32_t outstanding = 8;
    std::uint32_t qos = 0;  ///< QoS of its requests, 0 to 15
};

/// A fully coherent requester (RN-F) with a cache. It takes loads and stores of any TLM-2.0 initiator by
/// b_transport, from any number of threads. It gets missing lines by ReadShared, ReadUnique, MakeUnique or
/// CleanUnique, and gives lines up by WriteBackFull or Evict. It answers snoops, and gives DMI to its lines
/// until they leave. Atomic accesses (atomic_access) it does itself on a line that it may write; else the
/// home does them.
class cache final : public agent {
  public:
    /// Makes an empty cache. `bus_bytes`: bytes of data of a DAT flit, 16, 32 or 64; `map`: homes of the
    /// system. Reports "/sare/config" for parameters out of range, or a system without a home.
    cache(const sc_core::sc_module_name& name, std::uint32_t bus_bytes, const system_map& map,
          const cache_params& params = {});

    const char* kind() const override { return "sare::chi::cache"; }
    /// Prints to `out` the lines of agent::dump(), and numbers of cache lines, of transactions and of counted
    /// events.
    void dump(std::ostream& out = std::cout) const override;

    tlm_utils::simple_target_socket<cache, 512> cpu;  ///< to be bound to the initiator of loads and stores

    /// Sets the observer, in the place of any earlier one; it must outlive the cache. `node`: number under
    /// which it is told of this cache.
    void observe(std::uint32_t node, cache_observer& o) {
        m_node = node;
        m_observer = &o;
    }
    /// Counts since the start.
    struct counts {
        /// Accesses that found their line in a state that allows them, and all others; each run of enabled
        /// bytes within a line counts as an access.
        std::uint64_t hits = 0, misses = 0;
        std::uint64_t snoops = 0;                    ///< snoops that have come
        std::uint64_t retries = 0, write_backs = 0;  ///< requests that a home has refused; WriteBackFull sent
        std::uint64_t atomics = 0;                   ///< atomic accesses done, here or at a home
    };
    const counts& count() const { return m_counts; }            ///< counts so far
    std::size_t open() const { return m_transactions.size(); }  ///< number of transactions that are not over

  private:
    /// Access to a line that DMI has given: none; loads; loads and stores.
    enum class direct_access : std::uint8_t { none, read, write };
    /// A line of the cache.
    struct line {
        state is = state::i;                         ///< state of the line
        direct_access direct = direct_access::none;  ///< access that was given by DMI
        std::array<unsigned char, line_bytes> data{};
        std::uint64_t used = 0;  ///< time of its last use, in counts of m_clock
    };
    /// Adjacent bytes of an access, all enabled and in one line.
    struct piece {
        bool write = false;              ///< true: a store or an atomic access; false: a load
        std::uint64_t address = 0;       ///< address of the first byte
        unsigned char* bytes = nullptr;  ///< bytes of the initiator that are read or written
        std::uint32_t length = 0;        ///< number of bytes; of an atomic access, of its value
        /// Atomic operation, whose operand is `bytes`; null: a load or a store.
        atomic_access* atomic = nullptr;
        /// Place where the times of the access are noted; null: they are not noted.
        access_times* times = nullptr;
        bool done = false, error = false;  ///< true: it is done; true: with an error
    };
    /// A transaction with a home, from its request to its end.
    struct transaction {
        flit request;
        /// Access that is done when the transaction completes; null: none waits for the transaction.
        piece* what = nullptr;
        line_buffer data;    ///< data of CompData
        access_times times;  ///< times of the messages
        /// Copy of a store of a whole line, or of an atomic access, whose process was killed while it waited.
        piece kept;
        std::array<unsigned char, line_bytes> kept_bytes;  ///< bytes of `kept`
    };

    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
    tlm::tlm_response_status access(tlm::tlm_generic_payload& p, access_times& times);
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi);
    void note_direct_stores(std::uint64_t address, const line& l);
    void withdraw_direct(std::uint64_t address, line& l);
    unsigned transport_dbg(tlm::tlm_generic_payload& p);
    bool debug(const debug_access& a) override;
    void access(piece& p);
    void forget(const piece& p);
    bool try_hit(piece& p);
    void perform(piece& p, line& l);
    void miss(piece& p);
    void begin_atomic(piece& p);
    void send_operand(const transaction& t, const flit& where);
    void complete_atomic(const flit& f);
    void make_room();
    void begin(const flit& request, piece* what);
    void set_state(std::uint64_t address, state s);

    void received(const flit& f) override;
    void snooped(const flit& f);
    void complete(std::uint16_t txn, const flit& f, state granted);
    void end(std::uint16_t txn);

    const system_map m_map;
    const cache_params m_params;
    std::map<std::uint64_t, line> m_lines;                ///< lines by address; state i: place without data
    std::map<std::uint64_t, std::uint16_t> m_busy;        ///< TxnID of each line's transaction, by address
    std::map<std::uint16_t, transaction> m_transactions;  ///< transactions by TxnID
    retries m_retries;                                    ///< refused requests
    std::uint64_t m_clock = 0;                            ///< number of accesses to lines so far, for LRU
    sc_core::sc_event m_changed;                          ///< notified when a waiting access may go on
    cache_observer* m_observer = nullptr;                 ///< see observe(); null: none
    std::uint32_t m_node = 0;                             ///< see observe()
    counts m_counts;
    const std::shared_ptr<access_side> m_accesses = count_accesses(false);
};

}  // namespace sare::chi
