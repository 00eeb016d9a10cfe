// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/layout/cycle.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/router_context.h"

#include <optional>

namespace sare {

/// Bank of VC routers of one shape, in one layout. S is log2 of the VC numbers that a port takes (vc_traits),
/// or 0 for wide routers; N is the most VC numbers of a router; InList is true for listed routers (vc_block).
/// layout_choice::make() makes it. finish() chooses a compiled step with the features (vc_features) that the
/// routers need.
template <int S, int N, bool InList>
class vc_bank final : public router_bank, public router_acceleration {
    using block = vc_block<S, N, InList>;
    using surroundings = vc_surroundings<S, N, InList>;

  public:
    static constexpr bool wide = S == 0;  ///< true in banks of wide routers

    /// `shape`: as layout_choice::make() completes it. `routers`: numbers, in the network, of the bank's
    /// routers, all of one clock domain. `net` must outlive the bank.
    vc_bank(router_context& net, const vc_shape& shape, const router_terms& terms,
            std::vector<std::uint32_t> routers)
        : router_bank(std::move(routers), shape.ports, terms),
          m_net(net),
          m_around{shape, net.domain_of(router(0)).ring(), net.packets(),
                   net,   net.event_counters.get(),        net.routing()} {
        accelerate_by(*this);
    }

    /// Returns the name of the kind and of the layout, for reports.
    std::string variant() const override {
        if (wide) return "vc, wide";
        return InList ? "vc, listed" : is_dense() ? "vc, scanned, dense" : "vc, scanned";
    }

    inbox_words inbox() const override {
        const std::uint32_t ports = m_around.shape.ports;
        if (wide) return {0, block::inbox_sets + ports + (shape().batched ? (shape().in_vcs + 3) / 4 : 0)};
        if (InList) return {block::inbox_sets + ports, 0};
        return {block::inbox_sets, ports};
    }
    std::uint32_t reach() const override { return shape().most_reach(); }
    std::uint32_t most_queueing(std::uint32_t depth, std::uint32_t cycles_per_flit) const override {
        if (!shape().queued_links) return 0;
        return shape().vcs * depth * cycles_per_flit + 2 * shape().params.st_delay;
    }
    bool looks_through_inboxes() const override { return !wide && !InList; }
    std::uint32_t write_ahead() const override { return m_around.shape.foresees ? bypass_cycles : 0; }

