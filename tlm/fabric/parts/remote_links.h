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

/// The links of a process's part of a network that lead to the parts of others. What is on them goes over in
/// *windows*: as many cycles as the shortest of these links is long, for which nothing that is written within
/// one is read in it (Chandy and Misra's lookahead; K. M. Chandy, J. Misra, "Distributed simulation: a case
/// study in design and verification of distributed programs", IEEE TSE 5(5), 1979). A packet is copied with
/// its head, and known by a number of the place; so is its message, which is put together where it arrives.
class remote_links {
  public:
    struct counts {
        std::uint64_t windows = 0, messages = 0, words = 0;  ///< sent by this rank; words of 64 bits
    };

    remote_links(world& all, partition_map ranks, shared_pool<packet>& packets,
                 shared_pool<message_record>& messages);

    /// @name Building
    /// @{
    const partition_map& ranks() const { return m_ranks; }
    std::uint32_t rank() const { return m_world.rank(); }
    world& processes() const { return m_world; }
    bool is_here(const link_end& e) const {
        return e.what == link_end::kind::foreign || rank_of(e) == m_world.rank();
    }
    std::size_t routers() const { return m_ranks.of_router.size(); }  ///< of all ranks
    std::size_t nodes() const { return m_ranks.of_node.size(); }
    bool router_is_here(std::uint32_t r) const { return m_ranks.of_router[r] == m_world.rank(); }
    bool node_is_here(std::uint32_t n) const { return m_ranks.of_node[n] == m_world.rank(); }
    /// Stands for the links of the part that `e` is in; nothing is ever on them.
    clock_domain& beyond(const link_end& e);
    /// The next wire that comes from where `writer` is, in the order in which that rank has them, to `here`.
    void comes_in(const link_end& writer, clock_domain& here, const wire& w, const wire_extras& x,
                  bool has_flits);
    /// The next wire that goes to where `reader` is; it is the next one that is cut from `here` to there.
    void goes_out(const link_end& reader, clock_domain& here);
    /// A wire that goes out or comes in takes so many cycles.
    void note_delay(std::uint32_t cycles) { m_shortest = std::min(m_shortest, cycles); }
    /// Whether all ranks have said the same.
    bool all_agree(bool said) {
        const std::uint64_t those = m_world.sum(std::uint64_t{said});
        return those == 0 || those == m_world.ranks();
    }
    /// Of all ranks: the length of a window. After all delays.
    std::uint32_t agree();
    void open(bool batched) { m_batched = batched; }
    /// Flits of a packet go by different ways.
    void scatter_packets(packet_keeper& kept) { m_scattered.emplace(kept); }
    /// @}

    /// @name Running
    /// @{
    /// Before cycle `t` is run.
    void fetch(cycle_t t) {
        if (t >= m_end) begin_window(t);
    }
    /// What has been sent so far and is read in cycles from `t` on, before `end`, goes to where it is read.
    void exchange(cycle_t t, cycle_t end);
    /// The first cycle after `t` with work in any rank, of which this one's is `mine`.
    cycle_t next_of_all(cycle_t mine) const { return m_world.least(mine); }
    /// That, or an earlier one: within a window the ranks do not ask each other.
    cycle_t next_work(cycle_t t, cycle_t mine) const { return t + 1 < m_end ? t + 1 : next_of_all(mine); }
    /// Sets the workload whose messages they are, before the first is sent.
    void set_workload(workload* w) {
        m_workload = w;
        m_words_each = w == nullptr ? 0 : w->words_with_messages();
    }
    /// What `message`, which has come whole from another process, is to its workload here.
    std::uint64_t tag_of(std::uint32_t message) {
        const ::sare::message& what = m_messages[message].what;
        return m_words_each == 0 ? what.tag : m_workload->tag_of(what, words_of(message));
    }
    /// Gives a message that is sent here a number.
    void name(message_record& m) { m.number = ++m_last_number & 0x3fffffff; }
    /// What is on its way to and from other ranks, and what of their messages is here.
    void serialize(archive& a);
    const counts& counted() const { return m_counts; }
    cycle_t window() const { return m_window; }
    /// By which flits come in, each direction one.
    std::uint64_t links_in() const {
        std::uint64_t count = 0;
        for (const neighbour& n : m_neighbours)
            count += static_cast<std::uint64_t>(
                std::count_if(n.wires.begin(), n.wires.end(), [](const incoming& w) { return w.has_flits; }));
        return count;
    }
    /// @}

