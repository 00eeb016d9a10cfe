// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/stepped.h"

#include "controller_port.h"
#include "vnet_statistics.h"

#include "mem/ruby/network/Network.hh"
#include "params/SareNetwork.hh"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

namespace sare::ruby {

using gem5::SareNetworkParams;

/// A network of Ruby, gem5's memory system, on a stepped network. Its virtual networks are Sare's message
/// classes, and its controllers sit at Sare's nodes; gem5's own links and routers are not simulated.
class ruby_network final : public gem5::ruby::Network {
  public:
    PARAMS(SareNetwork);
    explicit ruby_network(const Params& p);

    /// @name For gem5
    /// @{
    void init() override;
    void regStats() override;
    void collateStats() override;
    void print(std::ostream& out) const override;
    bool functionalRead(gem5::Packet* p) override;
    bool functionalRead(gem5::Packet* p, gem5::ruby::WriteMask& mask) override;
    std::uint32_t functionalWrite(gem5::Packet* p) override;
    void makeExtOutLink(gem5::ruby::SwitchID, gem5::ruby::NodeID, gem5::ruby::BasicLink*,
                        std::vector<gem5::ruby::NetDest>&) override {}
    void makeExtInLink(gem5::ruby::NodeID, gem5::ruby::SwitchID, gem5::ruby::BasicLink*,
                       std::vector<gem5::ruby::NetDest>&) override {}
    void makeInternalLink(gem5::ruby::SwitchID, gem5::ruby::SwitchID, gem5::ruby::BasicLink*,
                          std::vector<gem5::ruby::NetDest>&, gem5::ruby::PortDirection,
                          gem5::ruby::PortDirection) override {}
    /// @}

    /// @name For the ports of controllers
    /// @{
    cycle_t now() const { return m_net->now(); }    ///< first cycle that has not been run
    gem5::Tick period() const { return m_period; }  ///< ticks of a cycle
    void catch_up();                                ///< runs the cycles that have begun before this tick
    bool has_room(std::uint32_t node, std::uint32_t vnet);  ///< true if its source queue is not full
    /// Sends a message to controller `to` in cycle now(), which it returns.
    cycle_t launch(const controller_port& from, std::uint32_t vnet, const gem5::ruby::MsgPtr& what,
                   gem5::ruby::NodeID to);
    /// Takes a message that has arrived out of the network.
    gem5::ruby::MsgPtr land(std::uint64_t tag);
    void set_accepting(std::uint32_t node, std::uint32_t vnet, bool accepts);
    std::uint64_t held_back(std::uint32_t node, std::uint32_t vnet) const {
        return m_net->held_back(node, vnet);
    }
    /// Calls `port.send_again()` once, after the next cycle that is run.
    void call_after_step(controller_port& port) { m_again.push_back(&port); }
    /// @}

  private:
    /// Message under way.
    struct flight {
        gem5::ruby::MsgPtr what;  ///< null: no message has this tag
        std::uint32_t source = 0, destination = 0, vnet = 0, flits = 0;
        std::uint64_t number = 0;            ///< place in its flow, in an ordered virtual network
        cycle_t injected = 0, consumed = 0;  ///< set when it has arrived
    };
    /// Messages from one controller to another in an ordered virtual network.
    struct flow {
        std::uint64_t sent = 0, landed = 0;
        std::map<std::uint64_t, std::uint64_t> early;  ///< tags by number: arrived before their predecessors
    };

    void make_network();
    std::vector<std::uint32_t> nodes_of_controllers() const;
    std::vector<std::uint32_t> nodes_by_router() const;
    void advance(cycle_t end);
    void step();
    void step_at(cycle_t c);
    void arrive(const delivery& d);
    flow& flow_of(const flight& f);
    /// Calls `f`; ends the simulation with the text of an exception.
    template <class F>
    void guarded(F f);

    std::unique_ptr<stepped_network> m_net;
    gem5::Tick m_period = 0;
    std::vector<std::unique_ptr<controller_port>> m_ports;  ///< by number of the controller
    std::vector<controller_port*> m_again;                  ///< ports to call after a step
    std::vector<flight> m_flights;                          ///< by tag
    std::vector<std::uint64_t> m_free_tags;
    std::unordered_map<std::uint64_t, flow> m_flows;
    vnet_statistics m_statistics;
    gem5::EventFunctionWrapper m_step;
};

}  // namespace sare::ruby
