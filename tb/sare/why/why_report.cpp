// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/why/why_report.h"

#include "tb/sare/process/terminal.h"
#include "tlm/inside/describe.h"
#include "tlm/topology/region/clock_region.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace sare::cli {
namespace {

constexpr std::size_t most_blockers = 8;  ///< in a picture
constexpr std::size_t most_ways = 10;     ///< on the terminal
constexpr std::size_t most_links = 4;     ///< of a chain in a sentence
constexpr std::size_t most_winners = 6;   ///< packets that took a place, in a sentence

std::string percent(cycle_t part, cycle_t whole) {
    return fmt::format("{}%", whole == 0 ? 0 : (200 * part + whole) / (2 * whole));
}

std::string cycle(cycle_t t) {
    return t == journey::never ? "-" : std::to_string(t);
}

/// Letter and words of what fills a span.
struct legend_entry {
    char letter;
    const char* words;
};
constexpr legend_entry of_spans[] = {{'q', "source queue"},
                                     {'f', "no room in the first buffer"},
                                     {'h', "held by the NIC"},
                                     {'i', "injection queue"},
                                     {'-', "link"},
                                     {'?', ""},
                                     {'=', "router"},
                                     {'-', "link"},
                                     {':', "flits follow"},
                                     {'-', "link"}};
constexpr legend_entry of_stalls[] = {{'b', "behind a packet"}, {'v', "no VC"},   {'c', "no credit"},
                                      {'n', "consumer"},        {'a', "lost VA"}, {'s', "lost SA"},
                                      {'l', "link busy"},       {'k', "clock"}};

/// Returns "4, 5, 9 and 12 more".
std::string some_of(const std::set<std::uint64_t>& packets) {
    const std::size_t shown = packets.size() > most_winners ? most_winners - 1 : packets.size();
    const auto end = std::next(packets.begin(), static_cast<std::ptrdiff_t>(shown));
    std::string all = fmt::format("{}", fmt::join(packets.begin(), end, ", "));
    if (shown < packets.size()) all += fmt::format(" and {} more", packets.size() - shown);
    return all;
}

legend_entry entry_of(const journey_span& s) {
    return s.is == journey_span::kind::stall ? of_stalls[static_cast<int>(s.reason)]
                                             : of_spans[static_cast<int>(s.is)];
}

}  // namespace

std::string why_report::node(std::uint32_t n) const {
    return m_map.names().text(place_kind::node, n);
}
std::string why_report::router(std::uint32_t r) const {
    return m_map.names().text(place_kind::router, r);
}
std::string why_report::exit_of(std::uint32_t r, port_number port) const {
    return router(r) + (port == packet_event::no_port ? "" : ", " + port_name(m_map, r, port));
}

std::string why_report::domain_of(std::uint32_t r) const {
    const clock_region* const its = m_map.region(router_id(r));
    return its == nullptr ? "" : ", in domain '" + its->name + "'";
}

std::string why_report::root_text(const wait_root& r) const {
    using kind = wait_root::kind;
    switch (r.is) {
        case kind::consumer:
            return "the consumer of " + node(r.place);
        case kind::sleep:
            return "the link of " + exit_of(r.place, r.port) + ", which is asleep";
        case kind::clock:
            return "the next edge of the clock of " + router(r.place) + domain_of(r.place);
        case kind::contest:
            return "its turn at " + exit_of(r.place, r.port);
        case kind::busy_link:
            return "the link of " + exit_of(r.place, r.port) + ", busy with a flit before";
        case kind::sending:
            return "the flits of a packet that leaves " + exit_of(r.place, r.port);
        case kind::round_trip:
            return "a credit on its way back to " + exit_of(r.place, r.port);
        case kind::circle:
            return "a circle of packets that wait for each other, at " + router(r.place);
        case kind::nic:
            return "the NIC of " + node(r.place) + ", which holds it back: " + m_nic_limits;
        case kind::nobody:
            return "its turn at " + exit_of(r.place, r.port) + ", which the allocator gave to nobody";
        default:
            return "cannot tell: the trace does not say what happened at " + exit_of(r.place, r.port);
    }
}

