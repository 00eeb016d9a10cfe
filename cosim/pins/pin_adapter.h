// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// The interface of a pin adapter, by which Sare drives a router of your own in RTL. The adapter only maps
/// pins. Sare knows which packet is which, counts credits on its links, queues flits in front of pins that
/// refuse them, and checks the router by a scoreboard. docs/cosim-router.md walks through an example. This
/// header needs nothing else of Sare, and no SystemC. Wherever a function has or returns `vcs`, it is a mask
/// with VC 0 in bit 0.
namespace sare::pins {

/// Version of all declarations in this file; a library compiled with another version is refused when it is
/// loaded.
constexpr std::uint32_t abi_version = 7;

/// Value of a port, node or other number that does not exist, or that an adapter does not know.
constexpr std::uint32_t unsaid = ~0u;

/// Protocol by which the receiver of flits stops the sender; the same at the inputs and at the outputs of a
/// router.
enum class flow_control : std::uint32_t {
    /// The sender counts the free places of the receiver's buffer for each VC; the receiver pulses a pin of
    /// the VC for each place that becomes free.
    credit,
    /// A flit moves in a cycle in which the sender offers it and the receiver is ready. With several VCs
    /// there is a ready pin for each VC, and after an offer that was not taken the sender offers a flit of
    /// another VC (unless router_facts::stable_offer is set).
    ready_valid,
    /// The receiver shows on or off for each VC; a sender stops at most router_facts::reaction cycles after
    /// off.
    on_off,
};

/// Number of free places beyond an output VC that a router must see before it sends a head there. one_place:
/// 1; whole_packet: as many as the packet has flits; empty_buffer: all.
enum class head_credits : std::uint32_t { one_place, whole_packet, empty_buffer };

/// Properties of the router, which its adapter's facts() returns. A network that does not fit them is refused
/// before the run, with an error at its section `cosim`.
struct router_facts {
    std::string name;  ///< name of the router in error messages
    flow_control flow = flow_control::ready_valid;
    std::uint32_t ports = 5;  ///< number of ports; the router's place in the network may use fewer, the
                              ///< lowest ones
    std::uint32_t vcs = 1;    ///< number of VCs of each port; the network's `router.vcs` must be the same
    std::uint32_t max_nodes = 64;  ///< largest number of nodes of a network in which the router can route
    bool keeps_vc = false;   ///< true: packets leave on the VC on which they came in, where routing allows
                             ///< it; else on any VC that routing allows
    bool turns_back = true;  ///< false: packets never leave by the port at which they came in, so that no
                             ///< node may send to itself
    bool by_table = false;   ///< true: the router needs router_info::port_to
    bool by_input_table = false;  ///< true: the router needs router_info::port_from
    /// Number of data bits of a flit, 24 to 1024, which must come out unchanged.
    std::uint32_t data_bits = 32;
    /// Number of data bits of a head, if the header leaves fewer than `data_bits`; 0: data_bits. At least one
    /// more than a number from 0 to ports * vcs - 1 needs. Header fields that the router only passes on
    /// (source, type) count as data.
    std::uint32_t head_data_bits = 0;
    /// Number of flits of the longest packet that the router can carry, such as its length field allows; 0:
    /// any. The network's `nic.max_packet_flits` must not be larger.
    std::uint32_t longest_packet = 0;
    /// Smallest and largest number of cycles that a head takes from the input pins to the output pins of an
    /// empty router. That is the cycle in which it is at the outputs minus the cycle in which it is at the
    /// inputs.
    std::uint32_t min_latency = 1, max_latency = 1;
    /// Number of cycles after the last flit or credit at its pins from which on an empty router is in its
    /// initial state.
    std::uint32_t settling = 4;
    /// Free places that a head needs beyond its output VC. Senders into the router keep the same rule, and so
    /// must its network: switching cut_through for whole_packet, reallocation atomic for empty_buffer.
    head_credits room = head_credits::one_place;
    /// Largest number of cycles for which a flit may stay in the router although it could leave; more are an
    /// error. 0 means 16 * ports * VCs + 4 * max_latency, or 1000 with several VCs and another flow control
    /// than `credit`.
    std::uint32_t patience = 0;
    /// Number of flits that an input VC takes in any state. With `credit` at least 1, and the network's
    /// `router.depth` must not be larger. With other flow controls, 0: not checked; else a VC that holds
    /// fewer flits must be ready, or on. With ready_valid a VC must not take more than `depth` flits while
    /// its first packet waits for output VCs that are all held by packets not yet come in completely.
    std::uint32_t depth = 0;
    /// Largest number of cycles from one flit of a packet to the next while no other packet, missing flit or
    /// missing credit delays them; 1: a flit in every cycle. More cycles are an error. 0, or encoded_credits:
    /// not checked.
    std::uint32_t cycles_per_flit = 0;
    /// Only for `credit`: largest number of cycles from the leaving of a flit to the credit for its place;
    /// more are an error. 0: `patience`.
    std::uint32_t credit_delay = 0;
    /// Only for `credit`: number of credits that the router has for each output VC at the begin; 0: the
    /// number of places of the buffer beyond.
    std::uint32_t credits = 0;
    /// Only for `credit`: the pins at an output take the number of one VC per cycle, not a mask. drive_back()
    /// then gets at most one VC; of several credits that arrive at once, one is passed on in each of the next
    /// cycles.
    bool encoded_credits = false;
    /// Only for `ready_valid`: true: the router demands that an offered flit stays until it is taken. With
    /// several VCs, Sare then offers only flits of VCs for which the router is ready, so that its ready pins
    /// must not depend on the offer.
    bool stable_offer = false;
    std::uint32_t reaction = 1;  ///< only for `on_off`: largest number of cycles from off at an output to the
                                 ///< first cycle in which no flit comes out
};

/// The router's place in the network, and the tables that it needs; given to the adapter's constructor. Ports
/// are numbered as Sare does: in a mesh or torus, port 2d leads to the neighbour in the + direction of
/// dimension d, port 2d + 1 to that in the - direction, and the ports of the nodes follow.
struct router_info {
    std::string name;          ///< hierarchical SystemC name of the router's module
    std::uint32_t router = 0;  ///< number of the router in the network, from 0
    /// Number of ports that the network uses (the lowest ones), number of VCs of each port, and number of
    /// nodes.
    std::uint32_t ports = 0, vcs = 0, nodes = 0;
    /// The network's `router.depth`: number of flits that the model's buffer of an input VC holds.
    std::uint32_t depth = 0;
    std::uint32_t longest = 0;  ///< number of flits of the network's longest packet (`nic.max_packet_flits`)
    /// Output port that Sare's routing function chooses, by destination node. Empty if that depends on more
    /// than the destination: on the input port (routing up_down), or on the header (dor on rings).
    std::vector<std::uint32_t> port_to;
    /// Output port by input port and destination node; `unsaid` if no packet to that destination comes in by
    /// that port. Empty if the routing function depends on the header.
    std::vector<std::vector<std::uint32_t>> port_from;
    /// Number of flits of one VC that fit into the buffer beyond each output port, by port; 0: the port leads
    /// nowhere.
    std::vector<std::uint32_t> depth_beyond;
    /// Seed of the values that registers, memories and pins have before reset, see initial_state(); 0: zeros.
    std::uint64_t initial_state = 0;
    /// Number of routers of the grid along each dimension, and coordinate of this router, from 0; both empty
    /// if the network is no grid.
    std::vector<std::uint32_t> sizes, here;
};

/// Returns router_info::initial_state of the adapter that this thread makes at present, or has made last; 0
/// before the first one. SARE_PIN_ADAPTER sets it, and the constructor of verilated_adapter takes its random
/// values from it.
inline std::uint64_t& initial_state() {
    static thread_local std::uint64_t state = 0;
    return state;
}

/// Data that a flit carries through the router: up to 1024 bits, bit 0 is the lowest bit of word 0. A number
/// is converted to the payload whose word 0 it is.
struct payload {
    static constexpr std::uint32_t least_bits = 24, most_bits = 1024;  ///< limits of router_facts::data_bits
    payload(std::uint64_t first = 0) { word[0] = first; }  ///< word 0 is `first`, all others are 0
    bool operator==(const payload& other) const { return word == other.word; }
    bool operator!=(const payload& other) const { return word != other.word; }

