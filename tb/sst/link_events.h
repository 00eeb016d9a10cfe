// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sst/core/component.h>
#include <sst/core/interfaces/simpleNetwork.h>
#include <sst/core/link.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

/// Events on the links between endpoints and their network.
namespace sare::sst {

using SST::Core::Serialization::serializer;
using simple_network = SST::Interfaces::SimpleNetwork;
using statistic = SST::Statistics::Statistic<std::uint64_t>;

/// Writes members to a checkpoint of SST, or reads them.
template <class... Members>
void serialize_all(serializer& ser, Members&... members) {
    (SST_SER(members), ...);
}

/// Ends the simulation with an error of a component.
[[noreturn]] inline void fail(const std::string& component, const std::string& what) {
    SST::Output::getDefaultObject().fatal(CALL_INFO, 1, "%s: %s\n", component.c_str(), what.c_str());
    throw std::runtime_error(what);  // not reached: fatal() ends the program
}

/// Returns the bytes that a request takes of a buffer: 1 at least.
inline std::int64_t bytes_of(std::size_t bits) {
    return std::max<std::int64_t>(1, (static_cast<std::int64_t>(bits) + 7) / 8);
}
inline std::int64_t bytes_of(const simple_network::Request& r) {
    return bytes_of(r.size_in_bits);
}

/// A request of an endpoint, on its way to the network and from there to its destination. It owns the
/// request.
class packet_event final : public SST::Event {
  public:
    packet_event() = default;
    packet_event(simple_network::Request* request, SST::SimTime_t sent) : m_request(request), m_sent(sent) {}
    ~packet_event() override { delete m_request; }
    packet_event(const packet_event&) = delete;
    packet_event& operator=(const packet_event&) = delete;

    const simple_network::Request& request() const { return *m_request; }
    simple_network::Request* take_request() { return std::exchange(m_request, nullptr); }
    SST::SimTime_t sent() const { return m_sent; }  ///< time at which the endpoint sent it, in ns
    packet_event* clone() override { return new packet_event(m_request->clone(), m_sent); }
    void serialize_order(serializer& ser) override {
        SST::Event::serialize_order(ser);
        serialize_all(ser, m_request, m_sent, number);
    }
    std::uint64_t number = 0;  ///< number among the requests of its source, destination and virtual network

  private:
    simple_network::Request* m_request = nullptr;
    SST::SimTime_t m_sent = 0;

    ImplementSerializable(sare::sst::packet_event)
};

/// Room that has become free in a buffer: from the network, of what the endpoint sends; from an endpoint, of
/// what it receives.
class room_event final : public SST::Event {
  public:
    room_event() = default;
    room_event(int of, std::int64_t freed) : vn(of), bytes(freed) {}
    void serialize_order(serializer& ser) override {
        SST::Event::serialize_order(ser);
        serialize_all(ser, vn, bytes);
    }
    int vn = 0;  ///< virtual network
    std::int64_t bytes = 0;

  private:
    ImplementSerializable(sare::sst::room_event)
};

/// What an endpoint and its network tell each other before time begins.
class greeting_event final : public SST::Event {
  public:
    void serialize_order(serializer& ser) override {
        SST::Event::serialize_order(ser);
        serialize_all(ser, vns, job, input_bytes, number, bits_per_s);
    }
    int vns = 1;                   ///< number of virtual networks that the endpoint uses
    int job = -1;                  ///< number of the job whose numbers of nodes it uses; -1: none
    std::int64_t input_bytes = 0;  ///< size of its input buffer for each virtual network; 0: not limited
    std::int64_t number = 0;       ///< number of the endpoint in its job; in the answer, node of the network
    std::uint64_t bits_per_s = 0;  ///< in the answer: bandwidth of the node's link

  private:
    ImplementSerializable(sare::sst::greeting_event)
};

}  // namespace sare::sst