/// Returns "behind 4690 in router 12, which waits for the consumer of node 23".
std::string why_report::chain_text(const wait_chain& c) const {
    if (c.links.empty()) return "for " + root_text(c.root);
    std::string all;
    const std::size_t shown = c.links.size() > most_links ? most_links - 1 : c.links.size();
    for (std::size_t n = 0; n < shown; ++n)
        all += fmt::format("{}behind {} in {}", n == 0 ? "" : ", which waits ", c.links[n].packet,
                           router(c.links[n].router));
    if (shown < c.links.size())
        all += fmt::format(", and {} more up to {} in {}", c.links.size() - shown, c.links.back().packet,
                           router(c.links.back().router));
    if (c.links.back().waits) return all + ", which waits for " + root_text(c.root);
    if (c.root.is == wait_root::kind::sending)
        return all + ", which is being sent by " + exit_of(c.root.place, c.root.port);
    return all + ": " + root_text(c.root);
}

std::string why_report::about(const journey& j, const journey_span& s, bool with_flit) const {
    using kind = journey_span::kind;
    const std::string what = entry_of(s).words;
    if (s.is == kind::source_queue || s.is == kind::held) return "source queue of " + node(j.packet.source);
    if (s.is == kind::injection) return "link of " + node(j.packet.source);
    const std::string flit = !with_flit || s.flit == 0 ? "" : fmt::format(", flit {}", s.flit);
    if (j.visits.empty()) return what;
    const std::string at = router(j.visits[s.visit].router);
    if (s.is == kind::first_buffer) return what + " of " + at + flit;
    return at + ", " + what + flit;
}

std::string why_report::headline(const journey& j) const {
    const traced_packet& p = j.packet;
    return fmt::format("packet {} of message {}, {} to {}, {} flit{}: {} cycles = {} of work + {} of waiting",
                       p.number, p.message, node(p.source), node(p.destination), p.flits,
                       p.flits == 1 ? "" : "s", j.latency(), j.latency() - j.waited(), j.waited());
}

std::vector<std::vector<std::string>> why_report::stages(const journey& j) const {
    std::vector<std::vector<std::string>> rows{
        {"", "by", "arrives", "front", "has VC", "switch", "by", "tail", "work", "waits"}};
    const auto add = [&](std::vector<std::string> row, auto belongs) {
        cycle_t work = 0, waits = 0;
        for (const journey_span& s : j.spans)
            if (belongs(s)) (s.waits() ? waits : work) += s.cycles();
        row.push_back(std::to_string(work));
        row.push_back(std::to_string(waits));
        rows.push_back(std::move(row));
    };
    using kind = journey_span::kind;
    const auto at_source = [](const journey_span& s) { return s.is <= kind::injection; };
    add({node(j.packet.source), "", cycle(j.generated), "", "", cycle(j.injected), "", ""}, at_source);
    for (std::uint32_t k = 0; k < j.visits.size(); ++k) {
        const router_visit& v = j.visits[k];
        add({router(v.router), port_name(m_map, v.router, v.in_port), cycle(v.in), cycle(v.front),
             cycle(v.granted), cycle(v.out), port_name(m_map, v.router, v.out_port), cycle(v.left)},
            [&](const journey_span& s) { return !at_source(s) && s.visit == k; });
    }
    rows.push_back({node(j.packet.destination), "", "", "", "", "", "", cycle(j.consumed), "", ""});
    add({"in all", "", "", "", "", "", "", ""}, [](const journey_span&) { return true; });
    return rows;
}

/// Returns the ways in which the packet waited, longest first: waits of a kind in one place that have the
/// same root.
std::vector<why_report::way> why_report::waits(const journey& j) const {
    struct sum {
        wait_chain longest;
        cycle_t cycles = 0;
        std::size_t chains = 0;
        std::set<std::uint64_t> winners;  ///< packets that took what it lost
    };
    std::map<std::pair<std::string, wait_root>, sum> sums;
    for (const journey_span& s : j.spans)
        for (const wait_chain& c : explain_wait(m_book, j, s)) {
            sum& all = sums[{about(j, s, false), c.root}];
            if (c.cycles > all.longest.cycles) all.longest = c;
            all.cycles += c.cycles;
            ++all.chains;
            if (c.links.empty() && s.behind.is == blocker::kind::packet) all.winners.insert(s.behind.number);
        }
    std::vector<way> all;
    for (const auto& [key, s] : sums) {
        std::string says = key.first + ": " + chain_text(s.longest);
        if (!s.winners.empty()) says += ", taken by " + some_of(s.winners);
        if (s.winners.empty() && s.chains > 1)
            says += fmt::format(" (and {} shorter waits for it)", s.chains - 1);
        all.push_back({says, s.cycles});
    }
    std::stable_sort(all.begin(), all.end(), [](const way& a, const way& b) { return a.cycles > b.cycles; });
    return all;
}