    std::array<std::uint64_t, most_bits / 64> word{};
};

/// A flit at the pins. drive() gets it with all members set. read() must set `head`, `tail`, `vc` and `data`;
/// for a head it may also set `port`, `vcs` and `destination` from the router's header. Sare compares the
/// members that are set, and ignores those that have their default.
struct pin_flit {
    bool head = false, tail = false;                      ///< true: first flit, and last flit, of its packet
    std::uint32_t vc = 0;                                 ///< virtual channel, from 0
    std::uint32_t source = unsaid, destination = unsaid;  ///< source and destination node of its packet
    std::uint32_t length = 0;                             ///< number of flits of its packet
    /// Output port, and VCs (a mask; 0: not set) allowed by Sare's routing. In drive(): at this router. In
    /// read(), for a router with look-ahead: at the router that this one leads to, by its port numbers.
    std::uint32_t port = unsaid, vcs = 0;
    /// Data; only the lowest router_facts::data_bits bits have a meaning, of a head the lowest
    /// head_data_bits.
    payload data;
};

/// One instance of the router, made by SARE_PIN_ADAPTER and owned by Sare. In each cycle Sare calls
/// drive_back() and drive() for ports 0 to router_info::ports - 1, settle(), read_back() and read() for every
/// port, and edge(). (With stable_offer and several VCs, it also calls settle() and read_back() before
/// drive().) A function must throw an exception if the RTL reports an error.
class pin_adapter {
  public:
    virtual ~pin_adapter() = default;

