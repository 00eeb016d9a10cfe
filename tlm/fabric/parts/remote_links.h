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
/// packet and its message are copied when the packet's head goes to another process, and have slots of their
/// own in each process. A message is put together in the process of its destination.
class remote_links {
  public:
    /// Counts of what this rank has exchanged so far.
    struct counts {
        /// Windows begun; messages sent to other ranks; words of 64 bits in these messages.
        std::uint64_t windows = 0, messages = 0, words = 0;
    };

    /// `ranks`: rank that runs each router and node. `packets`, `messages`: the pools of this process, which
    /// must outlive this object.
    remote_links(world& all, partition_map ranks, shared_pool<packet>& packets,
                 shared_pool<message_record>& messages);

    /// @name Building
    /// @{
    const partition_map& ranks() const { return m_ranks; }  ///< rank of each router and node
    std::uint32_t rank() const { return m_world.rank(); }   ///< rank of this process
    world& processes() const { return m_world; }            ///< all processes
    /// True if this rank runs the block at an end of a link; always true for a foreign block.
    bool is_here(const link_end& e) const {
        return e.what == link_end::kind::foreign || rank_of(e) == m_world.rank();
    }
    std::size_t routers() const { return m_ranks.of_router.size(); }  ///< number of routers of all ranks
    std::size_t nodes() const { return m_ranks.of_node.size(); }      ///< number of nodes of all ranks
    /// True if this rank runs router `r`; the number is not checked.
    bool router_is_here(std::uint32_t r) const { return m_ranks.of_router[r] == m_world.rank(); }
    /// True if this rank runs node `n`; the number is not checked.
    bool node_is_here(std::uint32_t n) const { return m_ranks.of_node[n] == m_world.rank(); }
    /// Returns an empty clock domain that stands for the domain of block `e`, a router or NIC that another
    /// rank runs (not checked).
    clock_domain& beyond(const link_end& e);
    /// Adds a wire on which block `writer` of another rank writes to a block here. The two ranks number the
    /// wires between them alike: the n-th call of comes_in() here belongs to the n-th call of goes_out()
    /// there. `w`, `x`: the wire to the reader, in domain `here`; `has_flits`: it carries flits, else
    /// credits.
    void comes_in(const link_end& writer, clock_domain& here, const wire& w, const wire_extras& x,
                  bool has_flits);
    /// Adds a wire on which a block in domain `here` writes to block `reader` of another rank. Call it just
    /// before clock_domain::cut() makes that wire from `here` to beyond(reader).
    void goes_out(const link_end& reader, clock_domain& here);
    /// Notes the delay, in cycles, of a wire to or from another rank. Call for all of these before agree().
    void note_delay(std::uint32_t cycles) { m_shortest = std::min(m_shortest, cycles); }
    /// True if all ranks pass the same `said`. All ranks must call it together.
    bool all_agree(bool said) {
        const std::uint64_t those = m_world.sum(std::uint64_t{said});
        return those == 0 || those == m_world.ranks();
    }
    /// Fixes the length of a window, the shortest delay noted in any rank but at most 1024 cycles, and
    /// returns it. All ranks must call it together, once.
    std::uint32_t agree();
    /// Sets whether a number of credits goes with each credit, since some routers send credits in batches.
    /// Call once before the first window.
    void open(bool batched) { m_batched = batched; }
    /// Makes the table of packets whose flits may take different routes. Call before the first window if
    /// there are such packets; `kept`, which must outlive this object, has the numbers that banks keep for
    /// each packet slot.
    void scatter_packets(packet_keeper& kept) { m_scattered.emplace(kept); }
    /// @}

    /// @name Running
    /// @{
    /// Begins a window with cycle `t`, and exchanges its flits and credits, if `t` is behind the last window.
    /// All ranks must call it together before they run cycle `t`.
    void fetch(cycle_t t) {
        if (t >= m_end) begin_window(t);
    }
    /// Exchanges with all neighbouring ranks the flits and credits that are read in cycles `t` to `end` - 1.
    /// All ranks must call it together.
    void exchange(cycle_t t, cycle_t end);
    /// Returns the first cycle with work in any rank. `mine`: the first one in this rank. All ranks must call
    /// it together.
    cycle_t next_of_all(cycle_t mine) const { return m_world.least(mine); }
    /// Returns t + 1 if that is in the present window, without asking other ranks; else next_of_all(mine).
    cycle_t next_work(cycle_t t, cycle_t mine) const { return t + 1 < m_end ? t + 1 : next_of_all(mine); }
    /// Sets the workload that sends the messages; null: none. Call before the first message.
    void set_workload(workload* w) {
        m_workload = w;
        m_words_each = w == nullptr ? 0 : w->words_with_messages();
    }
    /// Returns the tag by which the workload here knows a message, given by its slot, that has come whole
    /// from another process.
    std::uint64_t tag_of(std::uint32_t message) {
        const ::sare::message& what = m_messages[message].what;
        return m_words_each == 0 ? what.tag : m_workload->tag_of(what, words_of(message));
    }
    /// Gives a message that is sent here a number, modulo 2^30: all ranks know it by the rank of its source
    /// and this number.
    void name(message_record& m) { m.number = ++m_last_number & 0x3fffffff; }
    /// Writes or reads the state of packets and messages shared with other ranks. Throws state_error on
    /// reading if other parts or ranks run the network than at the writing.
    void serialize(archive& a);
    /// Returns the counts of what this rank has exchanged so far.
    const counts& counted() const { return m_counts; }
    cycle_t window() const { return m_window; }  ///< length of a window in cycles; 1 before agree()
    /// Returns the number of links by which flits come in from other ranks, counting each direction as one.
    std::uint64_t links_in() const {
        std::uint64_t count = 0;
        for (const neighbour& n : m_neighbours)
            count += static_cast<std::uint64_t>(
                std::count_if(n.wires.begin(), n.wires.end(), [](const incoming& w) { return w.has_flits; }));
        return count;
    }
    /// @}