time_lane why_report::lane_of(const journey& j, std::size_t visit) const {
    const router_visit& v = j.visits[visit];
    time_lane lane{fmt::format("{} in {}", j.packet.number, router(v.router)), true, {}};
    cycle_t at = v.in;
    const cycle_t end = v.left == journey::never ? v.in : v.left + 1;
    const auto go_to = [&](cycle_t t) {
        if (t > at) lane.bars.push_back({at, t, '=', "is worked on, or sent"});
        at = std::max(at, t);
    };
    for (const packet_event& e : v.stalls) {
        const legend_entry& l = of_stalls[static_cast<int>(e.reason)];
        go_to(e.cycle);
        if (e.cycle + e.cycles <= at) continue;
        lane.bars.push_back(
            {at, e.cycle + e.cycles, l.letter,
             l.words + (e.behind.is == blocker::kind::packet ? fmt::format(" ({})", e.behind.number) : "")});
        at = e.cycle + e.cycles;
    }
    go_to(end);
    return lane;
}

/// Returns the lanes of a packet: its places, then the packets that it waited for longest, where they were
/// then.
std::vector<time_lane> why_report::lanes(const journey& j) const {
    std::vector<time_lane> all(1 + j.visits.size());
    all.front().label = node(j.packet.source);
    for (std::size_t k = 0; k < j.visits.size(); ++k) all[k + 1].label = router(j.visits[k].router);
    std::map<std::pair<std::uint64_t, std::uint32_t>, cycle_t> blocked;
    for (const journey_span& s : j.spans) {
        const auto chains = explain_wait(m_book, j, s);
        std::string text = about(j, s, true);
        if (!chains.empty()) text += ": " + chain_text(chains.front());
        const bool at_source = s.is <= journey_span::kind::injection;
        all[at_source ? 0 : s.visit + 1].bars.push_back({s.from, s.to, entry_of(s).letter, text});
        for (const wait_chain& c : chains)
            for (const wait_link& l : c.links)
                if (l.packet != j.packet.number) blocked[{l.packet, l.router}] += c.cycles;
    }
    std::vector<std::pair<cycle_t, std::pair<std::uint64_t, std::uint32_t>>> worst;
    for (const auto& [who, cycles] : blocked) worst.push_back({cycles, who});
    std::stable_sort(worst.begin(), worst.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t n = 0; n < std::min(worst.size(), most_blockers); ++n) {
        const journey& other = m_book.visits_of(worst[n].second.first);
        for (std::size_t k = 0; k < other.visits.size(); ++k)
            if (other.visits[k].router == worst[n].second.second) all.push_back(lane_of(other, k));
    }
    return all;
}

