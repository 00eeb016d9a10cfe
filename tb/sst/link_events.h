// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sst/core/component.h>
#include <sst/core/interfaces/simpleNetwork.h>
#include <sst/core/link.h>

#include <algorithm>
#include <cstdint>
#include <utility>

/// Events on the links between endpoints and their network.
namespace sare::sst {

using SST::Core::Serialization::serializer;
using simple_network = SST::Interfaces::SimpleNetwork;

/// Returns the bytes that a request takes of a buffer: 1 at least.
inline std::int64_t bytes_of(const simple_network::Request& r) {
    return std::max<std::int64_t>(1, (static_cast<std::int64_t>(r.size_in_bits) + 7) / 8);
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
        SST_SER(m_request);
        SST_SER(m_sent);
        SST_SER(number);
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
        SST_SER(vn);
        SST_SER(bytes);
    }
    int vn = 0;  ///< virtual network
    std::int64_t bytes = 0;

  private:
    ImplementSerializable(sare::sst::room_event)
};

/// What an endpoint tells the network of itself before time begins.
class hello_event final : public SST::Event {
  public:
    void serialize_order(serializer& ser) override {
        SST::Event::serialize_order(ser);
        SST_SER(vns);
        SST_SER(input_bytes);
        SST_SER(job);
        SST_SER(number_in_job);
    }
    int vns = 1;                   ///< number of virtual networks that it uses
    std::int64_t input_bytes = 0;  ///< size of its input buffer for each of them; 0: not limited
    int job = -1;                  ///< number of the job whose numbers of nodes it uses; -1: none
    std::int64_t number_in_job = 0;

  private:
    ImplementSerializable(sare::sst::hello_event)
};

/// What the network answers.
class welcome_event final : public SST::Event {
  public:
    void serialize_order(serializer& ser) override {
        SST::Event::serialize_order(ser);
        SST_SER(node);
        SST_SER(bits_per_s);
    }
    std::int64_t node = 0;
    std::uint64_t bits_per_s = 0;  ///< bandwidth of the node's link

  private:
    ImplementSerializable(sare::sst::welcome_event)
};

}  // namespace sare::sst
