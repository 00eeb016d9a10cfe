// SPDX-License-Identifier: Apache-2.0
#include "tlm/routing/deadlock/deadlock.h"

#include "tlm/routing/deadlock/deadlock_explorer.h"
#include "tlm/routing/equal_parts.h"
#include "tlm/topology/hyperx/hyperx.h"

#include <numeric>
#include <optional>

namespace sare {
namespace {

using verdict = deadlock_report::verdict;

std::vector<std::uint32_t> all_nodes(const topology& net) {
    std::vector<std::uint32_t> nodes(net.nodes());
    std::iota(nodes.begin(), nodes.end(), 0U);
    return nodes;
}

/// Returns the sizes of a grid or HyperX; null for other networks.
const std::vector<std::uint32_t>* dimensions(const topology& net) {
    if (const grid_shape* grid = net.grid()) return &grid->dims;
    const auto* hyperx = dynamic_cast<const hyperx_shape*>(net.shape());
    return hyperx == nullptr ? nullptr : &hyperx->dims;
}

/// The nodes on the first line of each dimension.
node_parties lines(const deadlock_question& q, const std::vector<std::uint32_t>& dims) {
    node_parties parties;
    const std::vector<std::uint32_t> nodes = all_nodes(*q.network);
    std::uint32_t stride = 1;
    for (const std::uint32_t size : dims) {
        std::vector<std::uint32_t> line;
        for (const std::uint32_t n : nodes) {
            const std::uint32_t r = q.network->router_of(node_id(n)).value;
            if (r % stride == 0 && r / stride < size) line.push_back(n);
        }
        parties.push_back(std::move(line));
        stride *= size;
    }
    return parties;
}

/// Where they decide; a cycle that they leave open is looked for among some nodes, which proves nothing if it
/// is not there.
std::optional<deadlock_report> check_classes(const deadlock_question& question) {
    constexpr std::uint32_t few = 256;  // routers, of which all pairs take a second at most
    using when = deadlock_question::classes;
    if (question.by_classes == when::never || !classes_serve(question)) return std::nullopt;
    if (!question.shares_buffers.empty()) return std::nullopt;
    if (question.by_classes == when::large && question.network->routers() <= few) return std::nullopt;
    deadlock_report report = check_by_classes(question);
    if (report.result == verdict::broken) report.text = broken(question, report.text);
    if (report.result != verdict::skipped) return report;
    report = check_among(question, few_nodes(question), "");
    if (!report.ok()) return report;
    return std::nullopt;
}

/// By two of the parts that the routing function treats alike; nothing if they decide nothing.
std::optional<deadlock_report> check_two_parts(const deadlock_question& question) {
    constexpr std::uint32_t few = 4096;  // nodes, of which all pairs take seconds
    using when = deadlock_question::classes;
    const equal_parts* const parts = question.routing->parts_alike();
    if (parts == nullptr || parts->count < 3 || question.by_classes == when::never || question.reaches ||
        !question.shares_buffers.empty() ||
        (question.by_classes == when::large && question.network->nodes() <= few) ||
        !parts->fit(*question.network))
        return std::nullopt;
    std::vector<std::uint32_t> nodes(2 * std::size_t{parts->nodes});
    std::iota(nodes.begin(), nodes.end(), 0U);
    deadlock_report report =
        check_among(question, {std::move(nodes)}, " of two equal parts, which stand for all others", parts);
    if (report.result == verdict::skipped) return std::nullopt;
    return report;
}

deadlock_report check_whole(const deadlock_question& question) {
    const std::vector<std::uint32_t>* const dims = dimensions(*question.network);
    if (dims != nullptr && question.routing->finishes_dimensions_in_order() &&
        question.by_classes != deadlock_question::classes::always)
        return check_among(
            question, lines(question, *dims),
            dims->size() == 1
                ? ""
                : " on the lines looked at, one of each dimension, which stands for all others");
    if (std::optional<deadlock_report> report = check_classes(question)) return *report;
    if (std::optional<deadlock_report> report = check_two_parts(question)) return *report;
    return check_among(question, {all_nodes(*question.network)}, "");
}

/// One part after the other; the first that is not free of deadlock says so.
deadlock_report check_parts(const deadlock_question& question,
                            const std::vector<routing_function::part>& parts) {
    deadlock_report all;
    all.result = deadlock_report::verdict::acyclic;
    all.text = "free of deadlock, as packets pass from part to part in an order and each part is: ";
    const char* separator = "";
    for (const auto& p : parts) {
        if (p.level < question.deadlock_free_by_design.size() &&
            !question.deadlock_free_by_design[p.level].empty()) {
            all.text += separator + p.name + ": " + question.deadlock_free_by_design[p.level];
            separator = "; ";
            if (all.result == verdict::acyclic) all.result = verdict::by_design;
            continue;
        }
        deadlock_question one = question;
        one.network = p.network;
        one.routing = p.function;
        one.vcs = p.vcs;
        one.most_calls = question.most_calls - all.calls;
        deadlock_report report = check_whole(one);
        all.channels += report.channels;
        all.dependencies += report.dependencies;
        all.calls += report.calls;
        if (!report.ok()) {
            report.text = p.name + ": " + report.text;
            return report;
        }
        if (report.result == verdict::skipped) all.result = report.result;
        all.text += separator + p.name + ": " + report.text;
        separator = "; ";
    }
    if (all.result == verdict::skipped) all.text = "not checked in all of its parts: " + all.text;
    return all;
}

}  // namespace

deadlock_report check_deadlock(const deadlock_question& question) {
    const std::vector<routing_function::part> parts = question.routing->parts();
    return parts.empty() ? check_whole(question) : check_parts(question, parts);
}

}  // namespace sare
