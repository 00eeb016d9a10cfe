// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/apenet/block.h"
#include "tlm/router_api/base/wired_bank.h"

namespace sare {

/// Bank of kind `apenet`: routers of APEnet nodes with the same parameters and number of ports. apenet_step
/// has the code of a cycle.
class apenet_bank final : public wired_bank {
  public:
    apenet_bank(router_context& net, const apenet_shape& shape, const router_terms& terms,
                std::vector<std::uint32_t> routers);

    std::string variant() const override { return "apenet"; }
    std::uint32_t reach() const override;
    void construct(plane_layout at) override;
    void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) override;
    void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                    const link_end& from) override;

    void step(std::uint64_t* awake, cycle_t t) override;
    void set_seed(std::uint64_t seed) override;
    resets can_reset() const override { return resets::of_network; }
    void clear(std::uint32_t k, cycle_t t) override;
    void serialize(archive& a) override;

    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    std::uint32_t flits_sent(std::uint32_t k) const override;
    std::uint32_t flits_sent(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return output(k, port * m_shape.vcs + vc).sent;
    }
    void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const override {
        for (std::uint32_t i = 0; i < m_shape.all; ++i) count_one(input(k, i).words, bins);
    }
    flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const override;
    bool bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return input(k, port * m_shape.vcs + vc).asks;
    }
    router_pace pace() const override {
        return {0, 0, 1, 1, m_shape.params.switching == apenet_switching::store_and_forward};
    }
    bool asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                  std::uint32_t out_vc) const override;
    bool has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                     std::uint32_t out_vc, std::uint32_t credits) const override;
    std::uint32_t credits_coming(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    void list_arbiters(std::uint32_t k, std::vector<router_arbiter>& all) const override;
    std::uint64_t bytes() const override;

  private:
    void set_credits(std::uint32_t k, std::uint32_t o, std::uint16_t credits) override {
        m_blocks[k].outputs[o].credits = credits;
    }
    /// Puts the parts of router k into their initial state.
    void construct_one(std::uint32_t k);
    /// Returns the wire `w` of a port with the delay of synchronisation at both ends added if the port leads
    /// to a router. Throws config::error for a delay of more than 65,535 cycles.
    wire synchronised(std::uint32_t k, std::uint32_t port, wire w) const;
    /// True if the link at `port` of router k leads to a router.
    bool leads_to_router(std::uint32_t k, std::uint32_t port) const;
    /// Returns input VC i of router k; output() returns output VC o.
    const apenet_input& input(std::uint32_t k, std::uint32_t i) const {
        return m_inputs[std::size_t{k} * m_shape.all + i];
    }
    const apenet_output& output(std::uint32_t k, std::uint32_t o) const {
        return m_outputs[std::size_t{k} * m_shape.all + o];
    }

    apenet_shape m_shape;
    std::vector<apenet_block> m_blocks;
    // Parts of the blocks of all routers: the elements of router k begin at k times their number in one
    // router.
    std::vector<apenet_input> m_inputs;
    std::vector<apenet_output> m_outputs;
    std::vector<apenet_port> m_ports;
    std::vector<apenet_slot> m_slots;
    std::vector<apenet_run> m_runs;
    std::vector<std::uint16_t> m_queues;
    std::vector<route_candidate> m_ways;
};

}  // namespace sare
