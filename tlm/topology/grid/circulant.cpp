// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/grid/circulant.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sare {
namespace {

struct free_parameters : circulant_parameters {
    std::vector<std::uint32_t> steps{1, 4};
};

config::schema<free_parameters> free_fields() {
    config::schema<free_parameters> all;
    all.include(circulant_fields(2))
        .integers("steps", &free_parameters::steps, 1, most_routers - 1, "routers",
                  "how far the links of a router lead; n / 2 is one link, the others two; left out below 6 "
                  "routers: 1, and 2 from 4 on")
        .follows("steps", [](free_parameters& p) {
            if (p.n < 6) p.steps = p.n < 4 ? std::vector<std::uint32_t>{1} : std::vector<std::uint32_t>{1, 2};
        });
    return all;
}

/// Most ports of a router that lead along steps: routing has a mask of them.
constexpr std::uint32_t most_step_ports = 64;

/// The first step that is that of `later` again, or leads its way back; none if it is new.
std::optional<std::uint32_t> known_before(const free_parameters& p, std::size_t later) {
    const std::uint32_t s = p.steps[later];
    for (std::size_t i = 0; i < later; ++i)
        if (p.steps[i] == s || (!p.unidirectional && p.steps[i] == p.n - s)) return p.steps[i];
    return std::nullopt;
}

void check_steps(const free_parameters& p, const config::value& section) {
    const auto at = place(section, "steps");
    const std::string n = std::to_string(p.n);
    if (p.steps.empty()) throw config::error(at, "'steps' is empty; give at least one step");
    if (p.steps.size() * (p.unidirectional ? 1 : 2) > most_step_ports)
        throw config::error(at, fmt::format("'steps' has {} numbers; a router has at most {} ports for "
                                            "steps, and each step takes one or two",
                                            p.steps.size(), most_step_ports));
    std::uint32_t common = p.n;
    for (std::size_t i = 0; i < p.steps.size(); ++i) {
        const std::uint32_t s = p.steps[i];
        const std::string has = fmt::format("'steps' has {}", s);
        if (s >= p.n)
            throw config::error(
                at, fmt::format("{} and 'n' is {}; a step must be from 1 to {}", has, n, p.n - 1));
        const auto before = known_before(p, i);
        if (before && *before == s) throw config::error(at, has + " twice; each step once");
        if (before)
            throw config::error(
                at,
                fmt::format("{} beside {} with 'n' {}: the same links the other way round; give one of them",
                            has, *before, n));
        common = std::gcd(common, s);
    }
    if (common != 1)
        throw config::error(at, fmt::format("'steps' and 'n' ({}) have the common divisor {}: the network "
                                            "falls into {} parts; it must be 1",
                                            n, common, common));
}

/// With one step it is a ring, in another order of routers.
closed_forms known(const free_parameters& p) {
    if (p.steps.size() != 1) return {};
    const double n = p.n;
    std::optional<std::uint64_t> bisection;
    if (p.n % 2 == 0) bisection = p.unidirectional || p.n == 2 ? 2 : 4;
    if (p.unidirectional) return {p.n - 1, (n - 1) / 2, bisection};
    return {p.n / 2, p.n % 2 == 0 ? n / 4 : (n * n - 1) / (4 * n), bisection};
}

topology* make_free(const free_parameters& p, const config::value& section) {
    check_steps(p, section);
    return make_circulant("circulant", p, p.steps, known(p), section);
}

const config::registration<topology> registered_circulant{
    "circulant", "n routers, each linked to those that are one of a few steps further or back.",
    free_fields(), make_free};

}  // namespace

config::schema<circulant_parameters> circulant_fields(std::uint32_t least) {
    using p = circulant_parameters;
    config::schema<p> all;
    all.number("n", &p::n, least, most_routers, "routers", "routers in the network")
        .flag("unidirectional", &p::unidirectional, "links lead only the + way")
        .number("concentration", &p::concentration, 1, most_ports, "nodes", concentration_sentence)
        .include(link_fields());
    return all;
}

topology* make_circulant(const std::string& name, const circulant_parameters& p,
                         const std::vector<std::uint32_t>& steps, const closed_forms& known,
                         const config::value& section) {
    step_shape shape;
    shape.dims = {p.n};
    shape.more_axes = static_cast<std::uint32_t>(steps.size()) - 1;
    shape.concentration = p.concentration;
    shape.unidirectional = p.unidirectional;
    shape.one_link_back = true;
    for (const auto s : steps) shape.steps.push_back({s});
    const std::uint64_t ports = std::uint64_t{shape.router_ports()} + p.concentration;
    if (ports > most_ports)
        throw config::error(
            place(section, steps.size() > 2 ? "steps" : "concentration"),
            fmt::format("{} steps and 'concentration' {} make {} ports; a router has at most {}",
                        steps.size(), p.concentration, ports, most_ports));
    if (std::uint64_t{p.n} * p.concentration > most_nodes)
        throw config::error(place(section, "n"),
                            fmt::format("'n' is {} and 'concentration' is {}: more than {} nodes", p.n,
                                        p.concentration, most_nodes));
    return new step_network(name, shape, known, p, section);
}

}  // namespace sare
