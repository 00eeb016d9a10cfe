// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>

namespace sare {

/// Streams of a record, which network_recorder writes and a page plays. A step is a cycle with a change. In
/// each step the streams before `numbers` list the indices of links, VCs and arbiters that are not as the
/// player expects, and numbers that describe them. Indices of VCs go by router, port and VC. Numbers of
/// owners and output VCs are port * VCs + VC of a router. From `numbers` on streams are columns of the table
/// of packets, a number for each packet.
enum class record_stream : std::uint8_t {
    steps,     ///< no indices; cycles without a change before each step
    arrivals,  ///< links where a flit comes unexpectedly, or an expected one does not come; no numbers
    flits,  ///< links whose flit is not the one expected: its place among flits on their way, from 1; or 0,
            ///< then packet, flit, VC
    departures,  ///< input VCs that a flit leaves unexpectedly, or an expected one does not leave; no numbers
    more,        ///< input VCs that a further flit leaves in the cycle; no numbers
    outputs,   ///< input VCs whose flit leaves in the cycle in which its packet gets an output VC: output VC
    states,    ///< input VCs in another state: state + 4 * (1 + output VC or number of the set asked for)
    contents,  ///< input VCs with other flits: number of flits; packet and flit of each
    credits,   ///< output VCs with a credit more; no numbers
    balances,  ///< output VCs with otherwise other credits: their number
    owners,    ///< output VCs with another owner: 0: none; 1 + input VC
    turns,     ///< arbiters that served another requester last: number of the requester
    numbers,   ///< numbers of packets, as differences from the packet before
    messages,  ///< numbers of messages, as differences from the packet before
    sources,   ///< source nodes
    destinations,  ///< destination nodes
    classes,       ///< message classes
    lengths,       ///< lengths in flits
    injections,    ///< cycles of injection, as differences from the packet before
    queueing,      ///< cycles from generation to injection
    ends           ///< 0: not ended; else 1 + 2 * (cycles from injection to the end) + (1 if dropped)
};
/// Names of the streams, by record_stream.
constexpr std::array record_stream_names = {
    "steps",    "arrivals",     "flits",    "departures", "more",       "outputs",  "states",
    "contents", "credits",      "balances", "owners",     "turns",      "numbers",  "messages",
    "sources",  "destinations", "classes",  "lengths",    "injections", "queueing", "ends"};

/// Writer of the streams of a record, each in two strings of bytes: indices and numbers. Both are varints: 7
/// bits a byte, low ones first, the high bit set if more follow. An index is written as 1 + its difference
/// from the one before in the step; behind the last index of a step is a 0.
class record_streams {
  public:
    /// A stream; the whole of it is in memory.
    struct stream {
        std::string indices, numbers;  ///< bytes, see the class
        std::uint32_t last = 0;        ///< index last written in this step
    };
    /// Appends `index` to a stream if `is`, whether something happens, differs from `expected`; returns `is`.
    /// Within a step indices of a stream must rise (not checked).
    bool note(record_stream s, std::uint32_t index, bool expected, bool is);
    /// True if note() has seen nothing in the present step, neither expected nor not.
    bool is_empty_step() const { return m_is_empty; }
    void number(record_stream s, std::uint64_t n);  ///< appends a number to a stream
    /// Appends the difference `n` of two numbers, modulo 2^64: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
    void difference(record_stream s, std::uint64_t n) { number(s, n >> 63 != 0 ? ~(n << 1) : n << 1); }
    void end_step();  ///< ends the indices of the present step in all streams before `numbers`

    /// Returns a stream with what has been written so far.
    const stream& of(record_stream s) const { return m_all[static_cast<std::size_t>(s)]; }
    /// Writes an object of JSON: by name of each stream indices and numbers, deflated (zlib), in base 64.
    void write(std::ostream& out) const;

  private:
    std::array<stream, record_stream_names.size()> m_all;  ///< streams by record_stream
    bool m_is_empty = true;                                ///< see is_empty_step()
};

}  // namespace sare
