// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/rtl_bench/score.h"

#include <random>

namespace sare::bench {

/// Generator of random numbers that are the same on every machine, since the standard's generator is used
/// without its distributions.
class dice {
  public:
    explicit dice(std::uint64_t seed) : m_engine(seed) {}
    /// Returns 64 random bits.
    std::uint64_t word() { return m_engine(); }
    /// Returns a random number from 0 to n - 1, each with the same probability; 0 for n = 0.
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((m_engine() >> 32) * n >> 32); }
    /// Returns true with probability `p`.
    bool chance(double p) { return static_cast<double>(m_engine() >> 11) < p * 9007199254740992.0; }

  private:
    std::mt19937_64 m_engine;
};

/// Parameters of all sources and sinks, which are drawn anew every few hundred cycles.
struct stimulus_params {
    double load = 0;            ///< probability in a cycle that a source wants to send a flit
    double credit_rate = 1;     ///< probability in a cycle that a sink gives back a credit, for each VC
    std::uint32_t longest = 1;  ///< largest number of flits of a packet
    /// Output port to which traffic is concentrated.
    std::uint32_t hot_port = 0;
    double hot = 0;             ///< share, 0 to 1, of the packets that are sent to hot_port on purpose
    bool equal = false;         ///< true: all packets have `longest` flits
    std::uint32_t stopped = 0;  ///< mask of output ports whose sinks give no credits, port 0 in bit 0
    bool closing = false;       ///< true: no packets begin, and all credits are given back

    /// Draws all parameters but `closing` anew for a router with setting `s`.
    void draw(const setting& s, dice& random);
};

/// Drives the flits of one input port of the router: random packets on random VCs, at most one flit per
/// cycle, never without a credit. Puts on the pins at each rising edge the flit of the next cycle.
class source final : public sc_core::sc_module {
  public:
    sc_core::sc_in<bool> clock{"clock"};
    sc_core::sc_out<flit_pins> flit{"flit"};
    sc_core::sc_in<std::uint32_t> credit{"credit"};

    /// `port`: input port of the router; `now`: the present parameters, which may change; `nodes_behind`:
    /// destination nodes by output port, at least one each. The last two, and `board`, must outlive the
    /// object.
    source(const sc_core::sc_module_name& name, const setting& s, std::uint32_t port,
           const stimulus_params& now, const std::vector<std::vector<std::uint32_t>>& nodes_behind,
           score& board);

  private:
    /// An input VC: its credits, and the packet that is being sent on it.
    struct open_packet {
        std::uint32_t credits;     ///< number of free places in the router's buffer
        std::uint64_t packet = 0;  ///< number by which the score knows the packet
        std::uint32_t left = 0;  ///< number of its flits that have not been sent; 0: no packet is being sent
        std::uint32_t length = 0;  ///< number of its flits
        /// Output port, destination node, and first VC of the message class of the packet.
        std::uint32_t out_port = 0, destination = 0, vc_base = 0;
    };
    void edge();
    flit_pins next_flit(std::uint32_t vc);
    void begin(std::uint32_t vc);

    setting m_s;
    std::uint32_t m_port;
    const stimulus_params& m_stimulus;
    const std::vector<std::vector<std::uint32_t>>& m_nodes_behind;
    score& m_board;
    dice m_random;
    std::vector<open_packet> m_vcs;  ///< state of each VC
    std::uint64_t m_cycle = 0;
};

/// Takes the flits of an output port, and gives back their credits after random times. `now` and `board` of
/// the constructor must outlive the object.
class sink final : public sc_core::sc_module {
  public:
    sc_core::sc_in<bool> clock{"clock"};
    sc_core::sc_in<flit_pins> flit{"flit"};
    sc_core::sc_out<std::uint32_t> credit{"credit"};

    sink(const sc_core::sc_module_name& name, const setting& s, std::uint32_t port,
         const stimulus_params& now, score& board);

  private:
    void edge();

    setting m_s;
    std::uint32_t m_port;
    const stimulus_params& m_stimulus;
    score& m_board;
    dice m_random;
    std::vector<std::uint32_t> m_owed;  ///< number of credits that are to be given back, by VC
    std::uint64_t m_cycle = 0;
};

}  // namespace sare::bench