    void construct(plane_layout at) override;
    std::pair<wire, wire_extras> flits_into(std::uint32_t k, std::uint32_t port) const override;
    std::pair<wire, wire_extras> credits_into(std::uint32_t k, std::uint32_t port) const override;
    void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) override;
    void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                    const link_end& from) override;
    void finish() override;

    void step(std::uint64_t* awake, cycle_t t) override;
    cycle_t run_alone(cycle_t t, cycle_t before, std::uint32_t endpoint_words) override;
    void set_seed(std::uint64_t seed) override;
    resets can_reset() const override {
        return wide && !shares() && !shape().forks ? resets::of_blocks : resets::of_network;
    }
    void clear(std::uint32_t k, cycle_t t) override;
    void list_packets(std::uint32_t k, const function<void(std::uint32_t)>& found) const override;
    void take_out(std::uint32_t k, const function<bool(std::uint32_t)>& which, cycle_t t,
                  const function<void(std::uint32_t, std::uint32_t)>& freed) override;
    void give_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::int32_t credits,
                      cycle_t t) override;
    bool survives_failures() const override { return wide && !shares() && !shape().forks; }
    void route_again(std::uint32_t k, cycle_t t) override;
    void forget_times(cycle_t now) override;
    void serialize(archive& a) override;

    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    std::uint32_t flits_sent(std::uint32_t k) const override { return at(k).flits_sent(seen(k)); }
    std::uint32_t flits_sent(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return at(k).sent_by(seen(k), number(port, vc)) - queued(k, port, vc);
    }
    void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const override;
    flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const override;
    void list_arbiters(std::uint32_t k, std::vector<router_arbiter>& all) const override;
    bool bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return is_member(at(k).va, number(port, vc));
    }
    router_pace pace() const override {
        const std::uint32_t sa = std::max(1u, shape().sa);
        return {shape().rc, shape().va, sa, shape().pipelined ? 1 : sa, shape().whole};
    }
    bool asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                  std::uint32_t out_vc) const override {
        return is_member(at(k).in(number(port, vc)).want, number(out_port, out_vc));
    }
    bool has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                     std::uint32_t out_vc, std::uint32_t credits) const override;
    std::uint32_t credits_coming(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return at(k).credits_coming(number(port, vc), now());
    }
    std::uint32_t waiting(std::uint32_t k, std::uint32_t port) const override;
    cycle_t paused_before(std::uint32_t k, std::uint32_t port, cycle_t t) const override {
        return m_around.gates.empty() ? 0 : m_around.gates[std::size_t{k} * ports() + port].paused_before(t);
    }
    std::uint64_t bytes() const override {
        return size() * (m_around.blocks.distance +
                         std::uint64_t{m_around.shape.in_vcs} * m_around.shape.depth * sizeof(flit));
    }

  private:
    bool pause_output(std::uint32_t k, std::uint32_t port, const pause_rule& rule) override;
    const vc_shape& shape() const { return m_around.shape; }
    /// Returns the VC number, within a block, of VC `vc` of a port; port_of() and vc_of() return the port and
    /// the VC of VC number i.
    std::uint32_t number(std::uint32_t port, std::uint32_t vc) const {
        return wide ? port * shape().vcs + vc : port << S | vc;
    }
    std::uint32_t port_of(std::uint32_t i) const { return wide ? i / shape().vcs : i >> S; }
    std::uint32_t vc_of(std::uint32_t i) const { return i - number(port_of(i), 0); }
    /// Returns port * VCs + VC, the number used outside of the blocks, for VC number i of the block.
    std::uint16_t plain_number(std::uint32_t i) const {
        return static_cast<std::uint16_t>(port_of(i) * shape().vcs + vc_of(i));
    }
    /// Returns the block of router k of the bank.
    const block& at(std::uint32_t k) const { return m_around.block_of(k); }
    /// Returns the current cycle of the routers' clock; now() returns it modulo 2^32.
    cycle_t present() const { return m_net.domain_of(router(0)).clock().last_edge(m_net.now()); }
    std::uint32_t now() const { return static_cast<std::uint32_t>(present()); }
    /// Returns the sets of router k as of the end of the current cycle: flits that router_bypass has sent
    /// ahead and that leave by then have left.
    typename block::sets seen(std::uint32_t k) const { return at(k).as_of(now()); }
    /// True if the VCs of an input port of these routers, or of an input port that they send to, share its
    /// buffer or pause.
    bool shares() const { return shape().params.pool() != 0 || shape().pools || terms().pauses.pauses(); }
    /// True for scanned routers whose heads carry their routes, without a keyed route table.
    bool is_dense() const { return !wide && !InList && !shape().keyed; }
    /// Fills vc_surroundings::answers from the route table, and makes room for candidates of wide routers'
    /// heads.
    void fill_answers();
    /// Fills, for the VCs of `port`, the masks `of_vc` (vc_wire_bits) of the bits that wire w sets.
    static void fill_bits(std::uint64_t* of_vc, std::uint32_t port, const wire& w);
    /// Puts block b into its initial state; begin_features() does so for its vc_feature_state.
    void begin(block& b) const;
    void begin_features(block& b) const;
    /// Returns a wire to the beginning of the inbox of router k, without the bits that depend on the port.
    wire to_here(std::uint32_t k) const;
    /// Number of flits of an output VC that have passed the crossbar and wait in the output queue.
    std::uint32_t queued(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const;
    /// Lists the awake routers in m_list, and clears their bits in `awake`. Returns how many there are.
    std::size_t list_awake(std::uint64_t* awake);
    /// Returns the number, in the bank, of the only router that is awake; size() if none or several are.
    std::uint32_t lone_awake(const std::uint64_t* awake) const;
    /// True if `plane` wakes an endpoint that is no router of this bank.
    bool wakes_others(const std::uint64_t* plane, std::uint32_t endpoint_words) const;
    /// True if a wire of a port is irregular (see odd_port).
    bool is_odd(const odd_port& p) const;
    /// Opens the credit accounts of an input port if its sender is a listed router of the same domain and
    /// near enough.
    void open_account(std::uint32_t k, std::uint32_t port, std::uint32_t delay, const link_end& from);

    router_context& m_net;
    /// Data that all steps of the bank use: shape, blocks, buffers, answers of the route table.
    surroundings m_around;
    /// Step of scanned or wide routers, chosen by finish(); null for listed ones.
    void (*m_step)(surroundings& around, std::uint64_t* awake, std::uint32_t words, cycle_t t) = nullptr;
    plane_layout m_place;  ///< places of the routers' inboxes in a plane (link_ring.h)
    /// Memory of the blocks, and of the flits in the buffers behind the front.
    pages m_block_memory, m_buffer_memory;
    std::vector<std::uint32_t> m_words;  ///< memory of all arbiters: vc_shape::words for each router
    /// Current cycle of listed routers, from finish() on; empty in other layouts.
    std::optional<vc_cycle<S, N, false>> m_cycle;
    /// Listed routers only: numbers, in the bank, of the routers that are awake; behind them
    /// prefetch_distance more entries, whose routers may be fetched but do not run.
    std::vector<std::uint32_t> m_list;
    /// Wires of every port, at [k * ports + port] for router k; empty from finish() on.
    std::vector<odd_port> m_wiring;
};

/// All instances of vc_bank. WHAT is `extern` to declare them, nothing to define them.
// NOLINTBEGIN(bugprone-macro-parentheses): a keyword takes none
#define SARE_VC_BANKS(WHAT)                      \
    WHAT template class vc_bank<0, 64, false>;   \
    WHAT template class vc_bank<0, 128, false>;  \
    WHAT template class vc_bank<0, 256, false>;  \
    WHAT template class vc_bank<0, 512, false>;  \
    WHAT template class vc_bank<0, 1024, false>; \
    WHAT template class vc_bank<0, 4096, false>; \
    WHAT template class vc_bank<2, 32, false>;   \
    WHAT template class vc_bank<2, 64, false>;   \
    WHAT template class vc_bank<3, 64, false>;   \
    WHAT template class vc_bank<2, 32, true>;    \
    WHAT template class vc_bank<2, 64, true>;    \
    WHAT template class vc_bank<3, 64, true>
// NOLINTEND(bugprone-macro-parentheses)
SARE_VC_BANKS(extern);

}  // namespace sare
