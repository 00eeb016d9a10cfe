// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/params.h"

#include "tlm/config/chosen.h"
#include "tlm/nic/congestion/congestion_control.h"
#include "tlm/router/arbiter/arbiter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sare {
namespace {

constexpr std::int64_t most_burst = 1 << 24;  ///< flits: tokens are counted in parts of 2^-32

config::value resolve_arbiter(const config::value& v) {
    return v.type() == config::value::kind::null ? v : config::resolve_chosen<arbiter>(v, "arbiter");
}

config::value resolve_control(const config::value& v) {
    return v.type() == config::value::kind::null
               ? v
               : config::resolve_chosen<congestion_control>(v, "congestion_control");
}

/// Returns the value of a class: from a list by class, whose last entry holds for all further classes, or a
/// scalar for all.
const config::value& of_class(const config::value& list, std::uint32_t message_class, const char* name) {
    if (list.type() == config::value::kind::scalar) return list;
    const std::vector<config::value>& all = config::to_list(list, name);
    if (all.empty())
        throw config::error(
            list.where(), std::string("'") + name + "' is empty; it must have a number for class 0 at least");
    return all[std::min<std::size_t>(message_class, all.size() - 1)];
}

}  // namespace

bool nic_params::operator==(const nic_params& o) const {
    return config::same_parameters(*this, o);
}

config::schema<nic_params> nic_params::fields() {
    using p = nic_params;
    config::schema<p> s;
    s.number("delay", &p::delay, 0, 255, "cycles", "From the injection of a flit to its entering the link.")
        .number("credit_delay", &p::credit_delay, 0, 255, "cycles",
                "Cycles until a credit of the router can be used, beside the latency of the link.")
        .number("ejection_depth", &p::ejection_depth, 0, 4096, "flits",
                "Ejection buffer of one virtual channel; 0: as deep as the router's.")
        .number("max_packet_flits", &p::max_packet_flits, 1, 65535, "flits",
                "Messages are cut into packets of at most so many flits.")
        .flag("pad", &p::pad,
              "Every packet has max_packet_flits: what is shorter is padded. Loads count that.")
        .number("flit_bytes", &p::flit_bytes, 1, 4096, "bytes", "Bytes that one flit carries.")
        .number("header_bytes", &p::header_bytes, 0, 4096, "bytes",
                "Bytes of header in every packet made from a message given in bytes.")
        .choice("retransmission", &p::retransmission,
                {{"none", retransmission::none}, {"go_back_n", retransmission::go_back_n}},
                "Packets that do not come are lost; or those that are not acknowledged in time are sent "
                "again, with all behind them, for each pair of nodes and message class on its own.")
        .number("window", &p::window, 1, 65535, "packets",
                "go_back_n: so many may be sent to a node before the first of them is acknowledged.")
        .number("time_out", &p::time_out, 1, 1e12, "cycles",
                "go_back_n: from the sending of a packet until it is sent again.")
        .number("attempts", &p::attempts, 0, 1e9, "",
                "go_back_n: a packet that was sent so often in vain is lost, with all behind it; 0: never.")
        .choice("acknowledge", &p::acknowledge,
                {{"packets", acknowledgement::packets}, {"ideal", acknowledgement::ideal}},
                "go_back_n: by packets of one flit through the network; or outside of it, never lost.")
        .number("acknowledge_delay", &p::acknowledge_delay, 1, 1e9, "cycles",
                "go_back_n: time of ideal acknowledgements.");
    s.raw("congestion_control", &p::control, congestion_control::kind,
          "go_back_n: how fast flows send, by what their destinations say of packets that routers marked "
          "(section marking): dcqcn, aimd.",
          resolve_control)
        .raw("arbiter", &p::arbiter, arbiter::kind,
             "Which message class sends the next flit: round_robin, priority, weighted, ...", resolve_arbiter)
        .raw("rate", &p::rates, "list of numbers",
             "Flits a cycle that message class 0, 1, ... of a node may inject (a token bucket); 0: no limit. "
             "The last one holds for all that follow.")
        .raw("burst", &p::bursts, "list of numbers",
             "Flits that class 0, 1, ... may inject at once when it has been silent (the size of the "
             "bucket): max_packet_flits or more, which is what it is left out. The last one holds for all "
             "that follow.");
    return s;
}

bool nic_params::controls_congestion() const {
    return config::name_of<congestion_control>(control) != congestion_control::usual;
}

double nic_params::rate_of(std::uint32_t message_class) const {
    if (!is_limited()) return 0;
    return config::to_number(of_class(rates, message_class, "rate"), "rate", 0, 1);
}

std::uint32_t nic_params::burst_of(std::uint32_t message_class) const {
    if (bursts.type() == config::value::kind::null) return max_packet_flits;
    return static_cast<std::uint32_t>(
        config::to_integer(of_class(bursts, message_class, "burst"), "burst", 1, most_burst));
}

void nic_params::check_rates(const config::location& at) const {
    for (std::uint32_t c = 0; c < 16; ++c) {
        rate_of(c);
        if (burst_of(c) >= max_packet_flits) continue;
        throw config::error(
            bursts.where(),
            fmt::format("'burst' is {}; it must hold the largest packet: nic.max_packet_flits, {}",
                        burst_of(c), max_packet_flits));
    }
    if (bursts.type() != config::value::kind::null && !is_limited())
        throw config::error(
            at, "'nic.burst' is the size of a token bucket, and there is no 'nic.rate' to fill it");
}

std::uint32_t flits_for(const nic_params& p, std::uint64_t bytes) {
    const std::uint64_t room = std::uint64_t{p.max_packet_flits} * p.flit_bytes;
    const std::uint64_t payload = room > p.header_bytes ? room - p.header_bytes : 1;
    const std::uint64_t whole = bytes / payload;
    const std::uint64_t rest = bytes - whole * payload;
    std::uint64_t flits = whole * p.max_packet_flits;
    if (rest != 0 || whole == 0)
        flits += std::max<std::uint64_t>(1, (rest + p.header_bytes + p.flit_bytes - 1) / p.flit_bytes);
    flits = padded(p, flits);
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (whole > most || flits > most)
        throw config::error(fmt::format(
            "a message of {} bytes has more than {} flits; send less at a time, or raise nic.flit_bytes",
            bytes, most));
    return static_cast<std::uint32_t>(flits);
}

std::uint32_t ejection_places(std::uint32_t depth, bool whole_packets, const nic_params& nic,
                              std::uint32_t max_packet) {
    const std::uint32_t places = nic.ejection_depth != 0 ? nic.ejection_depth : depth;
    return whole_packets ? std::max(places, max_packet) : places;
}

}  // namespace sare
