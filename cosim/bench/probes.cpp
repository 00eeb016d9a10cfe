// SPDX-License-Identifier: Apache-2.0
#include "cosim/bench/probes.h"

#include "tlm/base/bits.h"

#include <algorithm>

namespace sare::cosim {
namespace {

/// Writes the events of probes.
class probe_writer {
  public:
    explicit probe_writer(const plugin_place& at) : m_at(at), m_s(at.setting()) {
        const pins::router_facts& f = at.facts();
        m_pause = 16 + 8 * f.max_latency + f.settling + f.credit_delay + 2 * m_s.ports * m_s.model.vcs;
        if (f.encoded_credits) m_pause += m_s.model.vcs * most_beyond();
        m_patience = patience_of(f, m_s.ports * m_s.model.vcs);
        m_longest = m_s.cut_through() ? std::min(m_s.model.depth, least_beyond()) : 2 * m_s.model.depth + 2;
    }

    std::vector<probe> all() {
        idle_router(plugin_start::two_states, "one flit in the idle router");
        alone("one packet alone at full rate", std::min(m_longest, 24u));
        alone("longest packets",
              m_s.cut_through() ? m_longest : std::min(at_most(), std::max(64u, m_longest)));
        for (std::uint32_t out = 0; out < m_s.ports; ++out) {
            if (inputs_to(out).empty()) continue;
            withheld(out);
            full(out);
            contended(out);
        }
        idle_router(plugin_start::mid_traffic, "reset in mid-traffic");
        return std::move(m_all);
    }

  private:
    /// One flow of each input VC to an output; of all VCs of an input the same flow, if it may use them.
    struct lane {
        std::uint32_t in, vc;
        const packet_flow* flow;
    };
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
    /// Returns one of the lanes of each input, with another VC from input to input.
    std::vector<lane> one_of_each_input(std::uint32_t out) const {
        std::vector<lane> found;
        for (const lane& l : inputs_to(out))
            if (found.empty() || found.back().in != l.in)
                found.push_back(l);
            else if (l.vc == (l.in + out) % m_s.model.vcs)
                found.back() = l;
        return found;
    }
    std::uint32_t most_beyond() const {
        return *std::max_element(m_s.out_depth.begin(), m_s.out_depth.end());
    }
    std::uint32_t least_beyond() const {
        std::uint32_t least = ~0u;
        for (const std::uint32_t d : m_s.out_depth) least = d == 0 ? least : std::min(least, d);
        return least;
    }

    std::uint32_t at_most() const { return m_at.longest() == 0 ? ~0u : m_at.longest(); }

    void begin(const std::string& name) {
        m_all.push_back({name, {}, 0, plugin_start::two_states});
        m_now = 4;
    }
    /// Adds a packet whose flits may come one a cycle from `from` on; those from the `held`th on from `later`
    /// on.
    void packet(const lane& l, std::uint32_t flits, std::uint32_t from, std::uint32_t held = ~0u,
                std::uint32_t later = 0) {
        std::vector<std::uint32_t> at;
        for (std::uint32_t k = 0; k < flits; ++k) at.push_back(k < held ? from + k : later + k);
        m_all.back().events.packets.push_back(
            {l.in, l.vc, l.flow->header.destination, l.flow->header.state, std::move(at)});
    }
    /// Gives `count` credits for each VC of an output, as soon as there are flits for them, from a cycle on,
    /// one in `every` cycles.
    void credits(std::uint32_t out, std::uint32_t count, std::uint32_t from = 1, std::uint32_t every = 0) {
        for (std::uint32_t v = 0; v < m_s.model.vcs; ++v)
            for (std::uint32_t k = 0; k < count; ++k)
                m_all.back().events.credits.push_back({out, v, from + k * every});
    }
    void credits_of_all_flits() {
        const std::uint32_t all = m_all.back().events.flits();
        for (std::uint32_t q = 0; q < m_s.ports; ++q)
            if (m_s.out_depth[q] != 0) credits(q, all);
    }
    void end(std::uint32_t cycle) { m_all.back().cycles = cycle; }

