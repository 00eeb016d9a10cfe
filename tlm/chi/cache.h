// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/agent.h"
#include "tlm/chi/cache_observer.h"
#include "tlm/memory/atomic/atomic_access.h"

#include <tlm_utils/simple_target_socket.h>

#include <optional>

namespace sare::chi {

struct cache_params {
    std::uint32_t lines = 16;       ///< fully associative; the least recently used line leaves; 1 to 65,535
    std::uint32_t outstanding = 8;  ///< transactions at a time, and TxnIDs; 1 to 4,096
    std::uint32_t qos = 0;          ///< QoS of its requests; 0 to 15
};

/// A fully coherent requester (RN-F) with a cache: it takes loads and stores of any TLM-2.0 initiator by
/// b_transport, from any number of threads. Missing lines are got by ReadShared, ReadUnique, MakeUnique or
/// CleanUnique, and leave by WriteBackFull or Evict. It answers snoops, and gives DMI to its lines until they
/// leave. It does atomics (atomic_access) itself on a line that it may write, else the home does.
class cache final : public agent {
  public:
    cache(const sc_core::sc_module_name& name, std::uint32_t bus_bytes, const system_map& map,
          const cache_params& params = {});

    const char* kind() const override { return "sare::chi::cache"; }
    /// Prints what an agent prints, its lines and counts.
    void dump(std::ostream& out = std::cout) const override;

    tlm_utils::simple_target_socket<cache, 512> cpu;

    void observe(std::uint32_t node, cache_observer& o) {
        m_node = node;
        m_observer = &o;
    }
    struct counts {
        std::uint64_t hits = 0, misses = 0;          ///< accesses, counted once for each line
        std::uint64_t snoops = 0;                    ///< snoops that came
        std::uint64_t retries = 0, write_backs = 0;  ///< requests refused by a home; WriteBackFull sent
        std::uint64_t atomics = 0;                   ///< atomics done here or at a home
    };
    const counts& count() const { return m_counts; }
    std::size_t open() const { return m_transactions.size(); }  ///< transactions that are not over

  private:
    enum class direct_access : std::uint8_t { none, read, write };
    struct line {
        state is = state::i;
        direct_access direct = direct_access::none;  ///< access given by DMI
        std::array<unsigned char, line_bytes> data{};
        std::uint64_t used = 0;
    };
    /// Bytes of an access that are enabled in one line, without a gap.
    struct piece {
        bool write = false;
        std::uint64_t address = 0;
        unsigned char* bytes = nullptr;
        std::uint32_t length = 0;
        atomic_access* atomic = nullptr;  ///< not null: `bytes` is its operand
        access_times* times = nullptr;    ///< times of the access; null: nobody waits for it
        bool done = false, error = false;
    };
    struct transaction {
        flit request;
        piece* what = nullptr;  ///< to be done when it completes; null: nothing waits for it any more
        line_buffer data;
        access_times times;
        piece kept;  ///< a store of a whole line whose process is gone, as nothing else has its data
        std::array<unsigned char, line_bytes> kept_bytes;
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
    std::map<std::uint64_t, line> m_lines;
    std::map<std::uint64_t, std::uint16_t> m_busy;  ///< TxnID of each line with a transaction
    std::map<std::uint16_t, transaction> m_transactions;
    retries m_retries;
    std::uint64_t m_clock = 0;
    sc_core::sc_event m_changed;
    cache_observer* m_observer = nullptr;
    std::uint32_t m_node = 0;
    counts m_counts;
    const std::shared_ptr<access_side> m_accesses = count_accesses(false);
};

}  // namespace sare::chi
