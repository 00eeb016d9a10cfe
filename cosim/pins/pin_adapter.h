// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// What a pin adapter is made with: how a router of your own, in RTL, is driven by Sare. The adapter
/// only maps pins. Which packet is which, credits on Sare's links, queues before pins that may say no, and
/// the scoreboard are Sare's side of it. docs/cosim-router.md walks through an example. Needs nothing else of
/// Sare, and no SystemC.
namespace sare::pins {

/// Changes with every change of what is declared here; a library made for another one is refused.
constexpr std::uint32_t abi_version = 4;

/// Where there is no number, or an adapter gives none.
constexpr std::uint32_t unsaid = ~0u;

/// How the router's pins stop a sender. Everywhere "VCs" is a mask, VC 0 in bit 0.
enum class flow_control : std::uint32_t {
    /// The sender counts: the router pulses a pin for a place that is free again, and is pulsed the same way.
    credit,
    /// A flit moves in a cycle in which the sender offers it and the receiver is ready. With several VCs
    /// there is a ready for each, and an offer that is not taken is followed by one of another VC (but see
    /// router_facts::stable_offer).
    ready_valid,
    /// The receiver says on or off; a sender that saw off stops `reaction` cycles later at most.
    on_off,
};

/// What must be free in the buffer beyond an output VC before a router sends a head there.
enum class head_credits : std::uint32_t { one_place, whole_packet, empty_buffer };

/// What the router can be. A network that wants another one is refused before anything runs.
struct router_facts {
    std::string name;  ///< for messages
    flow_control flow = flow_control::ready_valid;
    std::uint32_t ports = 5;       ///< that it has; a place in the network may need fewer
    std::uint32_t vcs = 1;         ///< the network's `router.vcs` must be that
    std::uint32_t max_nodes = 64;  ///< destinations that it can tell apart
    bool by_table = false;         ///< it needs router_info::port_to
    bool by_input_table = false;   ///< it needs router_info::port_from
    std::uint32_t data_bits = 32;  ///< of a flit, which come out as they went in: 24 to 1024
    /// Cycles of a head from the input pins to the output pins, if the router is empty.
    std::uint32_t min_latency = 1, max_latency = 1;
    /// Cycles after the last flit or credit at its pins until the empty router is as good as new.
    std::uint32_t settling = 4;
    head_credits room = head_credits::one_place;
    /// Cycles for which a flit may be in the router although it could leave; more is an error.
    std::uint32_t patience = 1000;
    /// Flits that an input VC takes, whatever stands in front of them. credit: `router.depth` may be no more.
    /// Else: with fewer in the router, not to be ready (or on) is an error; 0: not checked.
    std::uint32_t depth = 0;
    /// Throughput: cycles from one flit of a packet to the next where nothing is in the way of them: 1 is a
    /// flit every cycle; later is an error. 0 and with encoded_credits: not checked.
    std::uint32_t cycles_per_flit = 0;
    /// credit only: cycles from a flit's leaving until a credit of its VC comes back; more is an error. 0:
    /// `patience`.
    std::uint32_t credit_delay = 0;
    std::uint32_t credits = 0;  ///< credit only: those that it begins with for each VC of an output
    /// credit only: the pins at an output take the number of one VC a cycle. drive_back() then gets one VC at
    /// most; where several credits arrive at once, the others follow in the next cycles.
    bool encoded_credits = false;
    /// ready_valid only: the router demands that an offer stays until it is taken. With several VCs an offer
    /// then is one of a VC for which the router is ready: what its ready waits for must not be the offer.
    bool stable_offer = false;
    std::uint32_t reaction =
        1;  ///< on_off only: cycles from off at its outputs to the first one without a flit
};

/// The router's position in the network and the tables it needs. Ports are Sare's: in a mesh or torus 2d
/// leads to the + neighbour in dimension d, 2d+1 to the - neighbour, and those of the nodes follow.
struct router_info {
    std::string name;          ///< hierarchical
    std::uint32_t router = 0;  ///< its number
    std::uint32_t ports = 0, vcs = 0, nodes = 0;
    std::uint32_t depth = 0;  ///< the network's `router.depth`
    /// By destination: the output port that Sare's routing function takes. Empty where that depends on more
    /// than the destination: on the input port (up_down), or on what is in the header (dor on rings).
    std::vector<std::uint32_t> port_to;
    /// By input port and destination; `unsaid` where no packet to that node comes in by that port. Empty
    /// where the function looks at the header.
    std::vector<std::vector<std::uint32_t>> port_from;
    /// By port: places a VC of the buffer beyond it; 0: nothing is there.
    std::vector<std::uint32_t> depth_beyond;
    /// By dimension, for grids: size, and coordinate of this router; empty elsewhere.
    std::vector<std::uint32_t> sizes, here;
};

/// Bits that a flit carries through the router, 64 a word, bit 0 first. A number is one, too.
struct payload {
    static constexpr std::uint32_t most_bits = 1024;
    payload(std::uint64_t first = 0) { word[0] = first; }
    bool operator==(const payload& other) const { return word == other.word; }
    bool operator!=(const payload& other) const { return word != other.word; }

