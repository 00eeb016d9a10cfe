// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sst/link_events.h"
#include "tlm/stepped.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sare::sst {

/// A network of Sare as one component of SST, with a port for each node. Each cycle is run at the time at
/// which it begins. A request of an endpoint enters in the first cycle that begins after its arrival at this
/// component. So results do not depend on the order of events of one time.
class network_component final : public SST::Component {
  public:
    SST_ELI_REGISTER_COMPONENT(network_component, "sare", "network", SST_ELI_ELEMENT_VERSION(1, 0, 0),
                               "Interconnection network of Sare, built from an experiment",
                               COMPONENT_CATEGORY_NETWORK)
    SST_ELI_DOCUMENT_PARAMS(
        {"experiment", "File with the experiment of Sare that describes the network, in YAML."},
        {"set", "Parameters of the experiment to change, as \"network.dims=[8, 8]; router.vcs=4\".", ""},
        {"ordered",
         "Requests of one source, destination and virtual network are delivered in the order in which they "
         "were sent: one that comes early waits at its node, outside of its buffers.",
         "true"},
        {"vns", "Number of virtual networks. Each is a class of messages, with VCs of its own.", "1"})
    SST_ELI_DOCUMENT_PORTS({"node%(nodes)d", "Link to the endpoint of a node", {"sare.packet_event"}})
    SST_ELI_DOCUMENT_STATISTICS({"messages", "Messages that were delivered", "messages", 1},
                                {"flits", "Flits of these messages", "flits", 1},
                                {"early", "Messages that had to wait for an earlier one", "messages", 1},
                                {"refusals", "Times at which a node began to refuse a virtual network",
                                 "times", 1})
    SST_ELI_IS_CHECKPOINTABLE()

    network_component(SST::ComponentId_t id, SST::Params& params);
    network_component() = default;  ///< makes an object for a checkpoint to be read into
    ~network_component() override;

    void init(unsigned phase) override;
    void complete(unsigned phase) override;
    void setup() override;
    void finish() override;
    void serialize_order(serializer& ser) override;

  private:
    /// State of an endpoint's input buffer for a virtual network.
    struct ejection {
        std::int64_t room = 0;  ///< number of free bytes; 0 or less: the node refuses requests
        /// True: the node refuses the virtual network at present.
        bool refuses = false;
        void serialize_order(serializer& ser) { serialize_all(ser, room, refuses); }
    };

    /// The requests of one source, destination and virtual network: number of requests sent, and of requests
    /// delivered.
    struct stream {
        std::uint64_t sent = 0, delivered = 0;
        std::map<std::uint64_t, packet_event*>
            early;  ///< requests that have arrived before an earlier one, by their numbers
        void serialize_order(serializer& ser) { serialize_all(ser, sent, delivered, early); }
    };

    [[noreturn]] void fail(const std::string& what) const { sst::fail(getName(), what); }
    void build();
    void receive_untimed();
    void meet(std::uint32_t node, const greeting_event& hello);
    void pass_untimed(std::uint32_t node, packet_event* packet);
    void handle(SST::Event* e, int node);
    void wake(SST::Event* e);
    void run();
    void sleep();
    bool stands_still();
    void send(std::uint32_t node, packet_event* packet);
    void arrive(const message& m);
    void deliver(const message& m, packet_event* packet);
    void refuse(std::uint32_t node, std::uint32_t vn, bool refuses);
    std::uint32_t node_of(std::uint32_t source, std::int64_t number) const;
    stream& stream_of(const message& m) {
        return m_streams[(std::uint64_t{m.source} * m_links.size() + m.destination) * m_vns +
                         m.message_class];
    }
    ejection& ejection_of(std::uint32_t node, std::uint32_t vn) {
        return m_ejections[std::size_t{node} * m_vns + vn];
    }

    std::string m_file, m_text;  ///< name and contents of the file of the experiment
    std::string m_changes;       ///< value of the parameter `set`
    std::uint32_t m_vns = 1;
    std::unique_ptr<stepped_network> m_net;
    /// Period of the network's clock, in units of SST's time base.
    std::uint64_t m_period = 0;
    std::uint64_t m_bits_per_s = 0;      ///< bandwidth of a node's link, in bits per second
    SST::SimTime_t m_wake_at = no_time;  ///< time of the earliest call of wake() that is on its way; no_time:
                                         ///< none is
    cycle_t m_patience = 0;   ///< number of cycles without a move of any flit after which the network counts
                              ///< as standing still
    cycle_t m_looked_at = 0;  ///< cycle in which m_moves was read
    std::uint64_t m_moves = 0;        ///< number of moves of flits so far
    SST::Link* m_clock = nullptr;     ///< link of this component to itself, for wake()
    std::vector<SST::Link*> m_links;  ///< link to the endpoint of each node; null: the node has none
    /// Number of the job if the node's endpoint names endpoints by their numbers in this job; -1: by nodes;
    /// by node.
    std::vector<int> m_jobs;
    std::vector<ejection> m_ejections;  ///< [node * virtual networks + virtual network]
    bool m_is_limited = false;          ///< true: at least one endpoint has an input buffer of limited size
    /// Node by number of the job and number in the job.
    std::map<std::pair<int, std::int64_t>, std::uint32_t> m_nodes_of_jobs;
    /// Request of each message under way, by its tag.
    std::unordered_map<std::uint64_t, packet_event*> m_flights;
    std::uint64_t m_next_tag = 0;  ///< tag of the next message
    bool m_is_ordered = true;      ///< true: requests of one stream are delivered in the order of sending
    std::map<std::uint64_t, stream> m_streams;  ///< streams by source, destination and virtual network
                                                ///< (stream_of()); empty if requests need not stay in order
    statistic *m_messages = nullptr, *m_flits = nullptr, *m_early = nullptr, *m_refusals = nullptr;

    static constexpr SST::SimTime_t no_time = ~SST::SimTime_t{0};

    ImplementSerializable(sare::sst::network_component)
};

}  // namespace sare::sst
