// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/checker.h"
#include "cosim/axi/random/random_run.h"
#include "tests/cosim/found_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

/// The AXI bridges of the model and their RTL in lock step, on settings drawn at random: every output pin,
/// every cycle, with the rules of AXI checked at every port and all data compared with what was written.
namespace sare::axi::axi_bridge_test {
namespace {

namespace fs = std::filesystem;

class random_bridges : public testing::TestWithParam<std::uint64_t> {};

TEST_P(random_bridges, AgreeWithTheirRtl) {
    random_run what;
    what.seed = GetParam();
    what.speed = cosim::rtl_speed::quick;
    const random_outcome o = run(what);
    EXPECT_EQ(o.difference, "") << o.parameters;
    EXPECT_EQ(o.problem, "") << o.parameters;
    RecordProperty("bridge_cycles", std::to_string(o.bridge_cycles));
    RecordProperty("transactions", std::to_string(o.transactions));
    RecordProperty("flits", std::to_string(o.flits));
    EXPECT_GE(o.bridge_cycles, 40000u);
    EXPECT_GT(o.transactions, 100u);
}

INSTANTIATE_TEST_SUITE_P(drawn, random_bridges, testing::Range<std::uint64_t>(1, 21));

/// The models alone: what the bridges do is right in many more settings, and requests do wait in some.
TEST(AxiModels, ServeManagersInRandomSettings) {
    std::uint64_t held = 0;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        random_run what;
        what.seed = seed;
        what.cycles = 4000;
        what.rtl = false;
        const random_outcome o = run(what);
        EXPECT_EQ(o.problem, "") << "seed " << seed << ": " << o.parameters;
        held += o.requests_held;
    }
    EXPECT_GT(held, 10000u);
}

// ---- RTL with a mistake ----------------------------------------------------------------------------------

struct mistake {
    const char *name, *file, *from, *to;

