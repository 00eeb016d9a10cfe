// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/api/workload.h"
#include "tlm/base/shared_pool.h"
#include "tlm/base/world.h"
#include "tlm/fabric/parts/partition_map.h"
#include "tlm/fabric/parts/scattered_packets.h"
#include "tlm/router_api/clock_domain.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sare {

class archive;

/// Links between the parts of a network that different processes (ranks) run. Flits and credits on them are
/// exchanged once in a *window*: as many cycles as the shortest of these links takes, so that nothing written
/// within a window is read in it (Chandy and Misra's lookahead; K. M. Chandy, J. Misra, "Distributed
/// simulation: a case study in design and verification of distributed programs", IEEE TSE 5(5), 1979). A
/// packet and its message are copied with the packet's head, and have slots of their own in each process; a
/// message is put together in the process of its destination.
class remote_links {
  public:
    struct counts {
        /// Windows begun, messages sent to other ranks, and words of 64 bits in these, by this rank.
        std::uint64_t windows = 0, messages = 0, words = 0;
    };

    /// `ranks`: rank of each router and node. `packets`, `messages`: the pools of this process.
    remote_links(world& all, partition_map ranks, shared_pool<packet>& packets,
                 shared_pool<message_record>& messages);

    /// @name Building
    /// @{
    const partition_map& ranks() const { return m_ranks; }  ///< rank of each router and node
    std::uint32_t rank() const { return m_world.rank(); }   ///< rank of this process
    world& processes() const { return m_world; }            ///< all processes
    /// True if this rank runs the block at an end of a link; a foreign block is always here.
    bool is_here(const link_end& e) const {
        return e.what == link_end::kind::foreign || rank_of(e) == m_world.rank();
    }
    std::size_t routers() const { return m_ranks.of_router.size(); }  ///< number of routers of all ranks
    std::size_t nodes() const { return m_ranks.of_node.size(); }      ///< number of nodes of all ranks
    bool router_is_here(std::uint32_t r) const { return m_ranks.of_router[r] == m_world.rank(); }
    bool node_is_here(std::uint32_t n) const { return m_ranks.of_node[n] == m_world.rank(); }
    /// Returns an empty domain that stands for the domain of the rank that runs `e`.
    clock_domain& beyond(const link_end& e);
    /// Adds the next wire from the rank of `writer`, in the order in which that rank calls goes_out(). `w`,
    /// `x`: the wire to the reader in domain `here`; `has_flits`: flits, else credits.
    void comes_in(const link_end& writer, clock_domain& here, const wire& w, const wire_extras& x,
                  bool has_flits);
    /// Adds the next wire to the rank of `reader`: the next one that is cut from `here` to beyond(reader).
    void goes_out(const link_end& reader, clock_domain& here);
    /// Notes the delay in cycles of a wire to or from another rank. Call for all of them before agree().
    void note_delay(std::uint32_t cycles) { m_shortest = std::min(m_shortest, cycles); }
    /// Returns true if all ranks pass the same value. All ranks call together.
    bool all_agree(bool said) {
        const std::uint64_t those = m_world.sum(std::uint64_t{said});
        return those == 0 || those == m_world.ranks();
    }
    /// Fixes the length of a window in cycles, 1 to 1024, and returns it. All ranks call together.
    std::uint32_t agree();
    /// Call before the first window. `batched`: some routers send credits in batches, so that these are
    /// counted.
    void open(bool batched) { m_batched = batched; }
    /// Tells that flits of one packet take different routes; `kept` keeps something for each packet.
    void scatter_packets(packet_keeper& kept) { m_scattered.emplace(kept); }
    /// @}

