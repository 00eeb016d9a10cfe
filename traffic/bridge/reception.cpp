// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/session.h"

#include <algorithm>
#include <chrono>
#include <list>
#include <optional>

namespace sare::traffic {
namespace {

using clock = std::chrono::steady_clock;

struct parameters {
    std::string listen;
    bool anywhere = false;
    std::uint32_t sessions = 1;
    double handshake_s = 10;
};

/// Connections that speak the bridge's own protocol become peers with their HELLO.
class sare_reception final : public reception {
  public:
    sare_reception(const parameters& p, const config::value& section, const reception_context& c)
        : m(p), m_at(section.where()) {
        const config::value* listen = section.find("listen");
        if (listen != nullptr) m_at = listen->where();
        const std::string where = p.listen.empty() ? "unix:" + c.private_folder + "/sare.sock" : p.listen;
        m_address = socket_address::read(where, m_at, p.anywhere);
        if (!m_address.path.empty() && m_address.path[0] != '/' && !c.folder.empty())
            m_address.path = c.folder + "/" + m_address.path;
    }

    void open(bridge_terms&, const warner& warn) override {
        m_warn = warn;
        m_listener.emplace(m_address, m_at);
        m_address = m_listener->address();
    }
    void watch(std::vector<pollfd>& all) const override {
        if (!m_listener) return;
        all.push_back({m_listener->get(), POLLIN, 0});
        for (const newcomer& n : m_newcomers) all.push_back({n.line.get(), POLLIN, 0});
    }
    void attend(bridge_terms& terms, std::vector<std::unique_ptr<peer>>& peers) override {
        accept();
        for (auto n = m_newcomers.begin(); n != m_newcomers.end() && !complete();) {
            bool stays = false;
            try {
                stays = !hear(*n, terms, peers);
            } catch (const peer_failure& f) {
                refuse(*n, f.what());
            }
            n = stays ? std::next(n) : m_newcomers.erase(n);
        }
    }
    bool complete() const override { return m_joined == m.sessions; }
    void close() override {
        for (newcomer& n : m_newcomers) refuse(n, "the run has all its sessions");
        m_newcomers.clear();
        m_listener.reset();
    }
    std::string address() const override { return m_address.text(); }
    std::string state() const override {
        return std::to_string(m_joined) + " of " + std::to_string(m.sessions) + " sessions";
    }

  private:
    struct newcomer {
        byte_stream line;
        clock::time_point since = clock::now();
    };
    static constexpr std::size_t most_newcomers = 64;

    void accept() {
        if (!m_listener) return;
        while (m_newcomers.size() < most_newcomers) {
            descriptor fd = m_listener->accept();
            if (!fd.is_open()) return;
            m_newcomers.push_back({byte_stream(std::move(fd), most_unsent)});
        }
    }

    /// True: it has become a peer.
    bool hear(newcomer& n, bridge_terms& terms, std::vector<std::unique_ptr<peer>>& peers) {
        const bool open = n.line.read();
        if (n.line.size() >= 4) {
            const auto length = wire::reader(n.line.begin(), 4).get<std::uint32_t>();
            if (length < 3 || length > wire::max_hello) throw peer_failure("it does not begin with a HELLO");
            if (n.line.size() >= 4 + std::size_t{length}) {
                join(n, length, terms, peers);
                return true;
            }
        }
        if (!open) throw peer_failure("it hung up before its HELLO was complete");
        if (std::chrono::duration<double>(clock::now() - n.since).count() > m.handshake_s)
            throw peer_failure("no HELLO within " + config::number_text(m.handshake_s) + " s");
        return false;
    }

    void join(newcomer& n, std::uint32_t length, bridge_terms& terms,
              std::vector<std::unique_ptr<peer>>& peers) {
        wire::reader in(n.line.begin() + 4, length);
        if (in.get<std::uint8_t>() != static_cast<std::uint8_t>(wire::type::hello))
            throw peer_failure("it does not begin with a HELLO");
        wire::hello h = wire::read_hello(in);
        if (h.quantum != 0 && h.quantum != terms.quantum)
            throw peer_failure("'" + h.name + "' wants a quantum of " + std::to_string(h.quantum) +
                               " ps; this run's is " + std::to_string(terms.quantum) + " ps");
        if (std::any_of(peers.begin(), peers.end(), [&](const auto& p) { return p->name() == h.name; }))
            h.name += "-" + std::to_string(m_joined + 1);
        take_nodes(terms, h.computers);
        n.line.take(4 + std::size_t{length});
        peers.push_back(std::make_unique<session>(std::move(n.line), std::move(h), terms));
        ++m_joined;
    }

    void refuse(newcomer& n, const std::string& why) {
        m_warn("bridge: a connection at " + m_address.text() + " was refused: " + why);
        try {
            n.line.write(wire::text_record(wire::type::refused, why));
        } catch (const peer_failure&) {
            // It is not there to hear it.
        }
    }

    static constexpr std::size_t most_unsent = std::size_t{64} << 20;

    parameters m;
    config::location m_at;
    socket_address m_address;
    warner m_warn;
    std::optional<listener> m_listener;
    std::list<newcomer> m_newcomers;
    std::uint32_t m_joined = 0;
};

const config::registration<reception, const reception_context&> registered{
    "sare", "The bridge's own protocol, on a stream (docs/bridge.md); clients: libsare_bridge.so, Python.",
    config::schema<parameters>()
        .text("listen", &parameters::listen,
              "unix:PATH or tcp:HOST:PORT (port 0: any that is free); none: a Unix socket for this run alone")
        .flag("anywhere", &parameters::anywhere,
              "TCP may be reached from other machines; whoever connects takes part")
        .number("sessions", &parameters::sessions, 1, 100000, "", "that the run begins with")
        .number("handshake_s", &parameters::handshake_s, 0.01, 86400, "s",
                "of the host, from a connection to its HELLO"),
    [](const parameters& p, const config::value& section, const reception_context& c) {
        return new sare_reception(p, section, c);
    }};

}  // namespace
}  // namespace sare::traffic
