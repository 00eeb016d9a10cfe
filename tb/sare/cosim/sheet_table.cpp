// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/sheet_table.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace sare::cli {
namespace {

using better = figure::better;
using cosim::data_sheet;
using cosim::measured;
using cosim::order;

/// A value in words, and how good it is; -1: that cannot be said.
struct ranked {
    const char* text;
    int rank;
};
constexpr const char* unknown = "cannot tell";
constexpr ranked orders[] = {{unknown, -1},
                             {"by another rule", -1},
                             {"the same always (fixed)", 0},
                             {"in turn: round robin, or served longest ago", 1},
                             {"round robin", 1},
                             {"round robin, with ports numbered otherwise", 1},
                             {"the one served longest ago", 1},
                             {"the oldest", 1},
                             {"the same from rest, by turns under load", 1}};
constexpr ranked reuses[] = {{unknown, -1},
                             {"late: when all credits are back (atomic)", 0},
                             {"before all credits are back, not with the tail", 1},
                             {"early: when the tail is sent", 2}};
constexpr ranked rooms[] = {{"one place", 2}, {"places for the whole packet", 1}, {"an empty buffer", 0}};

constexpr ranked held_up[] = {{"no other VC", 2},
                              {"the other VCs of its input", 1},
                              {"the other VCs of its output", 1},
                              {"the other VCs of its input, and of its output", 0}};

std::string text(const measured& m) {
    const auto one = [](double x) { return fmt::format("{:.4g}", x); };
    if (!m.known()) return unknown;
    return m.least == m.most ? one(m.least) : one(m.least) + " to " + one(m.most);
}

/// Rows of a table.
class row_writer {
  public:
    void less(const char* key, const char* name, const measured& m, const std::string& how) {
        all.push_back({key, name, m, text(m), how, better::less});
    }
    void more(const char* key, const char* name, const measured& m, const std::string& how) {
        all.push_back({key, name, m, text(m), how, better::more});
    }
    void words(const char* key, const char* name, const ranked& its, const std::string& how) {
        figure f{key, name, {}, its.text, how, better::more};
        if (its.rank >= 0) f.number.take(its.rank);
        all.push_back(f);
    }
    std::vector<figure> all;
};

void add_times(const data_sheet& s, bool counts, row_writer& rows) {
    const std::string no_body = "packets have one flit";
    measured before;
    if (s.head.known() && s.body.known() && !s.stores)
        before = {s.head.least - s.body.least, s.head.most - s.body.most};
    rows.less("head_latency", "head latency, idle [cycles]", s.head,
              "a flit alone, each input VC to each output");
    rows.less("body_latency", "body latency, idle [cycles]", s.body,
              s.body.known() ? "a tail long after its head: input, switch and link stages" : no_body);
    rows.less("route_and_vc", "route and VC allocation [cycles]", before,
              s.stores ? "heads wait for their tails" : "head less body");
    rows.less("vc_allocation", "VC allocation [cycles]", s.vc_allocation,
              "a head that waits for an output VC: what it is later than a flit that has one");
    rows.less("cycles_a_flit", "cycles a flit", s.pace,
              s.pace.known() ? "a packet alone, shorter than any buffer" : "packets have one flit, or two");
    rows.less("behind_head", "from a head to the next flit [cycles]", s.behind_head,
              s.behind_head.known() ? "a packet of two alone" : no_body);
    if (!counts) return;
    rows.less("credit_back", "flit in to its credit [cycles]", s.credit_back,
              "a body flit that goes on at once");
    rows.less("credit_used", "credit in to flit out [cycles]", s.credit_used,
              s.credit_used.known() ? "a flit that waits for nothing but a credit"
                                    : "no flit waits for a credit alone: heads wait for an empty buffer");
    if (s.head_used.known())
        rows.less("head_used", "last credit in to head out [cycles]", s.head_used,
                  "a head that waits for all credits, and for its VC");
}

void add_places(const data_sheet& s, bool counts, row_writer& rows) {
    rows.more("buffer_places", "buffer places of an input VC", s.places,
              counts ? "all full before outputs without credits; one flit more is lost"
                     : "flits taken while nothing leaves; most: with stages behind the buffer");
    rows.more("places_alone", "buffer places of a VC alone", s.places_alone,
              "the same, one VC of each input");
    rows.more("credits_used", counts ? "credits used of an output VC" : "flits to an output VC that stops",
              s.credits, "flits that leave while no credit comes");
    rows.words("vc_reuse", "an output VC is given again", reuses[static_cast<int>(s.reuse)],
               "packets of one flit while no credit comes");
    const ranked none{unknown, -1};
    rows.words(
        "room", "a head waits beyond for", s.room ? rooms[static_cast<int>(*s.room)] : none,
        s.room ? "credits that come one by one" : "no VC beyond has two places, or packets have one flit");
}

/// Returns the input VCs that are never served, as " 1->2" where all of an input are, else " 1 VC 0->2".
std::string starved_text(const data_sheet& s, std::uint32_t vcs) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> by_turn;
    for (const auto& [in, vc, out] : s.waiting.starved) by_turn[{in, out}].push_back(vc);
    std::string all;
    for (const auto& [turn, which] : by_turn) {
        const bool whole = which.size() == vcs;
        all += fmt::format(" {}{}->{}", turn.first, whole ? "" : fmt::format(" VC {}", fmt::join(which, ",")),
                           turn.second);
    }
    return all;
}