std::string why_report::gantt(const journey& j, std::size_t width) const {
    const std::vector<time_lane> all = lanes(j);
    std::size_t label = 0;
    for (const time_lane& l : all) label = std::max(label, text_width(l.label));
    const std::size_t columns = std::max<std::size_t>(width > label + 3 ? width - label - 3 : 0, 20);
    const cycle_t each = (j.latency() + columns - 1) / columns, used = (j.latency() + each - 1) / each;
    std::string text = fmt::format("{}  cycle {} to {}, a character is {} cycle{}\n", std::string(label, ' '),
                                   j.generated, j.consumed, each, each == 1 ? "" : "s");
    std::map<char, bool> letters;
    bool blockers = false;
    for (const time_lane& lane : all) {
        if (lane.is_blocker && !blockers) text += "  blocked by\n";
        blockers = lane.is_blocker;
        std::string line(used, ' ');
        for (std::size_t c = 0; c < used; ++c) {
            const cycle_t from = j.generated + c * each, to = from + each;
            std::map<char, cycle_t> shares;
            for (const time_lane::bar& b : lane.bars)
                if (b.from < to && b.to > from) shares[b.does] += std::min(b.to, to) - std::max(b.from, from);
            cycle_t most = 0;
            for (const auto& [letter, cycles] : shares)
                if (cycles > most) most = cycles, line[c] = letter;
            letters[line[c]] = true;
        }
        text += padded(lane.label, label) + " |" + line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    std::string key;
    const auto add_key = [&](const legend_entry& e) {
        if (letters[e.letter] && key.find(fmt::format("{} {}", e.letter, e.words)) == std::string::npos)
            key += fmt::format("{}{} {}", key.empty() ? "" : ", ", e.letter, e.words);
    };
    for (const legend_entry& e : of_spans) add_key(e);
    for (const legend_entry& e : of_stalls) add_key(e);
    return text + wrapped(key, width, 0) + "\n";
}

std::string why_report::text(std::uint64_t packet, std::size_t width) const {
    const journey& j = m_book.of(packet);
    std::string all = headline(j) + "\n\n" + aligned(stages(j)) + "\n";
    const auto add = [&](cycle_t cycles, const std::string& says) {
        all += fmt::format("{:>6} {:>4}  {}\n", cycles, percent(cycles, j.latency()),
                           wrapped(says, width - 13, 13));
    };
    const std::vector<way> ways = waits(j);
    if (!ways.empty()) all += "Where it waited, and for what:\n";
    cycle_t rest = 0;
    for (std::size_t n = 0; n < ways.size(); ++n)
        n < most_ways ? add(ways[n].cycles, ways[n].says) : void(rest += ways[n].cycles);
    if (rest != 0) add(rest, fmt::format("in {} other ways", ways.size() - most_ways));
    const auto roots = roots_of(m_book, j);
    if (!roots.empty()) all += "\nIn the end it waited for\n";
    for (const auto& [root, cycles] : roots) add(cycles, root_text(root));
    return all + "\n" + gantt(j, width);
}

std::string why_report::table(const std::vector<std::uint64_t>& packets) const {
    std::vector<std::vector<std::string>> rows{
        {"packet", "latency", "work", "waits", "from", "to", "waits most for"}};
    std::map<wait_root, cycle_t> sums;
    cycle_t waited = 0;
    for (const std::uint64_t p : packets) {
        const journey& j = m_book.of(p);
        const auto roots = roots_of(m_book, j);
        for (const auto& [root, cycles] : roots) sums[root] += cycles;
        waited += j.waited();
        rows.push_back({std::to_string(p), std::to_string(j.latency()),
                        std::to_string(j.latency() - j.waited()), std::to_string(j.waited()),
                        node(j.packet.source), node(j.packet.destination),
                        roots.empty() ? "nothing"
                                      : fmt::format("{} ({})", root_text(roots.front().first),
                                                    percent(roots.front().second, j.waited()))});
    }
    std::vector<std::pair<wait_root, cycle_t>> all(sums.begin(), sums.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    std::string text =
        table_or_paragraphs(rows, terminal_width()) + "\nAll of them together waited in the end for\n";
    for (std::size_t n = 0; n < std::min<std::size_t>(all.size(), 10); ++n)
        text += fmt::format("{:>8} {:>4}  {}\n", all[n].second, percent(all[n].second, waited),
                            root_text(all[n].first));
    return text;
}

json why_report::data(const std::vector<std::uint64_t>& packets) const {
    json all = json::array();
    for (const std::uint64_t p : packets) {
        const journey& j = m_book.of(p);
        json one{{"packet", p},      {"says", headline(j)}, {"from", j.generated},
                 {"to", j.consumed}, {"stages", stages(j)}, {"waits", json::array()}};
        for (const way& w : waits(j)) one["waits"].push_back({{"cycles", w.cycles}, {"says", w.says}});
        one["roots"] = json::array();
        for (const auto& [root, cycles] : roots_of(m_book, j))
            one["roots"].push_back({{"cycles", cycles}, {"says", root_text(root)}});
        one["lanes"] = json::array();
        for (const time_lane& l : lanes(j)) {
            json bars = json::array();
            for (const time_lane::bar& b : l.bars)
                bars.push_back({b.from, b.to, std::string(1, b.does), b.text});
            one["lanes"].push_back(
                {{"label", l.label}, {"blocker", l.is_blocker}, {"bars", std::move(bars)}});
        }
        all.push_back(std::move(one));
    }
    return all;
}

}  // namespace sare::cli
