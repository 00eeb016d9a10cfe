// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/place_names.h"
#include "traffic/placement/placement.h"
#include "traffic/spatial/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace sare::traffic::variants::file {
namespace {

struct parameters {
    std::string file;
    std::uint32_t application = 0;
};

/// Lines `node task application`, each task of the application once.
class from_file final : public placement {
  public:
    from_file(const parameters& p, const placement_context& c)
        : m_context(c), m_file(p.file), m_application(p.application + c.application) {
        if (p.file.empty()) throw config::error(c.at, "placement 'file' needs 'file: ' with its lines");
        std::istringstream in(read_text(c.at, c.folder, p.file));
        std::string line;
        for (int number = 1; std::getline(in, line); ++number) {
            line.erase(std::min(line.find('#'), line.size()));
            if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
            const entry e = read(line, number);
            if (e.application == m_application) m_lines.push_back(e);
        }
    }

    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_lines.size()); }

    std::vector<std::uint32_t> nodes_of(const placement_request& what,
                                        const traffic_port& port) const override {
        constexpr std::uint32_t nowhere = ~std::uint32_t{0};
        std::vector<std::uint32_t> nodes(what.tasks, nowhere), used(port.nodes());
        const place_names none;
        const place_names& names = port.names() != nullptr ? *port.names() : none;
        for (const entry& e : m_lines) {
            const std::uint32_t node = names.find(place_kind::node, e.node, port.nodes(), place(e.line));
            if (e.task >= what.tasks)
                wrong(e.line, fmt::format("there is no task {}; {} has tasks 0 to {}", e.task, what.title,
                                          what.tasks - 1));
            if (nodes[e.task] != nowhere) wrong(e.line, fmt::format("task {} has a node already", e.task));
            if (what.taken != nullptr && (*what.taken)[node])
                wrong(e.line, names.text(place_kind::node, node) +
                                  " is another application's; take a free one, or set 'shared'");
            if (++used[node] > what.tasks_per_node)
                wrong(e.line, fmt::format("{} has {} tasks already; raise 'tasks_per_node'",
                                          names.text(place_kind::node, node), what.tasks_per_node));
            nodes[e.task] = node;
        }
        for (std::uint32_t t = 0; t < what.tasks; ++t)
            if (nodes[t] == nowhere)
                throw config::error(
                    m_context.at, fmt::format("placement file '{}' has no node for task {} of application {}",
                                              m_file, t, m_application));
        return nodes;
    }

  private:
    struct entry {
        std::string node;
        std::uint64_t task = 0, application = 0;
        int line = 0;
    };
    entry read(const std::string& line, int number) const {
        std::istringstream words(line);
        entry e;
        e.line = number;
        std::string rest;
        const bool negative =
            line.find('-', line.find_first_of(" \t")) != std::string::npos || line[0] == '-';
        if (negative || !(words >> e.node >> e.task >> e.application) || words >> rest)
            wrong(number, "a line must be 'node task application': integers from 0, or the node's name");
        if (m_context.applications != 0 && e.application >= m_context.applications)
            wrong(number, fmt::format("there is no application {}; they are 0 to {}", e.application,
                                      m_context.applications - 1));
        return e;
    }
    config::location place(int line) const { return {file_path(m_context.folder, m_file), line, 1}; }
    [[noreturn]] void wrong(int line, const std::string& text) const {
        throw config::error(place(line), text);
    }

    placement_context m_context;
    std::string m_file;
    std::uint64_t m_application;
    std::vector<entry> m_lines;  ///< lines of this application
};

const config::registration<placement, const placement_context&> registered{
    "file", "Node by task, from a file.",
    config::schema<parameters>()
        .text("file", &parameters::file,
              "lines 'node task application', the node by number or name; # starts a comment")
        .number("application", &parameters::application, 0, 65535, "",
                "whose lines count; of several instances, the first one's"),
    config::made<from_file>};

}  // namespace
}  // namespace sare::traffic::variants::file
