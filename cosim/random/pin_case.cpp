// SPDX-License-Identifier: Apache-2.0
#include "cosim/random/pin_case.h"

#include "tlm/base/joined.h"
#include "tlm/config/yaml.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cosim {
namespace {

using row = std::vector<std::uint32_t>;

/// The section as it is written.
struct written_case {
    config::value router;
    row dims, here, next;
    std::uint32_t concentration = 1, place = 0;
    std::vector<row> packets, credits;

    static config::schema<written_case> fields() {
        using p = written_case;
        constexpr double most = 4294967295.0;
        config::schema<p> s;
        s.raw("router", &p::router, "map", "Parameters of sare_router.")
            .integers("dims", &p::dims, 1, 65535, "routers", "Sizes of the grid.")
            .number("concentration", &p::concentration, 1, 16, "nodes", "Nodes of a router.")
            .number("place", &p::place, 0, most, "", "The router's number on the grid.")
            .integers("here", &p::here, 0, 65535, "", "The port to each node; forking: a mask of ports.")
            .integers("next", &p::next, 0, 65535, "", "The port to each node at the next router.")
            .integer_rows("packets", &p::packets, 0, most, "",
                          "Input port, VC, destination, ways round the rings, and the cycle of each flit.")
            .integer_rows("credits", &p::credits, 0, most, "", "Output port, VC, and cycles.");
        return s;
    }
};

std::string flow_text(const row& numbers) {
    return "[" + joined(numbers) + "]";
}

/// Returns the fields by name, those of the model too; `vcs` only once.
config::value fields_of(const router_setting& s) {
    config::value all = router_params::fields().write(s.model);
    const config::value own = router_setting::fields().write(s);
    for (const auto& [name, v] : own.entries()) all.set(name, v);
    return all;
}

/// Returns the fields that differ from their defaults.
std::string differing_fields(const router_setting& s) {
    const config::value ours = fields_of(s), usual = fields_of({});
    config::value all = config::value::map({});
    for (const auto& [name, v] : ours.entries()) {
        const config::value* otherwise = usual.find(name);
        if (otherwise == nullptr || flow_style(*otherwise) != flow_style(v)) all.set(name, v);
    }
    return flow_style(all);
}

std::vector<row> credit_rows(const pin_events& c) {
    std::vector<row> rows;
    for (const pin_case::credit& credit : c.credits) {
        const auto same = [&](const row& r) { return r[0] == credit.port && r[1] == credit.vc; };
        auto found = std::find_if(rows.begin(), rows.end(), same);
        if (found == rows.end()) found = rows.insert(rows.end(), row{credit.port, credit.vc});
        found->push_back(credit.at);
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

void check_nodes(const pin_case& c, std::uint32_t nodes, const config::location& at) {
    for (const pin_case::packet& p : c.packets)
        if (p.destination >= nodes)
            throw config::error(
                at, fmt::format("pin_case.packets: destination {} of {} nodes", p.destination, nodes));
}

/// Throws unless tables have a port of the router for each node.
void check_tables(const pin_case& c, const config::location& at) {
    for (const auto* table : {&c.place.here, &c.place.next}) {
        const bool fits = std::all_of(table->begin(), table->end(), [&](std::uint32_t to) {
            return c.setting.forks() ? to != 0 && to >> c.setting.ports == 0 : to < c.setting.ports;
        });
        if (table->size() == c.setting.nodes && fits) continue;
        throw config::error(at, fmt::format("pin_case.here and next must have {} ports below {}",
                                            c.setting.nodes, c.setting.ports));
    }
}

}  // namespace

std::uint32_t pin_events::flits() const {
    std::size_t n = 0;
    for (const packet& p : packets) n += p.at.size();
    return static_cast<std::uint32_t>(n);
}

cycle_t pin_events::end() const {
    cycle_t last = 0;
    for (const packet& p : packets) last = std::max<cycle_t>(last, p.at.back());
    for (const credit& c : credits) last = std::max<cycle_t>(last, c.at);
    return last;
}

void pin_events::move(std::uint32_t earlier) {
    const auto gone = [earlier](std::uint32_t at) { return at <= earlier; };
    packets.erase(
        std::remove_if(packets.begin(), packets.end(), [&](const packet& p) { return gone(p.at.front()); }),
        packets.end());
    credits.erase(std::remove_if(credits.begin(), credits.end(), [&](const credit& k) { return gone(k.at); }),
                  credits.end());
    for (packet& p : packets)
        for (std::uint32_t& at : p.at) at -= earlier;
    for (credit& k : credits) k.at -= earlier;
}

void pin_events::cut(std::uint32_t last) {
    packets.erase(
        std::remove_if(packets.begin(), packets.end(), [&](const packet& p) { return p.at.front() > last; }),
        packets.end());
    credits.erase(
        std::remove_if(credits.begin(), credits.end(), [&](const credit& k) { return k.at > last; }),
        credits.end());
}

pin_events pin_events::part(const std::vector<std::size_t>& numbers) const {
    pin_events some;
    for (const std::size_t k : numbers)
        if (k < packets.size())
            some.packets.push_back(packets[k]);
        else
            some.credits.push_back(credits[k - packets.size()]);
    return some;
}

std::string text(const pin_events& events) {
    std::string all =
        events.packets.empty() ? "" : "  packets:  # port, VC, destination, ways, cycle of each flit\n";
    for (const pin_events::packet& p : events.packets) {
        row r{p.port, p.vc, p.destination, p.ways};
        r.insert(r.end(), p.at.begin(), p.at.end());
        all += "    - " + flow_text(r) + "\n";
    }
    all += events.credits.empty() ? "" : "  credits:  # port, VC, cycles\n";
    for (const row& r : credit_rows(events)) all += "    - " + flow_text(r) + "\n";
    return all;
}

pin_events read_events(const std::vector<row>& packets, const std::vector<row>& credits, std::uint32_t ports,
                       std::uint32_t vcs, const std::string& section, const config::location& at) {
    const auto check = [&](const row& r, std::size_t least, const char* what) {
        if (r.size() >= least && r[0] < ports && r[1] < vcs) return;
        throw config::error(
            at, fmt::format("{}.{}: {} must begin with one of {} ports and {} VCs, and have a cycle", section,
                            what, flow_text(r), ports, vcs));
    };
    pin_events all;
    for (const row& r : packets) {
        check(r, 5, "packets");
        all.packets.push_back({r[0], r[1], r[2], r[3], row(r.begin() + 4, r.end())});
    }
    for (const row& r : credits) {
        check(r, 3, "credits");
        for (auto cycle = r.begin() + 2; cycle != r.end(); ++cycle)
            all.credits.push_back({r[0], r[1], *cycle});
    }
    return all;
}

std::string text(const pin_case& c) {
    std::string all = "pin_case:\n  router: " + differing_fields(c.setting) + "\n";
    if (c.setting.table) {
        all += "  here: " + flow_text(c.place.here) + "  # the port to each node\n";
        all += "  next: " + flow_text(c.place.next) + "  # at the next router\n";
    } else {
        all += "  dims: " + flow_text(c.setting.sizes) + "\n";
        all += fmt::format("  concentration: {}\n", c.setting.concentration);
        all += fmt::format("  place: {}\n", c.place.router);
    }
    return all + text(static_cast<const pin_events&>(c));
}

pin_case read_pin_case(const config::value& document) {
    const config::value& section = *document.find("pin_case");
    written_case w;
    written_case::fields().read(section, w, "pin_case");
    pin_case c;
    c.setting.take(w.router.type() == config::value::kind::null ? config::value::map({}) : w.router);
    c.setting.model.credit_delay = c.setting.credit_in_delay;
    if (const std::string problem = c.setting.problem(); !problem.empty())
        throw config::error(section.where(), "pin_case.router: " + problem);
    if (!w.dims.empty()) c.setting.sizes = w.dims;
    c.setting.concentration = w.concentration;
    c.place = {w.place, w.here, w.next.empty() ? w.here : w.next};
    static_cast<pin_events&>(c) =
        read_events(w.packets, w.credits, c.setting.ports, c.setting.model.vcs, "pin_case", section.where());
    if (c.setting.table) check_tables(c, section.where());
    const surroundings around = make_surroundings(c.setting, c.place);
    check_nodes(c, around.map->nodes(), section.where());
    if (around.map->ports(router_id(0)) != c.setting.ports || c.place.router >= around.map->routers())
        throw config::error(section.where(),
                            "pin_case.router.ports or pin_case.place does not fit pin_case.dims");
    return c;
}

std::string test_text(const pin_case& c, const std::string& name, const std::string& why) {
    return test_text(text(c), name, why, "cosim/random/pin_case.h", "difference");
}

std::string test_text(const std::string& yaml, const std::string& name, const std::string& why,
                      const std::string& header, const std::string& function) {
    return "// SPDX-License-Identifier: Apache-2.0\n"
           "#include \"" +
           header +
           "\"\n\n#include <gtest/gtest.h>\n\n"
           "// SystemC's library wants the one, and has the other, which would run no test.\n"
           "extern \"C\" __attribute__((weak)) int sc_main(int, char**) {\n    return 0;\n}\n"
           "__attribute__((weak)) int main(int argc, char** argv) {\n"
           "    testing::InitGoogleTest(&argc, argv);\n    return RUN_ALL_TESTS();\n}\n\n// " +
           why + "\nTEST(Shrunk, " + name + ") {\n    EXPECT_EQ(sare::cosim::" + function + "(R\"(" + yaml +
           ")\"),\n              \"\");\n}\n";
}

random_outcome run(const pin_case& c, const random_run& how) {
    const surroundings at = make_surroundings(c.setting, c.place);
    case_traffic traffic(c.setting, *at.around, c);
    random_outcome o =
        run(how, c.setting, *at.around, traffic, {c.end(), 5000, 300}, c.place.text(c.setting));
    o.packets = c.packets.size();
    return o;
}

std::string difference(const std::string& yaml) {
    random_run how;
    how.speed = rtl_speed::quick;
    const random_outcome o = run(read_pin_case(config::parse_document(yaml, "case")), how);
    return o.first ? o.first->text() : o.problem;
}

}  // namespace sare::cosim