void add_shares(const data_sheet& s, std::uint32_t vcs, row_writer& rows) {
    rows.more("rate_alone", "one VC alone [flits/cycle]", s.rate_alone, "long packets, credits at once");
    rows.more("rate_full", "an output that all want [flits/cycle]", s.rate_full,
              "all input VCs, packets of 1 and 3 flits");
    rows.words("packet_order", "of packets that come at once first", orders[static_cast<int>(s.packets)],
               s.packets == order::other ? "several VCs at once, or by the clock"
                                         : "one VC of each input, each alone and all");
    rows.words("flit_order", "of flits under way that come at once", orders[static_cast<int>(s.flits)],
               s.flits == order::unknown ? "needs two VCs, and long packets"
                                         : "one VC of each input, each alone and all");
    rows.less("worst_wait", "worst wait of an input [cycles]", s.worst_wait,
              s.waiting.starved.empty() ? "all want an output: from one flit of an input to its next"
                                        : "never served while all want an output:" + starved_text(s, vcs));
    rows.more("least_share", "least share of an input (1: fair)", s.least_share, "the same");
    if (vcs > 1)
        rows.words("held_up", "a VC that waits holds up",
                   held_up[(s.waiting.holds_input ? 1 : 0) + (s.waiting.holds_output ? 2 : 0)],
                   "a flit on another VC, with credits");
    std::string turns;
    measured number;
    for (std::size_t k = 0; k < s.turns.taken.size(); ++k) {
        const auto& [in, out] = s.turns.taken[k];
        const bool same = k != 0 && s.turns.taken[k - 1].first == in;
        turns += same ? fmt::format(",{}", out) : fmt::format("{}{}->{}", k == 0 ? "" : " ", in, out);
    }
    number.take(static_cast<double>(s.turns.taken.size()));
    rows.all.push_back(
        {"turns", "turns (input->outputs)", number, turns,
         "all that routing brings here" + (s.turns.missing.empty() ? "" : " but" + s.turns.missing),
         better::more});
}

}  // namespace

std::vector<figure> figures_of(const data_sheet& s, const sare::pins::router_facts& facts) {
    const bool counts = facts.flow == sare::pins::flow_control::credit;
    row_writer rows;
    add_times(s, counts, rows);
    add_places(s, counts, rows);
    add_shares(s, facts.vcs, rows);
    return std::move(rows.all);
}

json to_json(const std::vector<figure>& rows) {
    json all = json::array();
    for (const figure& f : rows) {
        all.push_back({{"key", f.key},
                       {"name", f.name},
                       {"value", f.text},
                       {"how", f.how},
                       {"better", f.is == better::less ? "less" : "more"}});
        if (f.number.known()) all.back().update({{"least", f.number.least}, {"most", f.number.most}});
    }
    return all;
}

std::vector<std::string> losses(const json& before, const json& now) {
    constexpr double tiny = 1e-9;
    std::vector<std::string> lines;
    for (const json& was : before) {
        const auto its = [&was](const json& row) { return row.at("key") == was.at("key"); };
        const auto found = std::find_if(now.begin(), now.end(), its);
        const json is = found == now.end() ? json::object() : *found;
        if (!was.contains("least")) continue;
        const bool less = was.at("better") == "less";
        const bool worse =
            !is.contains("least") || (less ? is["most"].get<double>() > was["most"].get<double>() + tiny
                                           : is["least"].get<double>() < was["least"].get<double>() - tiny);
        if (worse)
            lines.push_back(fmt::format("{}: {}, was {}", was.at("name").get<std::string>(),
                                        is.value("value", std::string(unknown)),
                                        was.at("value").get<std::string>()));
    }
    return lines;
}

}  // namespace sare::cli
