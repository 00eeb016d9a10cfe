// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/insee/cluster.h"
#include "traffic/bridge/newcomers.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::traffic::insee {
namespace {

constexpr std::uint64_t most_cycles = 0x7fffffff;  ///< limit of a `long` of 4 bytes

/// The reception of hosts, which come in by TCP, their MAC first; their clients come by UDP.
class insee_reception final : public reception {
  public:
    insee_reception(const parameters& p, const config::value& section)
        : m(p),
          m_at(section.where()),
          m_newcomers("MAC", p.handshake_s, [](byte_stream&, const std::string&) {}) {
        m_listen = socket_address::read(p.listen, m_at, p.anywhere);
        if (!m_listen.path.empty())
            throw config::error(m_at, "'" + p.listen + "': INSEE's hosts come in by TCP");
        m_synchronise = socket_address::read_udp(p.synchronise, m_at, p.anywhere);
    }

    void open(bridge_terms& terms, const warner& warn) override {
        m_warn = warn;
        if (terms.quantum % m.cpu_cycle != 0 || terms.quantum / m.cpu_cycle > most_cycles)
            throw config::error(
                m_at,
                fmt::format("a quantum of {} ps is no whole number of client cycles of {} ps below 2^31",
                            terms.quantum, m.cpu_cycle));
        m_newcomers.open(m_listen, m_at, warn);
        m_listen = m_newcomers.address();
        m_step.emplace(datagrams(m_synchronise, m.group, m_at), m.hosts, m.resend_s);
        m_synchronise = m_step->address();
    }
    void watch(std::vector<pollfd>& all) const override {
        m_newcomers.watch(all);
        if (m_step) m_step->watch(all);
    }
    void attend(bridge_terms& terms, std::vector<std::unique_ptr<peer>>& peers) override {
        if (m_complete) return;
        m_newcomers.attend([&](byte_stream& line) { return join(line, terms); },
                           [this] { return m_hosts.size() == m.hosts; });
        leave(has_gone, terms);
        hear_clients();
        if (m_hosts.size() != m.hosts || m_step->hosts() != m.hosts) return;
        peers.push_back(std::make_unique<cluster>(m, std::move(m_hosts), std::move(*m_step), terms, m_warn));
        m_step.reset();
        m_complete = true;
    }
    bool complete() const override { return m_complete; }
    void close() override { m_newcomers.close("the run has all its hosts"); }
    std::string address() const override { return m_listen.text() + " " + m_synchronise.text(); }
    std::string state() const override {
        const std::string all = fmt::format(" of {} hosts", m.hosts);
        if (m_complete) return std::to_string(m.hosts) + all;
        return fmt::format("{}{}, and CONNECT of {}", m_hosts.size(), all, m_step ? m_step->hosts() : 0);
    }

  private:
    static constexpr std::size_t most_early = 1 << 16;  ///< bytes of frames, before the run begins

    /// Returns true if the host has its node.
    bool join(byte_stream& line, bridge_terms& terms) {
        computer c;
        c.macs.emplace_back();
        mac_address& mac = c.macs.back();
        if (line.size() < mac.bytes.size()) return false;
        std::copy_n(line.begin(), mac.bytes.size(), mac.bytes.begin());
        line.take(mac.bytes.size());
        leave([&](const host& h) { return h.who.macs == c.macs; }, terms);  // it comes once more
        c.node = mac.bytes.back();
        std::vector<computer> one{c};
        take_nodes(terms, one);
        line.queue(std::string("OK", 3));  // with the 0 at its end
        m_hosts.push_back({c, std::move(line)});
        return true;
    }

    static bool has_gone(host& h) {
        try {
            h.line.flush();
            return h.line.size() < most_early && !h.line.read();
        } catch (const peer_failure&) {
            return true;
        }
    }
    template <class F>
    void leave(F&& is_wanted, bridge_terms& terms) {
        for (auto h = m_hosts.begin(); h != m_hosts.end();) {
            if (!is_wanted(*h)) {
                ++h;
                continue;
            }
            m_warn("bridge: " + h->who.macs[0].text() + " at " + m_listen.text() +
                   " is gone before the run began");
            terms.computers[h->who.node] = {};
            h = m_hosts.erase(h);
        }
    }

    void hear_clients() {
        try {
            m_step->attend(m_warn);
        } catch (const peer_failure& f) {
            throw config::error(m_at, std::string("bridge: 'insee', before the run began: ") + f.what());
        }
    }

    parameters m;
    config::location m_at;
    socket_address m_listen, m_synchronise;
    newcomers m_newcomers;
    warner m_warn;
    std::optional<lock_step> m_step;
    std::vector<host> m_hosts;
    bool m_complete = false;
};

const config::registration<reception, const reception_context&> registered{
    "insee", "INSEE's protocol for the hosts of its full-system simulations (docs/bridge-protocols.md).",
    config::schema<parameters>()
        .text("listen", &parameters::listen, "tcp:HOST:PORT (port 0: any that is free) for the hosts' frames")
        .text("synchronise", &parameters::synchronise,
              "udp:HOST:PORT (IPv4) for CONNECT, OK, TS and CONTINUE")
        .text("group", &parameters::group,
              "multicast group of the latter, by HOST's interface (INSEE's is 225.0.0.37); none: each client "
              "is answered at its own address")
        .flag("anywhere", &parameters::anywhere,
              "both may be reached from other machines; whoever connects takes part")
        .number("hosts", &parameters::hosts, 1, 256, "",
                "computers that the run begins with; the node is the MAC's last byte")
        .number("cpu_cycle", &parameters::cpu_cycle, 1, 1e12, "ps",
                "of the clients, in which their times are counted")
        .flag("region_ends_run", &parameters::region_ends_run,
              "the clients leave with the region of interest: their protocol has no goodbye")
        .number("handshake_s", &parameters::handshake_s, 0.01, 86400, "s",
                "of the host, from a connection to its MAC")
        .number("resend_s", &parameters::resend_s, 0.01, 86400, "s",
                "of the host, without a TS, until CONTINUE is sent once more"),
    config::made<insee_reception>};

}  // namespace
}  // namespace sare::traffic::insee
