// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/import/booksim.h"
#include "tlm/config/schema.h"
#include "tlm/config/text_file.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <sstream>

/// BookSim2's topology anynet: a line is a router or a node, and what it is linked to, each with the cycles
/// of the channel there; the channel back has one, unless a line of its own says otherwise.
namespace sare::cli {
namespace {

constexpr std::size_t most_network_bytes = 64 << 20, most_ids = 1 << 24;

using latencies = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;

class anynet_file {
  public:
    explicit anynet_file(const std::string& file) {
        std::istringstream lines(config::read_file(file, most_network_bytes));
        m_at = {file, 0, 1};
        for (std::string line; std::getline(lines, line);) {
            ++m_at.line;
            take(line);
        }
    }

    std::string edges() const {
        std::string text = "sare-graph 1\n";
        for (const auto& [node, router] : m_nodes)
            text += fmt::format("node {} {} - {}\n", node, router.first, router.second);
        for (const auto& [ends, cycles] : m_channels) {
            const std::uint32_t back = m_channels.at({ends.second, ends.first});
            if (cycles != back)
                text += fmt::format("arc {} {} {}\n", ends.first, ends.second, cycles);
            else if (ends.first < ends.second)
                text += fmt::format("link {} {} {}\n", ends.first, ends.second, cycles);
        }
        return text;
    }

  private:
    struct place {
        bool is_router;
        std::uint32_t id;
    };

    void take(const std::string& line) {
        std::istringstream in(line);
        const std::vector<std::string> words{std::istream_iterator<std::string>(in), {}};
        if (words.empty()) return;
        std::size_t at = 0;
        const place head = read_place(words, at);
        while (at < words.size()) {
            const place other = read_place(words, at);
            const bool timed = at < words.size() && words[at] != "router" && words[at] != "node";
            link(head, other, timed ? number(words[at++], 1) : 1);
        }
    }

    place read_place(const std::vector<std::string>& words, std::size_t& at) const {
        const std::string& kind = words[at++];
        if (kind != "router" && kind != "node")
            throw config::error(m_at, fmt::format("'{}' is neither router nor node", kind));
        if (at == words.size())
            throw config::error(m_at, fmt::format("a number is missing behind '{}'", kind));
        return {kind == "router", number(words[at++], 0)};
    }

    std::uint32_t number(const std::string& word, std::int64_t least) const {
        return static_cast<std::uint32_t>(
            config::to_integer(config::value::scalar(word, m_at), "number", least, most_ids));
    }

    void link(const place& a, const place& b, std::uint32_t cycles) {
        if (a.is_router && b.is_router) {
            m_channels[{a.id, b.id}] = cycles;
            m_channels.emplace(std::pair{b.id, a.id}, 1);
            return;
        }
        if (!a.is_router && !b.is_router)
            throw config::error(m_at, "a node is linked to a node; nodes are linked to routers");
        const auto [node, router] = a.is_router ? std::pair{b.id, a.id} : std::pair{a.id, b.id};
        const auto [old, is_new] = m_nodes.emplace(node, std::pair{router, cycles});
        if (!is_new && old->second.first != router)
            throw config::error(m_at, fmt::format("node {} is linked to routers {} and {}; one is possible",
                                                  node, old->second.first, router));
        old->second.second = cycles;
    }

    config::location m_at;
    latencies m_channels;                                                      ///< channels between routers
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> m_nodes;  ///< router and cycles, by node
};

}  // namespace

std::string edges_of_anynet(const std::string& file) {
    return anynet_file(file).edges();
}

}  // namespace sare::cli