    /// Resets and configures the router before the first cycle; with `sare cosim --pins` also in mid-traffic,
    /// so that the adapter must also forget all flits that it has stored.
    virtual void reset() = 0;
    /// Sets the input pins of `port` to the flit `flit`, which is valid only during the call; null: to "no
    /// flit".
    virtual void drive(std::uint32_t port, const pin_flit* flit) = 0;
    /// Sets the flow control pins of output `port`. `vcs`: with credit, VCs that get a credit; with
    /// ready_valid, VCs for which the network is ready; with on_off, VCs that are on.
    virtual void drive_back(std::uint32_t port, std::uint32_t vcs) = 0;
    /// Computes the outputs that depend on inputs in the same cycle, with the clock low.
    virtual void settle() = 0;
    /// Reads the flit at the output pins of `port` into `flit`, whose members have their defaults; returns
    /// true if there is one. Called before the edge.
    virtual bool read(std::uint32_t port, pin_flit& flit) = 0;
    /// Returns the VCs that the router shows on the flow control pins of input `port`. With credit, those
    /// that give a credit back; with ready_valid, those that are ready; with on_off, those that are on.
    virtual std::uint32_t read_back(std::uint32_t port) = 0;
    /// Makes the rising edge of the clock, with the inputs as they were set; it ends the cycle.
    virtual void edge() = 0;
    /// Runs the `final` blocks of the RTL; called after the last cycle of a run without an error. Throws an
    /// exception if the RTL reports an error.
    virtual void finish() {}

