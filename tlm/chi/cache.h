// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/chi/agent.h"

#include <tlm_utils/simple_target_socket.h>

#include <optional>

namespace sare::chi {

/// A cache line's state: invalid, shared clean, unique clean, unique dirty.
enum class state : std::uint8_t { i, sc, uc, ud };

/// Is told of what caches do, at the time at which it takes effect.
class cache_observer {
  public:
    virtual ~cache_observer() = default;
    virtual void loaded(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                        std::uint32_t length) = 0;
    virtual void stored(std::uint32_t node, std::uint64_t address, const unsigned char* bytes,
                        std::uint32_t length) = 0;
    virtual void changed(std::uint32_t node, std::uint64_t line, state now) = 0;
    /// By a debug access, everywhere.
    virtual void replaced(std::uint64_t address, const unsigned char* bytes, std::uint32_t length) {
        (void)address, (void)bytes, (void)length;
    }
};

struct cache_params {
    std::uint32_t lines = 16;       ///< fully associative, the least recently used one goes; 1 to 65,535
    std::uint32_t outstanding = 8;  ///< transactions, and TxnIDs; 1 to 4,096
};

/// A fully coherent requester (RN-F) with a cache of its own: loads and stores of any TLM-2.0 initiator by
/// b_transport, from any number of threads; what is not there is got by ReadShared, ReadUnique, MakeUnique or
/// CleanUnique, and leaves by WriteBackFull or Evict. Answers snoops.
class cache final : public agent {
  public:
    cache(const sc_core::sc_module_name& name, std::uint32_t bus_bytes, const system_map& map,
          const cache_params& params = {});

    const char* kind() const override { return "sare::chi::cache"; }
    /// As agent, and its lines and what it has done.
    void dump(std::ostream& out = std::cout) const override;

    tlm_utils::simple_target_socket<cache, 512> cpu;

    void observe(std::uint32_t node, cache_observer& o) {
        m_node = node;
        m_observer = &o;
    }
    struct counts {
        std::uint64_t hits = 0, misses = 0, snoops = 0, retries = 0, write_backs = 0;
    };
    const counts& count() const { return m_counts; }
    std::size_t open() const { return m_transactions.size(); }

  private:
    struct line {
        state is = state::i;
        std::array<unsigned char, line_bytes> data{};
        std::uint64_t used = 0;
    };
    /// Of an access what is enabled in one line, without a gap.
    struct piece {
        bool write = false;
        std::uint64_t address = 0;
        unsigned char* bytes = nullptr;
        std::uint32_t length = 0;
        bool done = false, error = false;
    };
    struct transaction {
        flit request;
        piece* what = nullptr;  ///< to be done when it completes; null: nothing waits for that any more
        line_buffer data;
        piece kept;  ///< a store of a whole line whose process is gone: nothing else has the line's data
        std::array<unsigned char, line_bytes> kept_bytes;
    };

    void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& p);
    bool debug(const debug_access& a) override;
    void access(piece& p);
    void forget(const piece& p);
    bool try_hit(piece& p);
    void perform(piece& p, line& l);
    void miss(piece& p);
    void make_room();
    void begin(req op, std::uint64_t line, bool ack, piece* what);
    void set_state(std::uint64_t address, state s);

    void received(const flit& f) override;
    void snooped(const flit& f);
    void complete(std::uint16_t txn, const flit& f, state granted);
    void end(std::uint16_t txn);

    const system_map m_map;
    const cache_params m_params;
    std::map<std::uint64_t, line> m_lines;
    std::map<std::uint64_t, std::uint16_t> m_busy;  ///< lines with a transaction: its TxnID
    std::map<std::uint16_t, transaction> m_transactions;
    retries m_retries;
    std::uint64_t m_clock = 0;
    sc_core::sc_event m_changed;
    cache_observer* m_observer = nullptr;
    std::uint32_t m_node = 0;
    counts m_counts;
};

}  // namespace sare::chi
