// SPDX-License-Identifier: Apache-2.0
#include "tlm/config/value.h"
#include "tlm/fabric/parts/cut.h"

#include <metis.h>

#include <algorithm>
#include <csignal>
#include <mutex>
#include <new>

namespace sare {
namespace {

using call = decltype(&METIS_PartGraphKway);

/// Restores the handlers of two signals. METIS replaces them to catch its own failures, and restores them
/// only in part.
class kept_signals {
  public:
    kept_signals() {
        sigaction(SIGTERM, nullptr, &m_term);
        sigaction(SIGABRT, nullptr, &m_abort);
    }
    ~kept_signals() {
        sigaction(SIGTERM, &m_term, nullptr);
        sigaction(SIGABRT, &m_abort, nullptr);
    }
    kept_signals(const kept_signals&) = delete;
    kept_signals& operator=(const kept_signals&) = delete;

  private:
    struct sigaction m_term {
    }, m_abort{};
};

/// The graph in the form of METIS: neighbours of each router, with the number of links to each.
struct metis_graph {
    std::vector<idx_t> ports, first{0}, beside, links;

    explicit metis_graph(const router_graph& g) : ports(g.ports.begin(), g.ports.end()) {
        std::vector<std::uint32_t> those;
        for (std::uint32_t r = 0; r < g.routers(); ++r) {
            those.assign(g.beside.begin() + static_cast<std::ptrdiff_t>(g.first[r]),
                         g.beside.begin() + static_cast<std::ptrdiff_t>(g.first[r + 1]));
            std::sort(those.begin(), those.end());
            for (std::size_t k = 0; k < those.size(); ++k) {
                if (k == 0 || those[k] != those[k - 1]) {
                    beside.push_back(static_cast<idx_t>(those[k]));
                    links.push_back(0);
                }
                ++links.back();
            }
            first.push_back(static_cast<idx_t>(beside.size()));
        }
    }
};

/// Lock for calls of METIS, which draws from rand() and sets handlers of signals.
std::mutex& turn() {
    static std::mutex one;
    return one;
}

router_parts cut(metis_graph& g, std::uint32_t parts, call way, idx_t tries) {
    const std::lock_guard<std::mutex> mine(turn());
    const kept_signals signals;
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_NCUTS] = tries;
    options[METIS_OPTION_UFACTOR] = 30;  // per mille more than the mean
    auto routers = static_cast<idx_t>(g.ports.size()), count = static_cast<idx_t>(parts);
    idx_t weights = 1, crossing = 0;
    std::vector<idx_t> found(g.ports.size());
    const int status = way(&routers, &weights, g.first.data(), g.beside.data(), g.ports.data(), nullptr,
                           g.links.data(), &count, nullptr, nullptr, options, &crossing, found.data());
    if (status == METIS_ERROR_MEMORY) throw std::bad_alloc();
    // A signal may have stopped it.
    if (status != METIS_OK) throw config::error("METIS has not finished cutting the network into parts");
    return {found.begin(), found.end()};
}

}  // namespace

std::vector<router_parts> metis_cuts(const router_graph& g, std::uint32_t parts) {
    // Fewest routers a part: METIS halves until there are enough parts, and fails if a half is empty.
    constexpr std::uint32_t least = 4;
    // Limits of time and memory: a graph of `most_links` takes seconds and some 100 MB (docs/parallel.md).
    constexpr std::size_t many_links = std::size_t{1} << 21, most_links = std::size_t{1} << 25;
    if (g.routers() / least < parts || g.beside.size() > most_links) return {};
    const bool few = g.beside.size() <= many_links;
    metis_graph graph(g);
    std::vector<router_parts> all{cut(graph, parts, METIS_PartGraphKway, few ? 4 : 1)};
    if (few) all.push_back(cut(graph, parts, METIS_PartGraphRecursive, 4));
    return all;
}

}  // namespace sare