    std::array<std::uint64_t, most_bits / 64> word{};
};

/// A flit at the pins. Of one that goes in everything is there. Of one that comes out read() says which VC it
/// is on, whether it is head or tail, and its data; of a head also what the router's header has of `port`,
/// `vcs` and `destination`: what it gives is compared, what it leaves is not.
struct pin_flit {
    bool head = false, tail = false;
    std::uint32_t vc = 0;
    std::uint32_t source = unsaid, destination = unsaid;  ///< nodes
    std::uint32_t length = 0;                             ///< flits of its packet
    /// What routing says, for routers that are told: output port and VCs (0: unsaid). In: here. Out, of a
    /// router that looks ahead: at the router that comes next, by the port numbers of that one.
    std::uint32_t port = unsaid, vcs = 0;
    payload data;  ///< `data_bits` bits
};

/// One instance of the router. Each cycle Sare calls drive() and drive_back() for every port, settle(),
/// read() and read_back() for every port, edge().
class pin_adapter {
  public:
    virtual ~pin_adapter() = default;

    /// Once, before the first cycle: reset, and whatever must be configured.
    virtual void reset() = 0;
    /// The input pins of `port`; null: no flit.
    virtual void drive(std::uint32_t port, const pin_flit* flit) = 0;
    /// What comes back at output `port`. credit: VCs that get one; ready_valid: VCs for which the network is
    /// ready; on_off: VCs that are on.
    virtual void drive_back(std::uint32_t port, std::uint32_t vcs) = 0;
    /// All inputs are there: combinational outputs follow. The clock is low.
    virtual void settle() = 0;
    /// The output pins of `port`, as they are before the edge; false: no flit.
    virtual bool read(std::uint32_t port, pin_flit& flit) = 0;
    /// What the router gives back at input `port`, as for drive_back().
    virtual std::uint32_t read_back(std::uint32_t port) = 0;
    /// The rising edge of the clock.
    virtual void edge() = 0;
    /// After the last cycle, if none has gone wrong: `final` blocks. Throws as edge() does.
    virtual void finish() {}

    /// Begins to write waves to a file; false: this library cannot. dump_waves() follows after settle() and
    /// after edge(), with `time` larger each time: the edge of cycle t is at 10t.
    virtual bool open_waves(const std::string& file) {
        (void)file;
        return false;
    }
    virtual void dump_waves(std::uint64_t time) { (void)time; }
    virtual void close_waves() {}

    /// Lines and toggles of the RTL are counted, and written to a file of Verilator's format.
    virtual bool counts_coverage() const { return false; }
    virtual void write_coverage(const std::string& file) { (void)file; }
};

/// @name Bits of a port of a Verilated module, whatever its width: `width` from `lsb` up, of a number at
/// most 64.
/// @{
template <class Pin>
void put(Pin& pin, std::uint32_t lsb, std::uint32_t width, std::uint64_t value) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(&pin);
    for (std::uint32_t k = 0; k < width; ++k, ++lsb) {
        const auto bit = static_cast<std::uint8_t>(1u << lsb % 8);
        bytes[lsb / 8] =
            static_cast<std::uint8_t>((value >> k & 1) != 0 ? bytes[lsb / 8] | bit : bytes[lsb / 8] & ~bit);
    }
}
template <class Pin>
std::uint64_t get(const Pin& pin, std::uint32_t lsb, std::uint32_t width) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&pin);
    std::uint64_t value = 0;
    for (std::uint32_t k = 0; k < width; ++k, ++lsb)
        value |= std::uint64_t{static_cast<std::uint8_t>(bytes[lsb / 8] >> lsb % 8 & 1)} << k;
    return value;
}
template <class Pin>
void put(Pin& pin, std::uint32_t lsb, std::uint32_t width, const payload& data) {
    for (std::uint32_t done = 0; done < width; done += 64)
        put(pin, lsb + done, std::min(64u, width - done), data.word[done / 64]);
}
template <class Pin>
payload get_data(const Pin& pin, std::uint32_t lsb, std::uint32_t width) {
    payload data;
    for (std::uint32_t done = 0; done < width; done += 64)
        data.word[done / 64] = get(pin, lsb + done, std::min(64u, width - done));
    return data;
}
/// @}

/// The number of the one VC in a mask.
inline std::uint32_t vc_number(std::uint32_t vcs) {
    std::uint32_t vc = 0;
    while (vcs >> vc > 1) ++vc;
    return vc;
}

/// Makes the adapter of a router: by `Adapter::make(info)` if it has one, else by its constructor.
template <class Adapter, class = void>
struct maker {
    static pin_adapter* make(const router_info& info) { return new Adapter(info); }
};
template <class Adapter>
struct maker<Adapter, std::void_t<decltype(Adapter::make(std::declval<const router_info&>()))>> : Adapter {};

}  // namespace sare::pins

/// Makes `adapter` what the library is. It has a static facts() that gives its router_facts, and either a
/// constructor from (const router_info&) or a static make() that takes one and gives a new pin_adapter.
#define SARE_PIN_ADAPTER(adapter)                                                             \
    extern "C" {                                                                              \
    __attribute__((visibility("default"))) std::uint32_t sare_pin_abi() {                     \
        return sare::pins::abi_version;                                                       \
    }                                                                                         \
    __attribute__((visibility("default"))) const sare::pins::router_facts* sare_pin_facts() { \
        static const sare::pins::router_facts all = adapter::facts();                         \
        return &all;                                                                          \
    }                                                                                         \
    __attribute__((visibility("default"))) sare::pins::pin_adapter* sare_pin_make(            \
        const sare::pins::router_info& info) {                                                \
        return sare::pins::maker<adapter>::make(info);                                        \
    }                                                                                         \
    }
