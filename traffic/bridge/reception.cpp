// SPDX-License-Identifier: Apache-2.0
#include "traffic/bridge/newcomers.h"
#include "traffic/bridge/session.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::traffic::variants::sare {
namespace {

struct parameters {
    std::string listen;
    bool anywhere = false;
    std::uint32_t sessions = 1;
    double handshake_s = 10;
};

/// The reception of connections that speak the bridge's own protocol; with their HELLO they become peers.
class sare_reception final : public reception {
  public:
    sare_reception(const parameters& p, const config::value& section, const reception_context& c)
        : m(p), m_at(section.where()), m_newcomers("HELLO", p.handshake_s, say_refused) {
        const config::value* listen = section.find("listen");
        if (listen != nullptr) m_at = listen->where();
        const std::string where = p.listen.empty() ? "unix:" + c.private_folder + "/sare.sock" : p.listen;
        m_address = socket_address::read(where, m_at, p.anywhere, c.folder);
    }

    void open(bridge_terms&, const warner& warn) override {
        m_newcomers.open(m_address, m_at, warn);
        m_address = m_newcomers.address();
    }
    void watch(std::vector<pollfd>& all) const override { m_newcomers.watch(all); }
    void attend(bridge_terms& terms, std::vector<std::unique_ptr<peer>>& peers) override {
        m_newcomers.attend([&](byte_stream& line) { return hear(line, terms, peers); },
                           [this] { return complete(); });
    }
    bool complete() const override { return m_joined == m.sessions; }
    void close() override { m_newcomers.close("the run has all its sessions"); }
    std::string address() const override { return m_address.text(); }
    std::string state() const override { return fmt::format("{} of {} sessions", m_joined, m.sessions); }

  private:
    static void say_refused(byte_stream& line, const std::string& why) {
        line.write(wire::text_record(wire::type::refused, why));
    }

    /// Returns true if the connection has become a peer.
    bool hear(byte_stream& line, bridge_terms& terms, std::vector<std::unique_ptr<peer>>& peers) {
        if (line.size() < 4) return false;
        const auto length = wire::reader(line.begin(), 4).get<std::uint32_t>();
        if (length < 3 || length > wire::max_hello) throw peer_failure("it does not begin with a HELLO");
        if (line.size() < 4 + std::size_t{length}) return false;
        join(line, length, terms, peers);
        return true;
    }

    void join(byte_stream& line, std::uint32_t length, bridge_terms& terms,
              std::vector<std::unique_ptr<peer>>& peers) {
        wire::reader in(line.begin() + 4, length);
        if (in.get<std::uint8_t>() != static_cast<std::uint8_t>(wire::type::hello))
            throw peer_failure("it does not begin with a HELLO");
        wire::hello h = wire::read_hello(in);
        if (h.quantum != 0 && h.quantum != terms.quantum)
            throw peer_failure(fmt::format("'{}' wants a quantum of {} ps; this run's is {} ps", h.name,
                                           h.quantum, terms.quantum));
        if (std::any_of(peers.begin(), peers.end(), [&](const auto& p) { return p->name() == h.name; }))
            h.name += fmt::format("-{}", m_joined + 1);
        take_nodes(terms, h.computers);
        line.take(4 + std::size_t{length});
        peers.push_back(std::make_unique<session>(std::move(line), std::move(h), terms));
        ++m_joined;
    }

    parameters m;
    config::location m_at;
    socket_address m_address;
    newcomers m_newcomers;
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
    config::made<sare_reception>};

}  // namespace
}  // namespace sare::traffic::variants::sare