    void idle_router(plugin_start start, const char* name) {
        begin(name);
        m_all.back().start = start;
        for (std::uint32_t out = 0; out < m_s.ports; ++out)
            for (const lane& l : start == plugin_start::mid_traffic ? one_of_each_input(out) : inputs_to(out))
                packet(l, 1, m_now += m_pause);
        credits_of_all_flits();
        end(m_now + m_pause);
    }

    /// Packets that are each alone in the router, from every input to every output.
    void alone(const char* name, std::uint32_t flits) {
        begin(name);
        const std::uint32_t step = m_pause + flits * std::max(1u, m_at.facts().cycles_per_flit + 1);
        for (std::uint32_t out = 0; out < m_s.ports; ++out)
            for (const lane& l : one_of_each_input(out)) packet(l, flits, m_now += step);
        credits_of_all_flits();
        end(m_now + step);
    }

    /// Packets that use all credits of an output. Then credits come one by one: each must let a flit go. Then
    /// all come, while full inputs are read and written at once.
    void withheld(std::uint32_t out) {
        begin("credits of output " + std::to_string(out) + " withheld");
        const std::uint32_t beyond = m_s.out_depth[out], vcs = m_s.model.vcs;
        const std::uint32_t flits = m_s.cut_through() ? m_longest : beyond + 8;
        for (const lane& l : inputs_to(out))
            for (std::uint32_t sent = 0; sent < beyond + 8; sent += flits) packet(l, flits, m_now);
        m_now += (beyond + 8) * vcs * 2 + m_pause;
        for (std::uint32_t k = 0; k < 4; ++k, m_now += m_pause) credits(out, 1, m_now);
        credits(out, m_all.back().events.flits(), m_now, 1);
        end(m_now + 3 * m_all.back().events.flits() + m_pause);
    }

    /// A packet that holds an output, with its last flits held back, before inputs that fill up behind it.
    void full(std::uint32_t out) {
        begin("buffers full and empty before output " + std::to_string(out));
        const std::uint32_t flits = m_s.cut_through() ? m_longest : m_s.model.depth + 3;
        const std::vector<lane> lanes = inputs_to(out);
        const std::uint32_t later = m_now + 8 * m_pause + (flits + 2) * m_s.model.vcs;
        for (std::uint32_t v = 0; v < std::min<std::size_t>(m_s.model.vcs, lanes.size()); ++v)
            if (lanes[v].in == lanes[0].in && !m_s.cut_through())
                packet(lanes[v], 3, m_now + 2 * v, 1, later);
        for (const lane& l : lanes)
            if (l.in != lanes[0].in || m_s.cut_through())
                for (std::uint32_t n = 0; n < 3; ++n) packet(l, flits, m_now + m_pause);
        credits(out, m_all.back().events.flits());
        end(later + 3 * m_all.back().events.flits() + m_pause);
    }

    /// Packets of every input VC to one output, until one that is never served has lost patience.
    void contended(std::uint32_t out) {
        for (const std::uint32_t flits : {1u, 3u}) {
            begin("all inputs to output " + std::to_string(out) + ", packets of " + std::to_string(flits));
            const std::vector<lane> lanes = inputs_to(out);
            const auto all = static_cast<std::uint32_t>(lanes.size());
            if (all < 2 || flits > m_longest) {
                m_all.pop_back();
                return;
            }
            const std::uint32_t cycles = std::min(20000u, (m_patience + 4 * m_pause) * (flits + 1));
            for (const lane& l : lanes)
                for (std::uint32_t n = 0; n < cycles / (all - 1) / flits + 2; ++n) packet(l, flits, m_now);
            credits(out, m_all.back().events.flits());
            end(cycles);
        }
    }

    const plugin_place& m_at;
    const router_setting& m_s;
    std::uint32_t m_pause;     ///< cycles in which an idle router surely gets into its initial state
    std::uint32_t m_patience;  ///< see router_facts::patience
    std::uint32_t m_longest;   ///< flits of packets that random traffic has, at most
    std::uint32_t m_now = 0;   ///< cycle of the next event
    std::vector<probe> m_all;
};

}  // namespace

std::vector<probe> probes_of(const plugin_place& at) {
    return probe_writer(at).all();
}

}  // namespace sare::cosim
