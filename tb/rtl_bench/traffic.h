// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/rtl_bench/score.h"

#include <random>

namespace sare::bench {

/// Random numbers that are the same on every machine: the standard's generator, without its distributions.
class dice {
  public:
    explicit dice(std::uint64_t seed) : m_engine(seed) {}
    /// 64 random bits.
    std::uint64_t word() { return m_engine(); }
    /// Uniform in 0 to n - 1; 0 for n = 0.
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((m_engine() >> 32) * n >> 32); }
    /// True with probability `p`.
    bool chance(double p) { return static_cast<double>(m_engine() >> 11) < p * 9007199254740992.0; }

  private:
    std::mt19937_64 m_engine;
};

/// Parameters of all sources and sinks, drawn every few hundred cycles.
struct stimulus_params {
    double load = 0;            ///< probability that a source wants to send a flit in a cycle
    double credit_rate = 1;     ///< probability that a sink gives back a credit, by VC and cycle
    std::uint32_t longest = 1;  ///< most flits of a packet
    std::uint32_t hot_port = 0;
    double hot = 0;             ///< share of the packets that go to hot_port
    bool equal = false;         ///< all packets have the longest length
    std::uint32_t stopped = 0;  ///< mask of output ports that give no credits
    bool closing = false;       ///< true: no new packets, all credits

    /// Draws all but `closing`.
    void draw(const setting& s, dice& random);
};

/// Drives the flits of an input port: random packets on random VCs, one flit a cycle, never without a credit.
class source final : public sc_core::sc_module {
  public:
    sc_core::sc_in<bool> clock{"clock"};
    sc_core::sc_out<flit_pins> flit{"flit"};
    sc_core::sc_in<std::uint32_t> credit{"credit"};

    /// `now`: present parameters, which change; `nodes_behind`: destinations by output port. Both, and
    /// `board`, must outlive this object.
    source(const sc_core::sc_module_name& name, const setting& s, std::uint32_t port,
           const stimulus_params& now, const std::vector<std::vector<std::uint32_t>>& nodes_behind,
           score& board);

  private:
    /// State of an input VC: its credits, and the packet on it.
    struct open_packet {
        std::uint32_t credits;     ///< number of free places in the router's buffer
        std::uint64_t packet = 0;  ///< number that the score has given the packet
        std::uint32_t left = 0;    ///< number of its flits that are to be sent; 0: no packet is open
        std::uint32_t length = 0;  ///< number of its flits
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
    std::vector<open_packet> m_vcs;  ///< by VC
    std::uint64_t m_cycle = 0;
};

/// Takes the flits of an output port, and gives their credits back after a random time.
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
    std::vector<std::uint32_t> m_owed;  ///< number of credits, by VC
    std::uint64_t m_cycle = 0;
};

}  // namespace sare::bench
