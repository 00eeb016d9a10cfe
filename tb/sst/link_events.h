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

/// Events on the links between endpoints and the network.
namespace sare::sst {

using SST::Core::Serialization::serializer;
using simple_network = SST::Interfaces::SimpleNetwork;
using statistic = SST::Statistics::Statistic<std::uint64_t>;

/// Writes members to a checkpoint of SST, or reads them, depending on `ser`.
template <class... Members>
void serialize_all(serializer& ser, Members&... members) {
    (SST_SER(members), ...);
}

/// Ends the program with exit code 1 and the error `what` of a component with the name `component`.
[[noreturn]] inline void fail(const std::string& component, const std::string& what) {
    SST::Output::getDefaultObject().fatal(CALL_INFO, 1, "%s: %s\n", component.c_str(), what.c_str());
    throw std::runtime_error(what);  // not reached: fatal() ends the program
}

/// Returns the number of bytes that a request of `bits` bits takes in a buffer: rounded up, at least 1.
inline std::int64_t bytes_of(std::size_t bits) {
    return std::max<std::int64_t>(1, (static_cast<std::int64_t>(bits) + 7) / 8);
}
inline std::int64_t bytes_of(const simple_network::Request& r) {
    return bytes_of(r.size_in_bits);
}

/// A request on its way from an endpoint to the network, or from the network to its destination. The event
/// owns the request.
class packet_event final : public SST::Event {
  public:
    packet_event() = default;
    /// `sent`: time, in ns, at which the endpoint sends the request.
    packet_event(simple_network::Request* request, SST::SimTime_t sent) : m_request(request), m_sent(sent) {}
    ~packet_event() override { delete m_request; }
    packet_event(const packet_event&) = delete;
    packet_event& operator=(const packet_event&) = delete;

    /// Returns the request; must not be called after take_request() (not checked).
    const simple_network::Request& request() const { return *m_request; }
    /// Returns the request, which the caller then owns; null with the second call.
    simple_network::Request* take_request() { return std::exchange(m_request, nullptr); }
    /// Returns the time, in ns, at which the endpoint has sent the request.
    SST::SimTime_t sent() const { return m_sent; }
    packet_event* clone() override { return new packet_event(m_request->clone(), m_sent); }
    void serialize_order(serializer& ser) override {
        SST::Event::serialize_order(ser);
        serialize_all(ser, m_request, m_sent, number);
    }
    std::uint64_t number = 0;  ///< number of the request among those of its source, destination and virtual
                               ///< network, from 0

  private:
    simple_network::Request* m_request = nullptr;
    SST::SimTime_t m_sent = 0;

    ImplementSerializable(sare::sst::packet_event)
};

/// Message that bytes of a buffer of an endpoint have become free. The network sends it about the buffer for
/// requests that the endpoint sends; the endpoint about the one for requests that it receives.
class room_event final : public SST::Event {
  public:
    room_event() = default;
    /// `of`: virtual network; `freed`: number of bytes.
    room_event(int of, std::int64_t freed) : vn(of), bytes(freed) {}
    void serialize_order(serializer& ser) override {
        SST::Event::serialize_order(ser);
        serialize_all(ser, vn, bytes);
    }
    int vn = 0;  ///< virtual network of the buffer
    /// Number of bytes that have become free.
    std::int64_t bytes = 0;

  private:
    ImplementSerializable(sare::sst::room_event)
};

/// Facts that an endpoint and the network send each other once, in init().
class greeting_event final : public SST::Event {
  public:
    void serialize_order(serializer& ser) override {
        SST::Event::serialize_order(ser);
        serialize_all(ser, vns, job, input_bytes, number, bits_per_s);
    }
    int vns = 1;  ///< number of virtual networks that the endpoint uses
    /// Number of the job if the endpoint names endpoints by their numbers in this job; -1: by nodes of the
    /// network.
    int job = -1;
    std::int64_t input_bytes = 0;  ///< bytes of the endpoint's input buffer for each virtual network; 0: not
                                   ///< limited
    std::int64_t number = 0;  ///< to the network: number of the endpoint in its job; in the answer: number of
                              ///< its node in the network
    std::uint64_t bits_per_s = 0;  ///< in the answer: bandwidth of the node's link in bits per second

  private:
    ImplementSerializable(sare::sst::greeting_event)
};

}  // namespace sare::sst