    /// @name Running
    /// @{
    /// Call before cycle `t` is run: begins a window if `t` is behind the last one. All ranks call together.
    void fetch(cycle_t t) {
        if (t >= m_end) begin_window(t);
    }
    /// Exchanges with all neighbours the flits and credits that are read in cycles from `t` to before `end`.
    /// All ranks call together.
    void exchange(cycle_t t, cycle_t end);
    /// Returns the first cycle with work in any rank. `mine`: the first one in this rank. All ranks call
    /// together.
    cycle_t next_of_all(cycle_t mine) const { return m_world.least(mine); }
    /// Returns t + 1 within a window, without asking other ranks; else next_of_all(mine).
    cycle_t next_work(cycle_t t, cycle_t mine) const { return t + 1 < m_end ? t + 1 : next_of_all(mine); }
    /// Sets the workload that sends the messages, before the first one; null: none.
    void set_workload(workload* w) {
        m_workload = w;
        m_words_each = w == nullptr ? 0 : w->words_with_messages();
    }
    /// Returns the tag by which the workload here knows a message (its slot) that has come whole from another
    /// process.
    std::uint64_t tag_of(std::uint32_t message) {
        const ::sare::message& what = m_messages[message].what;
        return m_words_each == 0 ? what.tag : m_workload->tag_of(what, words_of(message));
    }
    /// Numbers a message that is sent here, modulo 2^30, so that all ranks know it by source rank and number.
    void name(message_record& m) { m.number = ++m_last_number & 0x3fffffff; }
    /// Writes or reads the state of packets and messages shared with other ranks. Throws state_error if other
    /// parts or ranks run the network than when it was written.
    void serialize(archive& a);
    const counts& counted() const { return m_counts; }
    cycle_t window() const { return m_window; }  ///< length of a window in cycles
    /// Number of links by which flits come in from other ranks, counting each direction as one.
    std::uint64_t links_in() const {
        std::uint64_t count = 0;
        for (const neighbour& n : m_neighbours)
            count += static_cast<std::uint64_t>(
                std::count_if(n.wires.begin(), n.wires.end(), [](const incoming& w) { return w.has_flits; }));
        return count;
    }
    /// @}

    /// @name Losses. A packet may be in several ranks, with a slot of its own in each
    /// @{
    /// Cycle and place of a lost message, in the order in which losses are told.
    struct loss {
        cycle_t at = workload::never;  ///< never: no message was lost
        std::uint32_t router = 0;      ///< router that the loss is counted at
        std::uint64_t order = 0;       ///< see packet_drop
        std::uint32_t source = 0;      ///< source node of the message
        friend bool operator<(const loss& a, const loss& b) {
            return std::tie(a.at, a.router, a.order, a.source) < std::tie(b.at, b.router, b.order, b.source);
        }
        void serialize(archive& a);
    };
    /// Notes the loss of a message; first_loss() keeps the first one.
    void note_loss(const loss& l) { m_first_loss = std::min(m_first_loss, l); }
    const loss& first_loss() const { return m_first_loss; }  ///< first message that this rank has lost
    std::uint32_t rank_of_node(std::uint32_t n) const { return m_ranks.of_node[n]; }
    /// Returns the rank that runs the block at an end of a link, which must be a router or a NIC.
    std::uint32_t rank_of(const link_end& e) const {
        return (e.what == link_end::kind::nic ? m_ranks.of_node : m_ranks.of_router)[e.id];
    }
    /// True if the head of a packet (its slot) has gone to another rank, and its tail has not.
    bool has_gone_on(std::uint32_t id) const { return id < m_gone_on.size() && m_gone_on[id] != 0; }
    /// Frees the slot of a packet that has left this rank, and its message's slot with the last packet of it.
    void leave(std::uint32_t id);
    /// Appends a packet whose head is here, with its message, to the words for the rank where it ends, and
    /// frees its slot here.
    void send_off(std::uint32_t id, std::vector<std::uint64_t>& to) {
        pack_head(m_packets[id], to);
        leave(id);
    }
    /// Reads a packet and its message, as send_off() has written them, and sets `id` to its slot here.
    /// Returns the words behind.
    const std::uint64_t* take_in(std::uint32_t& id, const std::uint64_t* from);
    /// @}

