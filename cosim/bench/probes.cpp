// SPDX-License-Identifier: Apache-2.0
#include "cosim/bench/probe_writer.h"

#include "tlm/base/bits.h"

#include <fmt/format.h>

namespace sare::cosim {
namespace {

/// Writes all probes of a test.
class test_probes : probe_writer {
  public:
    using probe_writer::probe_writer;

    std::vector<probe> all() {
        idle_router(plugin_start::two_states, "one flit in the idle router");
        alone("one packet alone at full rate", std::min(m_longest, 24u));
        alone("longest packets", packet_of(std::max(64u, m_longest)));
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
        begin(fmt::format("credits of output {} withheld", out));
        const std::uint32_t beyond = m_s.out_depth[out], vcs = m_s.model.vcs;
        const std::uint32_t flits = packet_of(beyond + 8);
        for (const lane& l : inputs_to(out))
            for (std::uint32_t sent = 0; sent < beyond + 8; sent += flits) packet(l, flits, m_now);
        m_now += (beyond + 8) * vcs * 2 + m_pause;
        for (std::uint32_t k = 0; k < 4; ++k, m_now += m_pause) credits(out, 1, m_now);
        credits(out, m_all.back().events.flits(), m_now, 1);
        end(m_now + 3 * m_all.back().events.flits() + m_pause);
    }

    /// A packet that holds an output, with its last flits held back, before inputs that fill up behind it.
    void full(std::uint32_t out) {
        begin(fmt::format("buffers full and empty before output {}", out));
        const std::uint32_t all = m_s.model.depth + 3, flits = packet_of(all);
        const std::vector<lane> lanes = inputs_to(out);
        const std::uint32_t later = m_now + 8 * m_pause + (flits + 2) * m_s.model.vcs;
        for (std::uint32_t v = 0; v < std::min<std::size_t>(m_s.model.vcs, lanes.size()); ++v)
            if (lanes[v].in == lanes[0].in && !m_s.cut_through())
                packet(lanes[v], packet_of(3), m_now + 2 * v, 1, later);
        for (const lane& l : lanes)
            if (l.in != lanes[0].in || m_s.cut_through())
                for (std::uint32_t sent = 0; sent < 3 * all; sent += flits) packet(l, flits, m_now + m_pause);
        credits(out, m_all.back().events.flits());
        end(later + 3 * m_all.back().events.flits() + m_pause);
    }

    /// Packets of every input VC to one output, until one that is never served has lost patience.
    void contended(std::uint32_t out) {
        for (const std::uint32_t flits : {1u, 3u}) {
            begin(fmt::format("all inputs to output {}, packets of {}", out, flits));
            const std::vector<lane> lanes = inputs_to(out);
            const auto all = static_cast<std::uint32_t>(lanes.size());
            if (all < 2 || flits > m_longest) {
                m_all.pop_back();
                return;
            }
            const std::uint32_t cycles = std::min(
                20000u, (patience_of(m_at.facts(), m_s.ports * m_s.model.vcs) + 4 * m_pause) * (flits + 1));
            for (const lane& l : lanes)
                for (std::uint32_t n = 0; n < cycles / (all - 1) / flits + 2; ++n) packet(l, flits, m_now);
            credits(out, m_all.back().events.flits());
            end(cycles);
        }
    }
};

}  // namespace

std::vector<probe> probes_of(const plugin_place& at) {
    return test_probes(at).all();
}

}  // namespace sare::cosim
