// SPDX-License-Identifier: Apache-2.0
#include "cosim/sheet/data_sheet.h"

#include <algorithm>

namespace sare::cosim {
namespace {

std::uint32_t whole(double value) {
    return static_cast<std::uint32_t>(std::max(value, 0.0) + 0.5);
}

/// Sets the delays of stages, and returns that of VC allocation. A router that sends the next flit late after
/// a head alone has sent that head before VC allocation was done.
std::uint32_t set_stages(const data_sheet& s, config::value& r, std::vector<std::string>& why_not) {
    const auto number = [&r](const char* name, std::uint32_t n) { r.set(name, config::number(n)); };
    const std::uint32_t head = whole(s.head.most), body = s.body.known() ? whole(s.body.most) : head;
    const measured& known_pace = s.pace.known() ? s.pace : s.behind_head;
    const std::uint32_t pace = std::max(whole(known_pace.most), 1u), behind = whole(s.behind_head.most);
    const bool speculative = behind > pace;
    const std::uint32_t sa = pace > 1 ? pace : std::min(body, 1u), before = head - std::min(head, body);
    const std::uint32_t waiting = s.vc_allocation.known() ? whole(s.vc_allocation.most) : 1;
    const std::uint32_t va = speculative ? behind : std::min(before, waiting);
    number("rc_delay", speculative ? before : before - va);
    number("va_delay", va);
    number("sa_delay", sa);
    number("st_delay", body - std::min(body, sa));
    if (speculative)
        r.set("speculative", config::value::scalar("true"));
    else if (va == 0)
        why_not.emplace_back(
            "VC allocation takes no time: it is taken to be in another stage, not speculative");
    if (sa > body)
        why_not.push_back("a flit takes more cycles after another one than alone: sa_delay is longer");
    return va;
}

/// Sets what differs at NICs: they get credits as late as routers do. The model's routers get those of NICs
/// as late, too, where the router gets them `back` cycles earlier: more places keep the flits that leave
/// meanwhile. `used`: cycles from a credit to the flit that waits for it.
void set_nic(const data_sheet& s, std::uint32_t credit_delay, std::uint32_t back, double used,
             config::value& all) {
    all.set_path("nic.credit_delay", config::number(credit_delay));
    if (!s.credits.known()) return;
    constexpr double outside = 3;  // a link each way, and the NIC
    const double pace = s.pace.known() ? std::max(s.pace.most, 1.0) : 1;
    const double rate = std::min(1 / pace, s.credits.least / (used + outside));
    all.set_path("nic.ejection_depth", config::number(whole(s.credits.least + back * rate)));
}

}  // namespace

std::string facts_text(const data_sheet& s, const pins::router_facts& declared) {
    static const char* const flows[] = {"credit", "ready_valid", "on_off"};
    static const char* const rooms[] = {"one_place", "whole_packet", "empty_buffer"};
    const bool counts = declared.flow == pins::flow_control::credit;
    std::string all = "f.name = \"" + declared.name + "\";\n";
    const auto add = [&all](const char* name, const std::string& value) {
        all += "f." + std::string(name) + " = " + value + ";\n";
    };
    const auto number = [&add](const char* name, const measured& m, double value) {
        if (m.known()) add(name, std::to_string(whole(value)));
    };
    add("flow", "flow_control::" + std::string(flows[static_cast<int>(declared.flow)]));
    add("ports", std::to_string(declared.ports));
    add("vcs", std::to_string(declared.vcs));
    if (declared.keeps_vc) add("keeps_vc", "true");
    if (!declared.turns_back || s.turns.never_back) add("turns_back", "false");
    if (declared.longest_packet != 0) add("longest_packet", std::to_string(declared.longest_packet));
    number("min_latency", s.head, s.head.least);
    number("max_latency", s.head, s.head.most);
    number("depth", s.places, s.places.least);
    const measured& slowest = s.pace.most > s.behind_head.most ? s.pace : s.behind_head;
    number("cycles_per_flit", slowest, slowest.most);
    if (s.room) add("room", "head_credits::" + std::string(rooms[static_cast<int>(*s.room)]));
    if (!counts) return all;
    number("credits", s.credits, s.credits.least);
    if (s.credit_back.known() && s.body.known())
        add("credit_delay", std::to_string(whole(std::max(s.credit_back.most - s.body.least, 1.0))));
    return all;
}

config::value fitted_model(const data_sheet& s, const plugin_place& at, std::vector<std::string>& why_not) {
    const pins::router_facts& declared = at.facts();
    const std::uint32_t depth = at.setting().model.depth;
    config::value r = config::value::map({}), all = config::value::map({});
    const auto set = [&r](const char* name, const std::string& word) {
        r.set(name, config::value::scalar(word));
    };
    const auto number = [&r](const char* name, std::uint32_t n) { r.set(name, config::number(n)); };
    const bool counts = declared.flow == pins::flow_control::credit;
    const std::uint32_t body = whole(s.body.known() ? s.body.most : s.head.most);
    const std::uint32_t places = s.places.known() ? whole(s.places.least) : depth;
    number("vcs", declared.vcs);
    // Where the pins may refuse a flit, a queue of the network's depth stands before them.
    number("depth", counts ? std::min(places, depth) : depth + places);
    const std::uint32_t va = set_stages(s, r, why_not);
    if (s.head.least != s.head.most)
        why_not.push_back("latency depends on the ports: the longest is taken, and accepts less");
    const double used = s.credit_used.known() ? s.credit_used.most
                        : s.head_used.known() ? std::max<double>(s.head_used.most - va, body)
                                              : body;
    const std::uint32_t back = counts && s.credit_back.known() ? whole(s.credit_back.most) : 0;
    number("credit_delay", back + whole(used - body));
    if (counts && !s.credit_used.known())
        why_not.emplace_back("how soon a credit is used is not known, apart from VC allocation");
    if (declared.keeps_vc) {
        set("selection", "same_vc");
        why_not.emplace_back("packets of the model take another VC while theirs is not free");
    }
    const auto room = s.room.value_or(pins::head_credits::one_place);
    set("switching", s.stores                                   ? "store_and_forward"
                     : room == pins::head_credits::whole_packet ? "cut_through"
                                                                : "wormhole");
    set("reallocation", room == pins::head_credits::empty_buffer ? "atomic" : "tail");
    const order who = s.flits != order::unknown ? s.flits : s.packets;
    const char* const arbiter = who == order::fixed          ? "fixed"
                                : who == order::least_recent ? "matrix"
                                : who == order::oldest       ? "age"
                                                             : "round_robin";
    set("va_arbiter", arbiter);
    set("sa_arbiter", arbiter);
    if (who == order::unknown || who == order::other)
        why_not.emplace_back("the order of inputs is not known: round_robin is taken");
    if (who == order::other_ring)
        why_not.emplace_back("round_robin goes by the numbers of ports, the router by others");
    if (who == order::from_rest)
        why_not.emplace_back("an idle output begins with the same input: round_robin is taken");
    if (who == order::fixed)
        why_not.emplace_back("the fixed order of inputs is taken to begin with the lowest");
    if (!s.waiting.starved.empty())
        why_not.emplace_back("some inputs or VCs are starved: the model serves all, in turn");
    if (s.waiting.holds_input || s.waiting.holds_output)
        why_not.emplace_back("VCs that wait hold up others: those of the model do not, and accept more");
    all.set("router", r);
    if (back != 0) set_nic(s, at.nic().credit_delay + back, back, used, all);
    return all;
}

}  // namespace sare::cosim
