// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/insee/step.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/router_context.h"

#include <memory>

namespace sare {

/// Bank of phit-level routers (kinds `dally`, `bubble`, `multistage`) with up to 64 * W inputs each
/// (phit_shape). phit_step has the code of a cycle.
template <int W>
class phit_bank final : public router_bank, public summing_bank {
    using block = phit_block<W>;

  public:
    /// `congestion`: shared by all banks of the network; null: nothing limits injection.
    phit_bank(router_context& net, const phit_shape& shape, const router_terms& terms,
              std::vector<std::uint32_t> routers, std::shared_ptr<global_congestion> congestion)
        : router_bank(std::move(routers), shape.ports, terms),
          m_net(net),
          m_shape(shape),
          m_congestion(std::move(congestion)),
          m_around{m_shape, net, net.domain_of(router(0)).ring(), net.packets(),
                   m_congestion == nullptr ? nullptr : &m_congestion->add_counter()} {}

    std::string variant() const override { return "phits"; }
    shared_sum* sum() const override { return m_congestion.get(); }
    inbox_words inbox() const override {
        return {0, plain_inbox::words(m_shape.ports, block::credit_sets, block::port_words)};
    }
    std::uint32_t reach() const override { return 1; }
    std::uint32_t period() const override { return m_congestion == nullptr ? 1 : m_congestion->interval(); }

    void construct(plane_layout at) override;
    std::pair<wire, wire_extras> flits_into(std::uint32_t k, std::uint32_t port) const override;
    std::pair<wire, wire_extras> credits_into(std::uint32_t k, std::uint32_t port) const override;
    void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) override;
    void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                    const link_end& from) override;

    void step(std::uint64_t* awake, cycle_t t) override {
        const phit_cycle now{t, m_around.ring.at(t + m_usual_flit_delay),
                             m_around.ring.at(t + m_usual_credit_delay)};
        for (std::uint32_t w = 0; w < words(); ++w) {
            std::uint64_t bits = awake[w];
            awake[w] = 0;
            for (; bits != 0; bits &= bits - 1)
                phit_step<W>(m_around, m_blocks[std::size_t{w} * 64 + lowest(bits)], now).run();
        }
    }
    void set_seed(std::uint64_t seed) override;
    resets can_reset() const override { return resets::of_network; }
    void clear(std::uint32_t k, cycle_t t) override;
    void serialize(archive& a) override;

    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    std::uint32_t flits_sent(std::uint32_t k) const override;
    void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const override {
        for (std::uint32_t i = 0; i < m_shape.transit; ++i) count_one(queue(k, i).phits, bins);
    }
    flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const override;
    bool bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return m_blocks[k].asking.test(port * m_shape.vcs + vc);
    }
    bool asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                  std::uint32_t out_vc) const override;
    bool has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                     std::uint32_t out_vc, std::uint32_t credits) const override;
    std::uint32_t waiting(std::uint32_t k, std::uint32_t port) const override;
    void list_arbiters(std::uint32_t k, std::vector<router_arbiter>& all) const override;
    std::uint64_t bytes() const override;

  private:
    /// Puts the block of router k into its initial state.
    void construct_one(std::uint32_t k);
    /// Returns the candidate, of the packet at the front of input i of router k, that has output VC (port,
    /// vc); null if there is none.
    const route_candidate* way_to(std::uint32_t k, std::uint32_t i, std::uint32_t port,
                                  std::uint32_t vc) const;
    /// Returns the queue of input i of router k.
    const phit_queue& queue(std::uint32_t k, std::uint32_t i) const {
        return m_queues[std::size_t{k} * m_shape.inputs + i];
    }

    router_context& m_net;
    phit_shape m_shape;
    const std::shared_ptr<global_congestion> m_congestion;
    const phit_surroundings m_around;
    plane_layout m_place;
    pages m_block_memory;
    block* m_blocks = nullptr;
    // Parts of the blocks of all routers: the elements of router k begin at k times their number in one
    // router.
    std::vector<phit_queue> m_queues;
    std::vector<phit_output> m_outputs;
    std::vector<phit_port> m_ports;
    std::vector<std::uint32_t> m_slots;
    std::vector<route_candidate> m_ways;
    std::vector<phit_link> m_links;
    std::vector<std::uint32_t> m_remembered;
    /// Cycles from writing to reading on usual wires (phit_link), for flits and for credits; 0: no such wire
    /// yet.
    std::uint32_t m_usual_flit_delay = 0, m_usual_credit_delay = 0;
};

extern template class phit_bank<1>;
extern template class phit_bank<4>;
extern template class phit_bank<17>;
extern template class phit_bank<64>;

}  // namespace sare
