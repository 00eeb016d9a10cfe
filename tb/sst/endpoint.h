// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sst/link_events.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace sare::sst {

/// An endpoint of a Sare network in SST: it takes the place that merlin.linkcontrol has in a NIC. send()
/// returns false, and leaves the request to the caller, if the virtual network has no room or does not exist.
/// recv() and recvUntimedData() return null if no request has arrived.
class endpoint final : public simple_network {
  public:
    SST_ELI_REGISTER_SUBCOMPONENT(endpoint, "sare", "endpoint", SST_ELI_ELEMENT_VERSION(1, 0, 0),
                                  "Endpoint of a Sare network", SST::Interfaces::SimpleNetwork)
    SST_ELI_DOCUMENT_PARAMS(
        {"port_name", "Name of the port. Only used if the endpoint is loaded anonymously.", "rtr_port"},
        {"output_buf_size",
         "Size of the buffer for each virtual network, in B or b, that requests take until they have left "
         "the "
         "source queue. A request that is larger goes when the buffer is empty.",
         "1kB"},
        {"input_buf_size",
         "Size of the buffer for each virtual network, in B or b. While it is full, the node refuses what "
         "arrives, which backs up into the network. The last request may exceed it. 0B: not limited.",
         "1kB"},
        {"job_id", "Number of the job that the endpoint is part of. Only used with use_nid_remap.", "0"},
        {"logical_nid", "Number of the endpoint in its job. Only used with use_nid_remap.", "-1"},
        {"use_nid_remap", "Endpoints are named by their numbers in the job, not by nodes of the network.",
         "false"})
    SST_ELI_DOCUMENT_PORTS({"rtr_port", "Link to a port of sare.network", {"sare.packet_event"}})
    SST_ELI_DOCUMENT_STATISTICS({"packet_latency", "Time from send() until the request is there", "ns", 1},
                                {"send_bit_count", "Bits of the requests that were sent", "bits", 1},
                                {"recv_bit_count", "Bits of the requests that have arrived", "bits", 1},
                                {"refused_sends", "Calls of send() that found no room", "calls", 1})

    endpoint(SST::ComponentId_t id, SST::Params& params, int vns);
    endpoint() = default;  ///< makes an object for a checkpoint to be read into
    ~endpoint() override;

    void init(unsigned phase) override;
    void complete(unsigned phase) override;

    void sendUntimedData(Request* r) override;
    Request* recvUntimedData() override;
    bool send(Request* r, int vn) override;
    Request* recv(int vn) override;
    bool spaceToSend(int vn, int bits) override;
    bool requestToReceive(int vn) override { return !m_buffers.at(vn).arrived.empty(); }
    void setNotifyOnReceive(HandlerBase* f) override { m_on_receive = f; }
    void setNotifyOnSend(HandlerBase* f) override { m_on_send = f; }
    bool isNetworkInitialized() const override { return m_node >= 0; }
    nid_t getEndpointID() const override { return m_job < 0 ? m_node : m_number_in_job; }
    const SST::UnitAlgebra& getLinkBW() const override { return m_bandwidth; }

    void serialize_order(serializer& ser) override;

  private:
    /// The buffers of a virtual network.
    struct vn_buffers {
        std::int64_t room = 0;  ///< number of free bytes of the buffer for requests that are sent
        /// Requests that have arrived and that recv() has not returned, the oldest first.
        std::deque<Request*> arrived;
        void serialize_order(serializer& ser) { serialize_all(ser, room, arrived); }
    };

    std::int64_t size_of(SST::Params& params, const char* name);
    void receive_untimed();
    void handle(SST::Event* e);
    bool has_room(const vn_buffers& b, std::int64_t bytes) const {
        return bytes <= b.room || b.room == m_output_bytes;
    }
    static void notify(HandlerBase*& f, int vn);

    SST::Link* m_link = nullptr;
    std::int64_t m_output_bytes = 0, m_input_bytes = 0;
    /// Number of the job if endpoints are named by their numbers in this job; -1: they are named by nodes of
    /// the network.
    int m_job = -1;
    nid_t m_number_in_job = -1, m_node = -1;
    SST::UnitAlgebra m_bandwidth;
    std::vector<vn_buffers> m_buffers;  ///< buffers of each virtual network
    /// Untimed requests that have arrived and that nobody has fetched, owned.
    std::deque<Request*> m_untimed;
    HandlerBase *m_on_receive = nullptr, *m_on_send = nullptr;
    statistic *m_latency = nullptr, *m_sent_bits = nullptr, *m_received_bits = nullptr, *m_refused = nullptr;

    ImplementSerializable(sare::sst::endpoint)
};

}  // namespace sare::sst
