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

/// A network of Ruby, gem5's memory system, that is simulated by Sare (stepped_network). Ruby's virtual
/// networks are Sare's message classes, and its controllers are at Sare's nodes; gem5's own links and routers
/// are not simulated.
class ruby_network final : public gem5::ruby::Network {
  public:
    PARAMS(SareNetwork);
    explicit ruby_network(const Params& p);

    /// @name Functions that gem5 calls
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

    /// @name Functions for the ports of controllers
    cycle_t now() const { return m_net->now(); }    ///< first cycle that has not been run, from 0
    gem5::Tick period() const { return m_period; }  ///< ticks of a cycle
    void catch_up();                                ///< runs all cycles that begin before the present tick
    /// Returns true if the source queue of node `node` for virtual network `vnet` has fewer messages than the
    /// parameter source_queue allows.
    bool has_room(std::uint32_t node, std::uint32_t vnet);
    /// Sends message `what` of virtual network `vnet` from the controller of `from` to controller `to` in
    /// cycle now(); returns that cycle.
    cycle_t launch(const controller_port& from, std::uint32_t vnet, const gem5::ruby::MsgPtr& what,
                   gem5::ruby::NodeID to);
    /// Removes a message that has arrived from the network and returns it; counts it in the statistics.
    /// `tag`: its number, which deliver() got; call once for each.
    gem5::ruby::MsgPtr land(std::uint64_t tag);
    /// Sets whether node `node` accepts messages of virtual network `vnet`; messages that it refuses wait in
    /// the network.
    void set_accepting(std::uint32_t node, std::uint32_t vnet, bool accepts);
    /// Returns the number of flits that wait in the network because node `node` refuses virtual network
    /// `vnet`.
    std::uint64_t held_back(std::uint32_t node, std::uint32_t vnet) const {
        return m_net->held_back(node, vnet);
    }
    /// Calls `port.send_again()` once, after the next cycle that is run; `port` must still exist then.
    void call_after_step(controller_port& port) { m_again.push_back(&port); }
    /// @}

  private:
    /// A message under way.
    struct flight {
        gem5::ruby::MsgPtr what;  ///< the message; null: no message has this tag
        /// Number of the sending and of the receiving controller; virtual network; number of flits.
        std::uint32_t source = 0, destination = 0, vnet = 0, flits = 0;
        std::uint64_t number = 0;  ///< number of the message in its flow, if the virtual network is ordered
        cycle_t injected = 0, consumed = 0;  ///< cycles of injection and of consumption; set when it has
                                             ///< arrived
    };
    /// The messages from one controller to another in an ordered virtual network: numbers of messages sent,
    /// and handed over.
    struct flow {
        std::uint64_t sent = 0, landed = 0;
        std::map<std::uint64_t, std::uint64_t> early;  ///< tags of messages that have arrived before an
                                                       ///< earlier one, by their numbers
    };

    void make_network();
    std::vector<std::uint32_t> nodes_of_controllers() const;
    std::vector<std::uint32_t> nodes_by_router() const;
    void advance(cycle_t end);
    void step();
    void step_at(cycle_t c);
    void arrive(const delivery& d);
    flow& flow_of(const flight& f);
    /// Calls f(); an exception of it ends the simulation with its text.
    template <class F>
    void guarded(F f);

    std::unique_ptr<stepped_network> m_net;
    gem5::Tick m_period = 0;                                ///< ticks of a cycle
    std::vector<std::unique_ptr<controller_port>> m_ports;  ///< port of each controller, by its number
    std::vector<controller_port*> m_again;                  ///< ports whose send_again() is to be called
    std::vector<flight> m_flights;                          ///< message under way of each tag
    std::vector<std::uint64_t> m_free_tags;                 ///< tags that no message under way has
    std::unordered_map<std::uint64_t, flow> m_flows;        ///< flows of ordered virtual networks
    vnet_statistics m_statistics;
    gem5::EventFunctionWrapper m_step;
};

}  // namespace sare::ruby
