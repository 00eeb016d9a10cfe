// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/joined.h"
#include "traffic/bridge/simbricks/handshake.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <list>
#include <optional>

namespace sare::traffic::simbricks {
namespace {

using clock = std::chrono::steady_clock;

struct parameters {
    std::vector<std::string> connect, listen;
    std::uint32_t first_node = 0, entries = 1024;
    picoseconds link_latency = 500'000;
    double handshake_s = 10;
};

/// A NIC that is to come, by its own socket.
struct awaited {
    socket_address address;
    std::uint32_t node = 0;
    bool listens = false;              ///< true: Sare listens
    std::unique_ptr<listener> door{};  ///< listener, if so
    std::optional<handshake> shake{};  ///< handshake, once the NIC is there
    clock::time_point since{};
    bool joined = false;
};

class simbricks_reception final : public reception {
  public:
    simbricks_reception(const parameters& p, const config::value& section, const reception_context& c)
        : m(p), m_at(section.where()) {
        for (const std::string& path : p.connect) add(path, false, c);
        for (const std::string& path : p.listen) add(path, true, c);
        if (m_all.empty())
            throw config::error(
                m_at, "protocol 'simbricks': 'connect' or 'listen' names a Unix socket for each NIC");
    }

    void open(bridge_terms& terms, const warner& warn) override {
        m_warn = warn;
        if (m.first_node + m_all.size() > terms.nodes)
            throw config::error(
                m_at, fmt::format("protocol 'simbricks': {} NICs from node {} on; the network has {} nodes",
                                  m_all.size(), m.first_node, terms.nodes));
        for (awaited& a : m_all)
            if (a.listens) a.door = std::make_unique<listener>(a.address, m_at);
    }
    void watch(std::vector<pollfd>& all) const override {
        for (const awaited& a : m_all) {
            if (a.joined) continue;
            if (a.shake)
                all.push_back({a.shake->get(), POLLIN, 0});
            else if (a.door)
                all.push_back({a.door->get(), POLLIN, 0});
        }
    }
    void attend(bridge_terms& terms, std::vector<std::unique_ptr<peer>>& peers) override {
        for (awaited& a : m_all) {
            if (a.joined) continue;
            try {
                attend(a, terms, peers);
            } catch (const peer_failure& f) {
                refuse(a, f.what());
            }
        }
    }
    bool complete() const override { return joined() == m_all.size(); }
    void close() override {
        for (awaited& a : m_all) {
            a.door.reset();
            a.shake.reset();
        }
    }
    std::string address() const override {
        return sare::joined(m_all, " ", [](const awaited& a) { return a.address.text(); });
    }
    std::string state() const override { return fmt::format("{} of {} NICs", joined(), m_all.size()); }

  private:
    void add(const std::string& path, bool listens, const reception_context& c) {
        awaited a;
        a.address = socket_address::read(path, m_at, false, c.folder);
        if (a.address.path.empty())
            throw config::error(m_at, "'" + path + "': SimBricks' NICs come in by Unix sockets");
        a.listens = listens;
        a.node = m.first_node + static_cast<std::uint32_t>(m_all.size());
        m_all.push_back(std::move(a));
    }

    void attend(awaited& a, bridge_terms& terms, std::vector<std::unique_ptr<peer>>& peers) {
        if (!a.shake) {
            descriptor line = a.listens ? a.door->accept() : connect_to(a.address);
            if (!line.is_open()) return;
            a.since = clock::now();
            a.shake = a.listens ? handshake::as_listener(std::move(line), m.entries, terms.max_frame)
                                : handshake::as_connecter(std::move(line));
        }
        if (a.shake->hear()) return join(a, terms, peers);
        if (std::chrono::duration<double>(clock::now() - a.since).count() > m.handshake_s)
            throw peer_failure("no first words within " + config::number_text(m.handshake_s) + " s");
    }

    void join(awaited& a, bridge_terms& terms, std::vector<std::unique_ptr<peer>>& peers) {
        connection c = a.shake->finish(terms.max_frame);
        std::vector<computer> one{{a.node, {}}};
        take_nodes(terms, one);
        c.who = one[0];
        c.name = a.address.path.substr(a.address.path.rfind('/') + 1);
        peers.push_back(std::make_unique<link>(std::move(c), m.link_latency, terms));
        a.joined = true;
        a.shake.reset();
        a.door.reset();
    }

    /// Refuses a NIC. If Sare listens, another one may come; if it has connected, there is no other.
    void refuse(awaited& a, const std::string& why) {
        if (!a.listens) throw config::error(m_at, "bridge: the NIC at " + a.address.text() + ": " + why);
        a.shake.reset();
        m_warn("bridge: a connection at " + a.address.text() + " was refused: " + why);
    }

    std::size_t joined() const {
        return static_cast<std::size_t>(
            std::count_if(m_all.begin(), m_all.end(), [](const awaited& a) { return a.joined; }));
    }

    parameters m;
    config::location m_at;
    warner m_warn;
    std::list<awaited> m_all;
};

const config::registration<reception, const reception_context&> registered{
    "simbricks",
    "Ethernet of SimBricks: queues in shared memory (docs/bridge-protocols.md); Sare is the network.",
    config::schema<parameters>()
        .texts("connect", &parameters::connect,
               "Unix sockets of NICs that listen, as SimBricks' do: a node each, in order")
        .texts("listen", &parameters::listen,
               "Unix sockets at which Sare listens for a NIC each; their nodes follow")
        .number("first_node", &parameters::first_node, 0, 4e9, "", "of the network: the first NIC's")
        .number("link_latency", &parameters::link_latency, 1, 1e15, "ps",
                "of the link to a NIC, each way: what SimBricks is told, too")
        .number("entries", &parameters::entries, 1, 1 << 20, "messages", "of each queue, where Sare listens")
        .number("handshake_s", &parameters::handshake_s, 0.01, 86400, "s",
                "of the host, for a NIC's first words"),
    config::made<simbricks_reception>};

}  // namespace
}  // namespace sare::traffic::simbricks
