// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/probes.h"

#include <algorithm>

namespace sare::cosim {

/// Base class of classes that write probes (probes.h). Probes are written one after the other; all functions
/// that add events add them to the last probe, so that begin() must have been called (not checked).
class probe_writer {
  public:
    /// `at`: the place of the router; must outlive the object.
    explicit probe_writer(const plugin_place& at) : m_at(at), m_s(at.setting()) {
        const pins::router_facts& f = at.facts();
        m_pause = 16 + 8 * f.max_latency + f.settling + f.credit_delay + 2 * m_s.ports * m_s.model.vcs;
        if (f.encoded_credits) m_pause += m_s.model.vcs * most_beyond();
        m_longest = m_s.cut_through() ? std::min(m_s.model.depth, least_beyond()) : 2 * m_s.model.depth + 2;
        m_longest = std::min(m_longest, m_s.longest);
    }

  protected:
    /// An input VC, and a kind of packets (packet_flow) that it may carry to an output; the VCs of an input
    /// port have the same kind where possible.
    struct lane {
        std::uint32_t in, vc;
        const packet_flow* flow;
    };
    /// Returns a lane of each input VC that can send to output `out`, in ascending order of input and VC.
    std::vector<lane> inputs_to(std::uint32_t out) const {
        std::vector<lane> found;
        for (std::uint32_t in = 0; in < m_s.ports; ++in)
            for (std::uint32_t v = 0; v < m_s.model.vcs; ++v)
                for (const packet_flow& f : m_at.flows())
                    if (f.in == in && f.out == out && (f.vcs >> v & 1) != 0) {
                        found.push_back({in, v, &f});
                        break;
                    }
        return found;
    }
    /// Returns one lane of each input port that can send to output `out`; its VC differs from input to input.
    std::vector<lane> one_of_each_input(std::uint32_t out) const {
        std::vector<lane> found;
        for (const lane& l : inputs_to(out))
            if (found.empty() || found.back().in != l.in)
                found.push_back(l);
            else if (l.vc == (l.in + out) % m_s.model.vcs)
                found.back() = l;
        return found;
    }
    /// Returns the largest number of flits of a VC that fit beyond an output port.
    std::uint32_t most_beyond() const {
        return *std::max_element(m_s.out_depth.begin(), m_s.out_depth.end());
    }
    /// Returns the smallest number of flits of a VC that fit beyond an output port that leads on.
    std::uint32_t least_beyond() const {
        std::uint32_t least = ~0u;
        for (const std::uint32_t d : m_s.out_depth) least = d == 0 ? least : std::min(least, d);
        return least;
    }

    /// Returns `flits`, or the length of the longest packet if that is less.
    std::uint32_t packet_of(std::uint32_t flits) const {
        return std::min(flits, m_s.cut_through() ? m_longest : m_s.longest);
    }

    /// Begins a new probe with this name; its first event may come in cycle 4.
    void begin(const std::string& name) {
        m_all.push_back({name, {}, 0, plugin_start::two_states});
        m_now = 4;
    }
    /// Adds a packet of `flits` flits on `l`. Flit k may come in cycle `from` + k; from flit `held` on, in
    /// cycle `later` + k.
    void packet(const lane& l, std::uint32_t flits, std::uint32_t from, std::uint32_t held = ~0u,
                std::uint32_t later = 0) {
        std::vector<std::uint32_t> at;
        for (std::uint32_t k = 0; k < flits; ++k) at.push_back(k < held ? from + k : later + k);
        m_all.back().events.packets.push_back(
            {l.in, l.vc, l.flow->header.destination, l.flow->header.state, std::move(at)});
    }
    /// Adds `count` credits for each VC of output `out`, due in the cycles from, from + every, from + 2 *
    /// every and so on; `every` 0: all at once.
    void credits(std::uint32_t out, std::uint32_t count, std::uint32_t from = 1, std::uint32_t every = 0) {
        for (std::uint32_t v = 0; v < m_s.model.vcs; ++v)
            for (std::uint32_t k = 0; k < count; ++k)
                m_all.back().events.credits.push_back({out, v, from + k * every});
    }
    /// Adds as many credits for each VC of each output that leads on as the probe has flits so far, each
    /// given as soon as a flit has left.
    void credits_of_all_flits() {
        const std::uint32_t all = m_all.back().events.flits();
        for (std::uint32_t q = 0; q < m_s.ports; ++q)
            if (m_s.out_depth[q] != 0) credits(q, all);
    }
    /// Sets the last cycle of the probe (plugin_case::cycles).
    void end(std::uint32_t cycle) { m_all.back().cycles = cycle; }

    const plugin_place& m_at;
    const router_setting& m_s;
    std::uint32_t m_pause;     ///< number of cycles after which an idle router is surely in its initial state
    std::uint32_t m_longest;   ///< largest number of flits of a packet in random traffic
    std::uint32_t m_now = 0;   ///< cycle from which the next events count
    std::vector<probe> m_all;  ///< probes so far
};

}  // namespace sare::cosim
