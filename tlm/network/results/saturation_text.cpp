// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/joined.h"
#include "tlm/network/results/causes.h"
#include "tlm/network/results/saturation_tree.h"
#include "tlm/network/rounded.h"
#include "tlm/stats/table.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

/// Text for congestion: a sentence and a table.
namespace sare {
namespace {

const table_form congestion_form{congestion_file, R"(
    root: count. The tree that the link is in, from 1; the worst first.
    distance: count in links. To its root; 0: it is the root.
    kind: text. router, injection or ejection.
    from: count. Router that it leaves; of an injection link the node.
    from_port: count. Port of it.
    to: count. Router that it leads to; of an ejection link the node.
    to_port: count. Port of it.
    waiting: number in packets. That waited for it, mean of samples.
    utilisation: number. Share of what it could carry.
    load: number in flits/cycle. What crossed it.
    capacity: number in flits/cycle. Of a root: what could cross it.
    offered: number in flits/cycle. Of a root: what sources have made for it; empty: not known.
    reason: text. Of a root: busy, consumer, circle, vcs, atomic, credits, pace, allocator, input,
        pipeline or clock.
    from_cycle: count in cycles. Of a root: where its congestion begins.
    lost: number. Of a root: share of cycles in which packets waited for it and it carried nothing.
    parameter: text. Of a root: what to change.
    links: count. Of a root: that are held up by it.
    sources: count. Of a root: nodes among these.
)"};

std::string counted(std::size_t n, const std::string& one, const std::string& several) {
    return fmt::format("{} {}", n, n == 1 ? one : several);
}

std::string percent(double share) {
    return rounded(std::floor(1000 * share) / 10) + "%";
}

std::string what_limits(const congestion_root& root, const run_result& out) {
    using reason = congestion_root::reason;
    const link_result& l = out.link_loads[root.link];
    const double load = out.column_of(scope::link, "load").number(root.link);
    const bool later = root.from > out.measured_from,
               over = later && 8 * (out.measured_to - root.to) > root.to - root.from;
    const std::string until = over ? fmt::format(" to {}", root.to) : " on",
                      when = later ? fmt::format(" from cycle {}{}", root.from, until) : "",
                      clock = root.domain.empty() ? "" : " at the clock of domain '" + root.domain + "'",
                      used = out.name_of(l) + " is " + percent(root.utilisation) + " used" + clock + when;
    const congestion_cause& cause = cause_of(root.why, l.kind);
    const std::string help =
        std::string("; ") + cause.change + " (" + parameter_for(root, l.kind) + ") may help";
    switch (root.why) {
        case reason::busy:
            if (later || !(root.offered > 1.005 * load)) return used;
            return out.name_of(l) + " takes " + rounded(load) + " of the " + rounded(root.offered) +
                   " flits/cycle offered to it";
        case reason::consumer:
            return out.names.text(place_kind::node, l.to) + " has no room for what comes: " + used;
        case reason::clock:
            return used + help;
        case reason::circle:
            return "links wait for each other in a circle; of these " + used + help;
        default:
            return "no link of the tree is full: at its root " + used + ", and " + percent(root.lost) +
                   " of the time packets wait for it while it carries nothing: " + cause.sentence + help;
    }
}

std::string describe_classes(const run_result& out) {
    std::set<std::uint32_t> all;
    for (const growing_source& g : out.growing)
        for (const auto& c : g.classes) all.insert(c.message_class);
    if (all.empty()) return "";
    return (all.size() == 1 ? "messages of class " : "messages of classes ") + joined(all) +
           " pile up in these sources";
}

}  // namespace

std::string describe_congestion(const run_result& out) {
    const std::string classes = describe_classes(out);
    if (out.congestion.empty()) return classes;
    const congestion_root& worst = out.congestion.front();
    std::string text = (classes.empty() ? "" : classes + "; ") + what_limits(worst, out);
    if (worst.links != 0) text += "; " + counted(worst.links, "link is", "links are") + " in its tree";
    if (const std::size_t others = out.congestion.size() - 1; others != 0)
        text += ", and there " +
                counted(others, "other root", "other roots").insert(0, others == 1 ? "is " : "are ");
    return text;
}

std::string congestion_table(const run_result& out) {
    if (out.congestion.empty()) return "";
    const figure_view use = out.column_of(scope::link, "utilisation"),
                      load = out.column_of(scope::link, "load");
    table t(congestion_form);
    for (const congested_link& c : out.congested_links) {
        const link_result& l = out.link_loads[c.link];
        const congestion_root& root = out.congestion[c.root];
        for (const std::uint64_t x : {std::uint64_t{c.root} + 1, std::uint64_t{c.distance}}) t.cell(x);
        t.cell(l.kind);
        for (const std::uint32_t x : {l.from, l.from_port, l.to, l.to_port}) t.cell(x);
        for (const double x : {c.waiting, use.number(c.link), load.number(c.link)}) t.cell(x);
        if (c.distance == 0) {
            t.cell(root.capacity);
            t.cell(root.offered);
            t.cell(std::string(to_string(root.why)));
            t.cell(root.from);
            t.cell(root.lost);
            t.cell(parameter_for(root, l.kind));
            t.row(std::uint64_t{root.links}, std::uint64_t{root.sources.size()});
        } else {
            t.no_cell(8);
            t.end_row();
        }
    }
    return t.text();
}

}  // namespace sare