    /// @name Losses. A packet may be in several ranks, and has a slot of its own in each
    /// @{
    /// Cycle and place of the loss of a message; `<` is the order in which losses are told.
    struct loss {
        cycle_t at = workload::never;  ///< never: no message was lost
        std::uint32_t router = 0;      ///< router at which the loss is counted
        std::uint64_t order = 0;       ///< packet_drop::order of the loss
        std::uint32_t source = 0;      ///< source node of the message
        friend bool operator<(const loss& a, const loss& b) {
            return std::tie(a.at, a.router, a.order, a.source) < std::tie(b.at, b.router, b.order, b.source);
        }
        void serialize(archive& a);
    };
    /// Notes the loss of a message; first_loss() keeps the first one.
    void note_loss(const loss& l) { m_first_loss = std::min(m_first_loss, l); }
    /// The first loss noted here; `at` is never if there is none.
    const loss& first_loss() const { return m_first_loss; }
    /// Returns the rank that runs node `n`; the number is not checked.
    std::uint32_t rank_of_node(std::uint32_t n) const { return m_ranks.of_node[n]; }
    /// Returns the rank that runs the block at an end of a link, which must be a router or a NIC.
    std::uint32_t rank_of(const link_end& e) const {
        return (e.what == link_end::kind::nic ? m_ranks.of_node : m_ranks.of_router)[e.id];
    }
    /// True if the head of packet `id`, a slot, has gone to another rank and its tail is still here.
    bool has_gone_on(std::uint32_t id) const { return id < m_gone_on.size() && m_gone_on[id] != 0; }
    /// Frees the slot of packet `id`, which has left this rank, and the slot of its message if this was the
    /// message's last packet here.
    void leave(std::uint32_t id);
    /// Appends packet `id`, whose head is here, and its message to the words `to` for the rank where it ends,
    /// and frees its slot here.
    void send_off(std::uint32_t id, std::vector<std::uint64_t>& to) {
        pack_head(m_packets[id], to);
        leave(id);
    }
    /// Reads a packet and its message from words that send_off() has written, and sets `id` to its slot here.
    /// Returns the address behind these words.
    const std::uint64_t* take_in(std::uint32_t& id, const std::uint64_t* from);
    /// @}

  private:
    /// A wire on which another rank writes to a block here.
    struct incoming {
        clock_domain* here;
        wire onward;  ///< wire to the reader, without delay
        wire_extras extras;
        bool has_flits;
        std::vector<std::uint32_t> packet;  ///< slot of the packet whose flits are coming in; by VC
    };
    /// Wires to another rank on which blocks of one domain write.
    struct outgoing {
        clock_domain* here;
        /// Numbers by which the other rank knows these wires, in the order in which they were cut from
        /// `here`.
        std::vector<std::uint32_t> numbers;
    };
    /// A rank that shares links with this one.
    struct neighbour {
        std::uint32_t rank = 0;
        std::unique_ptr<clock_domain> beyond;  ///< domain that remote_links::beyond() returns
        /// Wires from the neighbour, by the number that both ranks know them by.
        std::vector<incoming> wires;
        std::vector<outgoing> out;    ///< wires to the neighbour, by domain here
        std::uint32_t wires_out = 0;  ///< number of wires to the neighbour
    };
    /// A message that has come in part.
    struct partial {
        std::uint32_t message;        ///< slot of the message
        std::uint32_t flits_to_come;  ///< flits of its packets that have not come to this rank yet
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
    /// Returns the workload's words that came with a message, given by its slot.
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
    /// Returns the name by which all ranks know a message: rank of its source node << 32 | number.
    std::uint64_t name_of(const message_record& m) const {
        return std::uint64_t{m_ranks.of_node[m.what.source]} << 32 | m.number;
    }

    world& m_world;
    const partition_map m_ranks;
    shared_pool<packet>& m_packets;
    shared_pool<message_record>& m_messages;
    std::vector<neighbour> m_neighbours;    ///< sorted by rank
    bool m_batched = false;                 ///< true: a number of credits goes with each credit
    std::uint32_t m_shortest = 0xffffffff;  ///< shortest delay of a wire to or from another rank, in cycles
    cycle_t m_window = 1, m_end = 0;  ///< length of a window in cycles; first cycle behind the present window
    std::uint32_t m_last_number = 0;  ///< number given last by name()
    std::unordered_map<std::uint64_t, partial> m_partial;  ///< messages still incomplete; by name_of()
    std::vector<std::uint8_t> m_gone_on;                   ///< value of has_gone_on(), by packet slot
    std::optional<scattered_packets> m_scattered;          ///< set by scatter_packets()
    std::vector<std::uint32_t> m_others;  ///< ranks of the neighbours, in the order of m_neighbours
    std::vector<words> m_words;           ///< words to be exchanged, in the order of m_neighbours
    workload* m_workload = nullptr;
    std::uint32_t m_words_each = 0;  ///< number of the workload's words that go with each message
    words m_words_by_message;  ///< m_words_each words for each message slot, of messages from other ranks
    counts m_counts;
    loss m_first_loss;
};

}  // namespace sare