  private:
    /// A wire from another rank.
    struct incoming {
        clock_domain* here;
        wire onward;  ///< wire to the reader, without delay
        wire_extras extras;
        bool has_flits;
        std::vector<std::uint32_t> packet;  ///< slot of the packet whose flits are coming; by VC
    };
    /// Wires to another rank that the routers of one domain write.
    struct outgoing {
        clock_domain* here;
        std::vector<std::uint32_t> numbers;  ///< number in the other rank of each wire cut from `here`
    };
    /// A rank that shares links with this one.
    struct neighbour {
        std::uint32_t rank = 0;
        std::unique_ptr<clock_domain> beyond;  ///< see remote_links::beyond()
        std::vector<incoming> wires;           ///< wires from the neighbour; by their common number
        std::vector<outgoing> out;
        std::uint32_t wires_out = 0;  ///< number of wires to the neighbour
    };
    /// A message that has come in part.
    struct partial {
        std::uint32_t message;        ///< slot
        std::uint32_t flits_to_come;  ///< flits of packets that have not come to this rank yet
    };
    using words = std::vector<std::uint64_t>;

    neighbour& at(std::uint32_t rank);
    void begin_window(cycle_t t) {
        m_end = t + m_window;
        ++m_counts.windows;
        exchange(t, m_end);
    }
    void pack(neighbour& n, cycle_t t, words& to);
    void pack_credits(std::uint64_t* inbox, words& to) const;
    void pack_flit(std::uint64_t word, words& to);
    void pack_alone(std::uint32_t id, words& to);
    void pack_head(const packet& p, words& to);
    void expect_back(const packet& p);
    void pack_words(const packet& p, words& to);
    /// Words of the workload that came with a message, given by its slot.
    std::uint64_t* words_of(std::uint32_t message) {
        return &m_words_by_message[std::size_t{message} * m_words_each];
    }
    void keep_words(std::uint32_t message, const std::uint64_t* words);
    bool comes_back(const packet& p, const message_record& m) const;
    void note_gone_on(std::uint32_t id);
    const std::uint64_t* unpack(neighbour& n, cycle_t t, const std::uint64_t* from);
    const std::uint64_t* unpack_flit(incoming& w, cycle_t t, const std::uint64_t* from);
    const std::uint64_t* unpack_alone(std::uint32_t& id, const std::uint64_t* from);
    std::uint32_t message_of(const packet& p, const message_record& its);
    /// Name by which all ranks know a message: rank of its source node, and number.
    std::uint64_t name_of(const message_record& m) const {
        return std::uint64_t{m_ranks.of_node[m.what.source]} << 32 | m.number;
    }

    world& m_world;
    const partition_map m_ranks;
    shared_pool<packet>& m_packets;
    shared_pool<message_record>& m_messages;
    std::vector<neighbour> m_neighbours;    ///< sorted by rank
    bool m_batched = false;                 ///< credits carry counts
    std::uint32_t m_shortest = 0xffffffff;  ///< shortest delay of a wire to or from another rank, in cycles
    cycle_t m_window = 1, m_end = 0;        ///< length of a window; first cycle behind the present one
    std::uint32_t m_last_number = 0;        ///< number of messages named here so far
    std::unordered_map<std::uint64_t, partial> m_partial;  ///< messages still incomplete; by name_of()
    std::vector<std::uint8_t> m_gone_on;                   ///< see has_gone_on(); by packet slot
    std::optional<scattered_packets> m_scattered;          ///< set by scatter_packets()
    std::vector<std::uint32_t> m_others;  ///< ranks of the neighbours, in the order of m_neighbours
    std::vector<words> m_words;           ///< words to be exchanged, in the order of m_neighbours
    workload* m_workload = nullptr;
    std::uint32_t m_words_each = 0;  ///< words of the workload that go with each message
    words m_words_by_message;        ///< m_words_each words by message slot, of messages from other ranks
    counts m_counts;
    loss m_first_loss;
};

}  // namespace sare