    friend std::ostream& operator<<(std::ostream& os, const mistake& m) { return os << m.name; }
};

std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A copy of rtl/ with one edit, and without its assertions: the comparison alone must see it.
fs::path broken_copy(const mistake& m) {
    fs::path copy = fs::path(testing::TempDir()) / (std::string("sare_axi_") + m.name);
    fs::remove_all(copy);
    fs::copy(SARE_SOURCE_DIR "/rtl", copy, fs::copy_options::recursive);
    const fs::path edited = test::found_file(copy, m.file);
    std::string text = text_of(edited);
    const std::size_t at = text.find(m.from);
    if (at == std::string::npos) throw std::runtime_error(std::string(m.file) + " has no " + m.from);
    std::ofstream(edited) << text.replace(at, std::string(m.from).size(), m.to);
    std::ofstream(copy / "sare_assert.svh") << "`define SARE_ASSERT(name_, condition_)\n";
    return copy;
}

class axi_mistake : public testing::TestWithParam<mistake> {};

TEST_P(axi_mistake, IsFoundByComparingWithTheModel) {
    random_case c;
    c.managers = 2;
    c.memories = 3;
    c.manager.keeps_order = true;
    c.manager.read_beats = 20;
    c.manager.map = {{0x10000, 0x1ffff, 2}, {0x20000, 0x2ffff, 3}, {0x30000, 0x3ffff, 4}};
    random_run what;
    what.speed = cosim::rtl_speed::quick;
    const fs::path rtl = broken_copy(GetParam());
    what.sources = rtl;
    random_outcome o;
    for (what.seed = 1; what.seed <= 4 && o.difference.empty(); ++what.seed) {
        o = run(what, c);
        EXPECT_EQ(o.problem, "") << "what goes on is the model's";
    }
    fs::remove_all(rtl);
    EXPECT_NE(o.difference, "");
}

const mistake mistakes[] = {
    {"order", "sare_axi_order.sv", "key_q != key_i", "1'b0"},
    {"room", "sare_axi_manager_bridge.sv", "32'(room_q) >= 32'(ar_beats)", "room_q != '0"},
    {"held", "sare_axi_manager_bridge.sv", "b_error_q & ~b_held_q", "b_error_q"},
    {"whole", "sare_axi_subordinate_bridge.sv", "(w_done_q | w_ends))", "1'b1)"},
};

INSTANTIATE_TEST_SUITE_P(rtl, axi_mistake, testing::ValuesIn(mistakes),
                         [](const auto& one) { return std::string(one.param.name); });

// ---- the checker ----------------------------------------------------------------------------------------

/// A write of two beats of ID 1 and a read of two beats of ID 2, both in order; each test bends a pin in a
/// cycle.
struct port {
    forward_pins f;
    backward_pins b;
};

std::vector<port> good_cycles() {
    std::vector<port> c(8);
    address a;
    a.id = 1;
    a.addr = 0x1000;
    a.len = 1;
    a.size = 2;
    c[0].f.aw_valid = c[1].f.aw_valid = true;
    c[0].f.aw = c[1].f.aw = a;
    c[1].b.aw_ready = true;
    for (int n : {2, 3}) {
        c[n].f.w_valid = c[n].b.w_ready = true;
        c[n].f.w.set(32, 4, 0xf);
        c[n].f.w_last = n == 3;
    }
    a.id = 2;
    c[3].f.ar_valid = c[3].b.ar_ready = true;
    c[3].f.ar = a;
    c[4].b.b_valid = c[5].b.b_valid = c[5].f.b_ready = true;
    c[4].b.b_id = c[5].b.b_id = 1;
    for (int n : {6, 7}) {
        c[n].b.r_valid = c[n].f.r_ready = true;
        c[n].b.r_id = 2;
        c[n].b.r_last = n == 7;
    }
    return c;
}

std::string verdict(const std::vector<port>& cycles) {
    pin_checker rules(32);
    for (const port& p : cycles) rules.cycle(p.f, p.b);
    return rules.first_violation() + (rules.idle() ? "" : " (open)");
}

struct breach {
    const char* name;
    std::function<void(std::vector<port>&)> bend;
    const char* says;
};

TEST(AxiChecker, AcceptsWhatTheProtocolAllows) {
    EXPECT_EQ(verdict(good_cycles()), "");
    std::vector<port> data_first = good_cycles();
    std::swap(data_first[0], data_first[2]);
    std::swap(data_first[1], data_first[3]);
    EXPECT_EQ(verdict(data_first), "");
}

TEST(AxiChecker, SeesEachBreach) {
    const breach all[] = {
        {"address", [](auto& c) { c[1].f.aw.addr += 4; },
         "cycle 2: AXI4_ERRM_AWADDR_STABLE: AWADDR changes before it is taken"},
        {"gone", [](auto& c) { c[1].f.aw_valid = false; },
         "cycle 2: AXI4_ERRM_AWVALID_STABLE: AW is withdrawn before it is taken (open)"},
        {"answer", [](auto& c) { c[5].b.b_resp = response::slverr; },
         "cycle 6: AXI4_ERRS_BRESP_STABLE: BRESP changes before it is taken"},
        {"wlast", [](auto& c) { c[2].f.w_last = true; },
         "cycle 3: AXI4_ERRM_WDATA_NUM: WLAST early, at beat 1 of 2 of the write of ID "},
        {"no_wlast", [](auto& c) { c[3].f.w_last = false; },
         "cycle 4: AXI4_ERRM_WDATA_NUM: no WLAST at beat 2 of 2 of the write of ID "},
        {"strobes", [](auto& c) { c[1].f.aw.size = c[0].f.aw.size = 1; },
         "cycle 3: AXI4_ERRM_WSTRB: WSTRB of bytes that are not of the beat, at beat 1 of 2"},
        {"early", [](auto& c) { std::swap(c[3].f.w_valid, c[5].f.w_valid); },
         "cycle 6: AXI4_ERRS_BRESP_WLAST: B of ID "},
        {"b_id", [](auto& c) { c[4].b.b_id = c[5].b.b_id = 2; },
         "cycle 6: AXI4_ERRS_BRESP_AW: B of ID 2, of which no write is open (open)"},
        {"r_id", [](auto& c) { c[6].b.r_id = 1; },
         "cycle 7: AXI4_ERRS_RID: R of ID 1, of which no read is open"},
        {"rlast", [](auto& c) { c[6].b.r_last = true; },
         "cycle 7: AXI4_ERRS_RDATA_NUM: RLAST early, at beat 1 of 2 of the read of ID "},
        {"no_rlast", [](auto& c) { c[7].b.r_last = false; },
         "cycle 8: AXI4_ERRS_RDATA_NUM: no RLAST at beat 2 of 2 of the read of ID "},
        {"twice", [](auto& c) { c.push_back(c[5]); }, "cycle 9: AXI4_ERRS_BRESP_AW: B of ID "},
        {"never", [](auto& c) { c.pop_back(); }, " (open)"},
        {"size", [](auto& c) { c[3].f.ar.size = 3; },
         "cycle 4: AXI4_ERRM_ARSIZE: AR: a beat is wider than the bus"},
        {"border", [](auto& c) { c[3].f.ar.addr = 0x1ffc; },
         "cycle 4: AXI4_ERRM_ARADDR_BOUNDARY: AR: a burst crosses 4 KiB"},
        {"wrap",
         [](auto& c) {
             c[3].f.ar.burst = burst_kind::wrap;
             c[3].f.ar.addr = 0x1002;
         },
         "cycle 4: AXI4_ERRM_ARADDR_WRAP_ALIGN: AR: a WRAP burst begins at a whole beat"},
        {"reserved", [](auto& c) { c[3].f.ar.burst = static_cast<burst_kind>(3); },
         "cycle 4: AXI4_ERRM_ARBURST: AR: a burst is FIXED, INCR or WRAP"},
    };
    for (const breach& one : all) {
        std::vector<port> cycles = good_cycles();
        one.bend(cycles);
        EXPECT_EQ(verdict(cycles).substr(0, std::string(one.says).size()), one.says) << one.name;
    }
}

}  // namespace
}  // namespace sare::axi::axi_bridge_test
