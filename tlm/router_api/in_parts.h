// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

/// What kinds of routers may say of being run in parts, which share more than links.
namespace sare {

/// A kind whose routers several threads may run, but not several processes: a router_model of such a kind is
/// one of these, too.
class one_process_model {
  public:
    virtual ~one_process_model() = default;
    /// A part of a sentence: "flits of a packet go by different ways".
    virtual std::string why_one_process() const = 0;
};

/// A bank that keeps something by the numbers of packets, which several threads read at the same time.
class packet_keeper {
  public:
    virtual ~packet_keeper() = default;
    /// Numbers are below this one until it is called again; no other thread is at work.
    virtual void keep_packets(std::uint32_t numbers) = 0;
};

}  // namespace sare