    /// Begins to write waves to `file`; returns false if the library was built without waves. After true,
    /// Sare calls dump_waves() in the cycles chosen, after settle() and after edge(), then close_waves().
    virtual bool open_waves(const std::string& file) {
        (void)file;
        return false;
    }
    /// Writes the values of all signals to the file as those of `time`, which rises with each call. In cycle
    /// t, from 1, `time` is 10t - 5 after settle(), and 10t after edge().
    virtual void dump_waves(std::uint64_t time) { (void)time; }
    /// Ends the file of waves; called once, if open_waves() has returned true.
    virtual void close_waves() {}

    /// Returns true if the library counts covered lines and toggles of the RTL.
    virtual bool counts_coverage() const { return false; }
    /// Writes the counts of covered lines and toggles to `file`, in Verilator's format; called if
    /// counts_coverage() is true.
    virtual void write_coverage(const std::string& file) { (void)file; }
};

/// @name Access to bits lsb to lsb + width - 1 of a pin of a Verilated module
/// The bits must be within the pin, and `width` within its limit; neither is checked. This function sets the
/// bits to the lowest `width` bits of `value`; `width` is at most 64.
template <class Pin>
void put(Pin& pin, std::uint32_t lsb, std::uint32_t width, std::uint64_t value) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(&pin);
    for (std::uint32_t k = 0; k < width; ++k, ++lsb) {
        const auto bit = static_cast<std::uint8_t>(1u << lsb % 8);
        bytes[lsb / 8] =
            static_cast<std::uint8_t>((value >> k & 1) != 0 ? bytes[lsb / 8] | bit : bytes[lsb / 8] & ~bit);
    }
}
/// Returns bits `lsb` to lsb + width - 1 of `pin` as a number; `width` is at most 64.
template <class Pin>
std::uint64_t get(const Pin& pin, std::uint32_t lsb, std::uint32_t width) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(&pin);
    std::uint64_t value = 0;
    for (std::uint32_t k = 0; k < width; ++k, ++lsb)
        value |= std::uint64_t{static_cast<std::uint8_t>(bytes[lsb / 8] >> lsb % 8 & 1)} << k;
    return value;
}
/// Sets bits `lsb` to lsb + width - 1 of `pin` to the lowest `width` bits of `data`; `width` is at most 1024.
template <class Pin>
void put(Pin& pin, std::uint32_t lsb, std::uint32_t width, const payload& data) {
    for (std::uint32_t done = 0; done < width; done += 64)
        put(pin, lsb + done, std::min(64u, width - done), data.word[done / 64]);
}
/// Returns bits `lsb` to lsb + width - 1 of `pin` as a payload; `width` is at most 1024.
template <class Pin>
payload get_data(const Pin& pin, std::uint32_t lsb, std::uint32_t width) {
    payload data;
    for (std::uint32_t done = 0; done < width; done += 64)
        data.word[done / 64] = get(pin, lsb + done, std::min(64u, width - done));
    return data;
}
/// @}

/// Returns the number of the only VC in the mask `vcs`; of the highest one if there are several; 0 if there
/// is none.
inline std::uint32_t vc_number(std::uint32_t vcs) {
    std::uint32_t vc = 0;
    while (vcs >> vc > 1) ++vc;
    return vc;
}

/// Maker of adapters for SARE_PIN_ADAPTER: maker<Adapter>::make(info) calls the static function
/// Adapter::make(info) if there is one, else the constructor from `info`. The caller owns the result.
template <class Adapter, class = void>
struct maker {
    static pin_adapter* make(const router_info& info) { return new Adapter(info); }
};
template <class Adapter>
struct maker<Adapter, std::void_t<decltype(Adapter::make(std::declval<const router_info&>()))>> : Adapter {};

}  // namespace sare::pins

/// Exports the class `adapter` as the adapter of the library. The class must have a static function facts()
/// that returns its router_facts, and either a constructor from (const router_info&) or a static function
/// make(const router_info&) that returns a new pin_adapter.
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
        sare::pins::initial_state() = info.initial_state;                                     \
        return sare::pins::maker<adapter>::make(info);                                        \
    }                                                                                         \
    }
