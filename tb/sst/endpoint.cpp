// SPDX-License-Identifier: Apache-2.0
#include "tb/sst/endpoint.h"

#include <string>

namespace sare::sst {

endpoint::endpoint(SST::ComponentId_t id, SST::Params& params, int vns)
    : SimpleNetwork(id),
      m_output_bytes(size_of(params, "output_buf_size")),
      m_input_bytes(size_of(params, "input_buf_size")),
      m_buffers(static_cast<std::size_t>(vns)) {
    for (vn_buffers& b : m_buffers) b.room = m_output_bytes;
    if (m_output_bytes == 0) fail(getName(), "output_buf_size is 0; it must be more");
    if (params.find<bool>("use_nid_remap", false)) {
        m_job = params.find<int>("job_id", 0);
        m_number_in_job = params.find<nid_t>("logical_nid", -1);
        if (m_number_in_job < 0) fail(getName(), "use_nid_remap needs logical_nid");
    }
    const auto port = isAnonymous() ? params.find<std::string>("port_name", "rtr_port") : "rtr_port";
    m_link = configureLink(port, new SST::Event::Handler<endpoint, &endpoint::handle>(this));
    if (m_link == nullptr)
        fail(getName(), "port " + port + " is not linked; link it to a port of sare.network");
    m_latency = registerStatistic<std::uint64_t>("packet_latency");
    m_sent_bits = registerStatistic<std::uint64_t>("send_bit_count");
    m_received_bits = registerStatistic<std::uint64_t>("recv_bit_count");
    m_refused = registerStatistic<std::uint64_t>("refused_sends");
}

endpoint::~endpoint() {
    for (vn_buffers& b : m_buffers)
        for (const Request* r : b.arrived) delete r;
    for (const Request* r : m_untimed) delete r;
}

/// Returns a size in bytes, rounded up.
std::int64_t endpoint::size_of(SST::Params& params, const char* name) {
    SST::UnitAlgebra size(params.find<std::string>(name, "1kB"));
    if (!size.hasUnits("B") && !size.hasUnits("b"))
        fail(getName(), std::string(name) + " is " + size.toStringBestSI() + "; give it in B or b");
    return size.hasUnits("B") ? size.getRoundedValue() : (size.getRoundedValue() + 7) / 8;
}

void endpoint::init(unsigned phase) {
    if (phase == 0) {
        auto* hello = new greeting_event;
        hello->vns = static_cast<int>(m_buffers.size());
        hello->input_bytes = m_input_bytes;
        hello->job = m_job;
        hello->number = m_number_in_job;
        m_link->sendUntimedData(hello);
    }
    receive_untimed();
}

void endpoint::complete(unsigned) {
    receive_untimed();
}

void endpoint::receive_untimed() {
    while (SST::Event* e = m_link->recvUntimedData()) {
        if (const auto* welcome = dynamic_cast<greeting_event*>(e)) {
            m_node = welcome->number;
            m_bandwidth = SST::UnitAlgebra(std::to_string(welcome->bits_per_s) + "b/s");
        } else {
            m_untimed.push_back(static_cast<packet_event*>(e)->take_request());
        }
        delete e;
    }
}

void endpoint::sendUntimedData(Request* r) {
    m_link->sendUntimedData(new packet_event(r, 0));
}

endpoint::Request* endpoint::recvUntimedData() {
    if (m_untimed.empty()) return nullptr;
    Request* r = m_untimed.front();
    m_untimed.pop_front();
    return r;
}

bool endpoint::spaceToSend(int vn, int bits) {
    return has_room(m_buffers.at(vn), bytes_of(static_cast<std::size_t>(bits)));
}

bool endpoint::send(Request* r, int vn) {
    if (vn < 0 || vn >= static_cast<int>(m_buffers.size())) return false;
    vn_buffers& b = m_buffers[vn];
    const std::int64_t bytes = bytes_of(*r);
    if (!has_room(b, bytes)) {
        m_refused->addData(1);
        return false;
    }
    b.room -= bytes;
    r->vn = vn;
    m_sent_bits->addData(r->size_in_bits);
    m_link->send(new packet_event(r, getCurrentSimTimeNano()));
    return true;
}

endpoint::Request* endpoint::recv(int vn) {
    vn_buffers& b = m_buffers.at(vn);
    if (b.arrived.empty()) return nullptr;
    Request* r = b.arrived.front();
    b.arrived.pop_front();
    if (m_input_bytes != 0) m_link->send(new room_event(vn, bytes_of(*r)));
    return r;
}

void endpoint::handle(SST::Event* e) {
    if (auto* packet = dynamic_cast<packet_event*>(e)) {
        const int vn = packet->request().vn;
        m_latency->addData(getCurrentSimTimeNano() - packet->sent());
        m_received_bits->addData(packet->request().size_in_bits);
        m_buffers[vn].arrived.push_back(packet->take_request());
        notify(m_on_receive, vn);
    } else {
        const auto* room = static_cast<room_event*>(e);
        m_buffers[room->vn].room += room->bytes;
        notify(m_on_send, room->vn);
    }
    delete e;
}

/// Calls a functor of the NIC, which is dropped if it returns false.
void endpoint::notify(HandlerBase*& f, int vn) {
    if (f != nullptr && !(*f)(vn)) f = nullptr;
}

void endpoint::serialize_order(serializer& ser) {
    SimpleNetwork::serialize_order(ser);
    serialize_all(ser, m_link, m_output_bytes, m_input_bytes, m_job, m_number_in_job, m_node, m_bandwidth,
                  m_buffers, m_untimed, m_on_receive, m_on_send, m_latency, m_sent_bits, m_received_bits,
                  m_refused);
}

}  // namespace sare::sst
