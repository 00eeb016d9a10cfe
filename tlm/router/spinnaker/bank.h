// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/spinnaker/block.h"
#include "tlm/router_api/base/wired_bank.h"
#include "tlm/routing/multicast/multicast_routing.h"

namespace sare {

/// Bank of kind `spinnaker`: routers with the same parameters and number of ports. step.cpp has the code of a
/// cycle.
class spinnaker_bank final : public wired_bank {
  public:
    /// `ways`: routing function of the network, which must outlive the bank and have groups().
    spinnaker_bank(router_context& net, const spinnaker_params& p, const multicast_routing& ways,
                   std::vector<std::uint32_t> routers, std::uint32_t ports, const router_terms& terms)
        : wired_bank(net, std::move(routers), ports, terms),
          m_params(p),
          m_ways(ways),
          m_table(*ways.groups()) {}

    std::string variant() const override { return "spinnaker"; }
    void construct(plane_layout at) override;
    void step(std::uint64_t* awake, cycle_t t) override;
    /// True if packets have one flit, so that a failure never cuts one in two.
    bool survives_failures() const override { return m_params.packet == 1; }
    void fail_port(std::uint32_t k, std::uint32_t port, cycle_t t) override;
    void list_packets(std::uint32_t k, const function<void(std::uint32_t packet)>& found) const override;
    void take_out(std::uint32_t k, const function<bool(std::uint32_t packet)>& which, cycle_t t,
                  const function<void(std::uint32_t port, std::uint32_t vc)>& freed) override;
    void give_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::int32_t credits,
                      cycle_t t) override;
    resets can_reset() const override { return resets::of_network; }
    void clear(std::uint32_t k, cycle_t t) override;
    void serialize(archive& a) override;

    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    std::uint32_t flits_sent(std::uint32_t k) const override;
    void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const override;
    flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const override;
    bool bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override;
    bool asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                  std::uint32_t out_vc) const override;
    router_pace pace() const override;
    std::uint32_t waiting(std::uint32_t k, std::uint32_t port) const override;
    void list_arbiters(std::uint32_t k, std::vector<router_arbiter>& all) const override;
    std::uint64_t bytes() const override;

  private:
    using block = spinnaker_block;
    void set_credits(std::uint32_t k, std::uint32_t o, std::uint16_t credits) override {
        m_outputs[port_of(k, o)].credits = credits;
    }

    // ---- a cycle: step.cpp
    void run(block& b, cycle_t t);
    void read_inbox(block& b, cycle_t t);
    void give_credits(block& b, cycle_t t);
    void send_on(block& b, cycle_t t);
    void take(block& b, cycle_t t);
    void find_outputs(block& b, packet& p);
    void try_outputs(block& b, cycle_t t);
    void try_detours(block& b, cycle_t t);
    bool is_free(block& b, std::uint32_t port, cycle_t t);
    void send_copy(block& b, std::uint32_t wanted, std::uint32_t port, emergency_leg leg, cycle_t t);
    void drop_rest(block& b);
    void end_packet(block& b, cycle_t t);
    std::uint32_t next_copy(block& b, std::uint32_t wanted, const route_header& way);
    void put_word(block& b, std::uint32_t port, std::uint64_t word, cycle_t t);
    void put_flit(block& b, std::uint32_t port, cycle_t t);

    std::uint32_t places() const { return m_params.buffer + 1; }
    void construct_one(std::uint32_t k);
    const block& at(std::uint32_t k) const { return m_blocks[k]; }
    /// Returns the slot of the first packet in the buffer of input port `port`, which must have one.
    std::uint32_t first_of(const block& b, std::uint32_t port) const {
        return b.slots[port * places() + b.inputs[port].first];
    }
    /// True if the engine works on a packet that came by input port `port`.
    bool is_worked_on(const block& b, std::uint32_t port) const {
        return b.packet != block::no_packet && b.input == port;
    }

    spinnaker_params m_params;
    const multicast_routing& m_ways;
    const multicast_table& m_table;
    std::vector<block> m_blocks;
    // Parts of the blocks of all routers: the elements of router k begin at k * ports, in m_slots at k *
    // ports * places().
    std::vector<spinnaker_input> m_inputs;
    std::vector<spinnaker_output> m_outputs;
    std::vector<std::uint32_t> m_slots;
    /// Number of the node at each port of all routers, by port_of(); without meaning for a port that leads to
    /// a router.
    std::vector<std::uint32_t> m_nodes;
};

}  // namespace sare
