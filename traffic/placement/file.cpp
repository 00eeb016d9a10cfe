// SPDX-License-Identifier: Apache-2.0
#include "traffic/placement/placement.h"
#include "traffic/spatial/pattern.h"

#include <sstream>

namespace sare::traffic {
namespace {

struct parameters {
    std::string file;
    std::uint32_t application = 0;
};

/// Lines `node task application`, each task of the application once.
class from_file final : public placement {
  public:
    from_file(const parameters& p, const placement_context& c) : m(p), m_context(c) {
        if (p.file.empty()) throw config::error(c.at, "placement 'file' needs 'file: ' with its lines");
        m_text = read_text(c.at, c.folder, p.file);
    }

    std::vector<std::uint32_t> nodes_of(const placed& what, const traffic_port& port) const override {
        constexpr std::uint32_t none = ~std::uint32_t{0};
        std::vector<std::uint32_t> nodes(what.tasks, none), used(port.nodes());
        std::istringstream in(m_text);
        std::string line;
        for (int number = 1; std::getline(in, line); ++number) {
            line.erase(std::min(line.find('#'), line.size()));
            if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
            const config::location at{file_path(m_context.folder, m.file), number, 1};
            const auto [node, task, application] = read(line, at);
            if (application != m.application) continue;
            const auto wrong = [&](const std::string& text) { throw config::error(at, text); };
            if (node >= port.nodes())
                wrong("there is no node " + std::to_string(node) + "; nodes are 0 to " +
                      std::to_string(port.nodes() - 1));
            if (task >= what.tasks)
                wrong("there is no task " + std::to_string(task) + "; " + what.title + " has tasks 0 to " +
                      std::to_string(what.tasks - 1));
            if (nodes[task] != none) wrong("task " + std::to_string(task) + " has a node already");
            if (++used[node] > what.tasks_per_node)
                wrong("node " + std::to_string(node) + " has " + std::to_string(what.tasks_per_node) +
                      " tasks already; raise 'tasks_per_node'");
            nodes[task] = static_cast<std::uint32_t>(node);
        }
        for (std::uint32_t t = 0; t < what.tasks; ++t)
            if (nodes[t] == none)
                throw config::error(m_context.at, "placement file '" + m.file + "' has no node for task " +
                                                      std::to_string(t) + " of application " +
                                                      std::to_string(m.application));
        return nodes;
    }

  private:
    struct entry {
        std::uint64_t node = 0, task = 0, application = 0;
    };
    static entry read(const std::string& line, const config::location& at) {
        std::istringstream words(line);
        entry e;
        std::string rest;
        const bool negative = line.find('-') != std::string::npos;
        if (negative || !(words >> e.node >> e.task >> e.application) || words >> rest)
            throw config::error(at, "a line must be 'node task application', integers from 0");
        return e;
    }

    parameters m;
    placement_context m_context;
    std::string m_text;
};

const config::registration<placement, const placement_context&> registered{
    "file", "Node by task, from a file.",
    config::schema<parameters>()
        .text("file", &parameters::file, "lines 'node task application'; # starts a comment")
        .number("application", &parameters::application, 0, 65535, "", "whose lines count"),
    [](const parameters& p, const config::value&, const placement_context& c) {
        return new from_file(p, c);
    }};

}  // namespace
}  // namespace sare::traffic
