// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace sare {

/// Streams of a record: the numbers of those that are not as expected, and what they are instead. Input and
/// output VCs are numbered by router, port and VC, owners and output VCs within a router by port and VC. From
/// `numbers` on streams are columns of the table of packets.
enum class record_stream : std::uint8_t {
    steps,     ///< numbers: cycles without a change before each step
    arrivals,  ///< links by which a flit comes
    flits,  ///< links whose flit is not the one expected: its place among those on their way from 1 on, or 0,
            ///< packet, flit, VC
    departures,  ///< input VCs that a flit leaves
    more,        ///< input VCs that a further flit leaves
    outputs,     ///< input VCs whose flit leaves in the cycle in which its packet gets an output VC, and that
    states,      ///< input VCs in another state: state + 4 * (1 + output VC or number of the set asked for)
    contents,    ///< input VCs with other flits: how many, packet and flit of each
    credits,     ///< output VCs with a credit more
    balances,    ///< output VCs with other credits
    owners,      ///< output VCs with another owner: 0: none; 1 + input VC
    turns,       ///< arbiters that served another requester last
    numbers,     ///< differences of numbers of packets
    messages,    ///< differences of numbers of messages
    sources,     ///< nodes
    destinations,  ///< nodes
    classes,       ///< message classes
    lengths,       ///< flits
    injections,    ///< differences of cycles of injection
    queueing,      ///< cycles from generation to injection
    ends           ///< 0: still there; else 1 + 2 * cycles from injection to the end, and 1 if it was dropped
};
constexpr std::array record_stream_names = {
    "steps",    "arrivals",     "flits",    "departures", "more",       "outputs",  "states",
    "contents", "credits",      "balances", "owners",     "turns",      "numbers",  "messages",
    "sources",  "destinations", "classes",  "lengths",    "injections", "queueing", "ends"};

/// Writes the streams of a record, each in two strings of bytes: indices and numbers. Numbers are varints: 7
/// bits a byte, low ones first, the high bit set if more follow. An index is written as its difference from
/// the one before in the step, plus 1; behind the last of a step is a 0.
class record_streams {
  public:
    struct stream {
        std::string indices, numbers;
        std::uint32_t last = 0;  ///< index last written in this step
    };
    /// Writes `index` if something is not as expected. Within a step indices do not fall. Returns `is`.
    bool note(record_stream s, std::uint32_t index, bool expected, bool is);
    /// True if note() has seen nothing in the present step, neither expected nor not.
    bool is_empty_step() const { return m_is_empty; }
    void number(record_stream s, std::uint64_t n);
    /// Writes a difference of two numbers modulo 2^64: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
    void difference(record_stream s, std::uint64_t n) { number(s, n >> 63 != 0 ? ~(n << 1) : n << 1); }
    void end_step();

    const stream& of(record_stream s) const { return m_all[static_cast<std::size_t>(s)]; }
    /// Writes an object of JSON: by name of each stream indices and numbers, deflated (zlib), in base 64.
    void write(std::ostream& out) const;

  private:
    std::array<stream, record_stream_names.size()> m_all;
    bool m_is_empty = true;
};

}  // namespace sare
