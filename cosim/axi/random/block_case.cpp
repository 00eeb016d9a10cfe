// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/random/block_case.h"

#include "tlm/config/yaml.h"

#include <fmt/format.h>

namespace sare::axi {
namespace {

template <class S>
std::string words_of(const S& section) {
    const config::value fields = S::fields().write(section);
    std::string all;
    for (const auto& [name, v] : fields.entries()) all += (all.empty() ? "" : " ") + name + "=" + v.text();
    return all;
}

/// Returns the parameters of a section that differ from their defaults, in one line.
template <class S>
std::string differing(const S& section) {
    const config::value ours = S::fields().write(section), usual = S::fields().write(S());
    std::string all;
    for (const auto& [name, v] : ours.entries())
        if (v.text() != usual.find(name)->text()) all += (all.empty() ? "" : ", ") + name + ": " + v.text();
    return "{" + all + "}";
}

void check(bool good, const config::location& at, const char* what) {
    if (!good) throw config::error(at, std::string("block_case.") + what);
}

}  // namespace

config::schema<block_case> block_case::fields() {
    using p = block_case;
    config::schema<p> s;
    s.choice("of", &p::of, {{"bridges", block_kind::bridges}, {"nic", block_kind::nic}}, "What it is.")
        .number("seed", &p::seed, 0, 9e15, "", "Of the traffic.")
        .number("cycles", &p::cycles, 1, 1e12, "cycles", "Of traffic.")
        .section("bridges", &p::bridges, bridge_setting::fields(), "Parameters of AXI bridges.")
        .section("nic", &p::nic, nic_setting::fields(), "Parameters of a NIC.");
    return s;
}

block_case draw_block(block_kind of, std::uint64_t seed, std::uint64_t cycles) {
    block_case c;
    c.of = of;
    c.seed = seed;
    c.cycles = cycles;
    if (of == block_kind::bridges)
        c.bridges = draw_bridges(seed);
    else
        c.nic = draw_nic(seed);
    return c;
}

random_outcome run(const block_case& c, random_run how) {
    how.seed = c.seed;
    how.cycles = c.cycles;
    return c.of == block_kind::bridges ? run(how, case_of(c.bridges)) : run(how, c.nic);
}

std::string parameters_of(const block_case& c) {
    return c.of == block_kind::bridges ? words_of(c.bridges) : words_of(c.nic);
}

std::string text(const block_case& c) {
    const bool bridges = c.of == block_kind::bridges;
    return fmt::format("block_case:\n  of: {}\n  seed: {}\n  cycles: {}{}\n", bridges ? "bridges" : "nic",
                       c.seed, c.cycles,
                       bridges ? "\n  bridges: " + differing(c.bridges) : "\n  nic: " + differing(c.nic));
}

block_case read_block_case(const config::value& document) {
    const config::value* const found = document.find("block_case");
    check(found != nullptr, document.where(), "there must be a section 'block_case'");
    const config::value& section = *found;
    const config::location at = section.where();
    block_case c;
    block_case::fields().read(section, c, "block_case");
    const bridge_setting& b = c.bridges;
    check((b.data_width & (b.data_width - 1)) == 0, at, "bridges.data_width must be a power of two");
    check(b.read_beats >= b.max_beats && b.write_beats >= b.max_beats && b.memory_read_beats >= b.max_beats,
          at, "bridges: there must be places for max_beats");
    check(b.managers + b.memories <= 1u << b.node_width, at, "bridges.node_width must number all nodes");
    check(c.nic.vcs % c.nic.classes == 0, at, "nic.classes must be a divisor of vcs");
    check(c.nic.side != 1, at, "nic.side must be 0 or at least 2");
    check(c.nic.side == 0 ? c.nic.router == 0 : c.nic.router < c.nic.side * c.nic.side, at,
          "nic.router must be in the grid of side x side");
    check(!c.nic.shared || (!c.nic.cut_through && !c.nic.atomic && c.nic.reserved <= c.nic.depth), at,
          "nic.shared must be without cut_through and atomic, with reserved at most depth");
    return c;
}

std::string test_text(const block_case& c, const std::string& name, const std::string& why) {
    return "// SPDX-License-Identifier: Apache-2.0\n"
           "#include \"cosim/axi/random/block_case.h\"\n\n#include <gtest/gtest.h>\n\n"
           "// " +
           why + "\nTEST(Shrunk, " + name + ") {\n    EXPECT_EQ(sare::axi::difference(R\"(" + text(c) +
           ")\"),\n              \"\");\n}\n";
}

std::string difference(const std::string& yaml) {
    random_run how;
    how.speed = cosim::rtl_speed::quick;
    return run(read_block_case(config::parse_document(yaml, "case")), how).wrong();
}

}  // namespace sare::axi