    /// @name Losses. A packet may be in several ranks, each of which knows it by a number of its own
    /// @{
    /// When and where this rank has lost a message first.
    struct loss {
        cycle_t at = workload::never;
        std::uint32_t router = 0;
        std::uint64_t order = 0;   ///< see packet_drop
        std::uint32_t source = 0;  ///< of the message
        friend bool operator<(const loss& a, const loss& b) {
            return std::tie(a.at, a.router, a.order, a.source) < std::tie(b.at, b.router, b.order, b.source);
        }
        void serialize(archive& a);
    };
    void note_loss(const loss& l) { m_first_loss = std::min(m_first_loss, l); }
    const loss& first_loss() const { return m_first_loss; }
    std::uint32_t rank_of_node(std::uint32_t n) const { return m_ranks.of_node[n]; }
    std::uint32_t rank_of(const link_end& e) const {
        return (e.what == link_end::kind::nic ? m_ranks.of_node : m_ranks.of_router)[e.id];
    }
    /// Its head is in another rank, and its tail is not.
    bool has_gone_on(std::uint32_t id) const { return id < m_gone_on.size() && m_gone_on[id] != 0; }
    /// Nothing is left of a packet here, or of what other ranks know of its message by this one.
    void leave(std::uint32_t id);
    /// The same, of one whose head is here, which `to` takes to the rank where it ends: take_in() gives it a
    /// number there.
    void send_off(std::uint32_t id, std::vector<std::uint64_t>& to) {
        pack_head(m_packets[id], to);
        leave(id);
    }
    const std::uint64_t* take_in(std::uint32_t& id, const std::uint64_t* from);
    /// @}

  private:
    struct incoming {
        clock_domain* here;
        wire onward;
        wire_extras extras;
        bool has_flits;
        std::vector<std::uint32_t> packet;  ///< that is coming, by VC
    };
    /// Wires that one thread's routers write: the numbers that they have in the other rank.
    struct outgoing {
        clock_domain* here;
        std::vector<std::uint32_t> numbers;
    };
    struct neighbour {
        std::uint32_t rank = 0;
        std::unique_ptr<clock_domain> beyond;
        std::vector<incoming> wires;
        std::vector<outgoing> out;
        std::uint32_t wires_out = 0;
    };
    struct partial {
        std::uint32_t message;
        std::uint32_t flits_to_come;
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
    /// That came with a message.
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
    /// Of a message, in all ranks.
    std::uint64_t name_of(const message_record& m) const {
        return std::uint64_t{m_ranks.of_node[m.what.source]} << 32 | m.number;
    }

    world& m_world;
    const partition_map m_ranks;
    shared_pool<packet>& m_packets;
    shared_pool<message_record>& m_messages;
    std::vector<neighbour> m_neighbours;  ///< by rank
    bool m_batched = false;
    std::uint32_t m_shortest = 0xffffffff;
    cycle_t m_window = 1, m_end = 0;
    std::uint32_t m_last_number = 0;
    std::unordered_map<std::uint64_t, partial> m_partial;  ///< messages of which more packets are to come
    std::vector<std::uint8_t> m_gone_on;                   ///< by packet: see has_gone_on()
    std::optional<scattered_packets> m_scattered;
    std::vector<std::uint32_t> m_others;  ///< the neighbours' ranks
    std::vector<words> m_words;           ///< by neighbour
    workload* m_workload = nullptr;
    std::uint32_t m_words_each = 0;  ///< with a message
    words m_words_by_message;        ///< of those that have come
    counts m_counts;
    loss m_first_loss;
};

}  // namespace sare
