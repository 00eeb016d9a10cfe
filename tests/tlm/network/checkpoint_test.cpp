// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_setting.h"
#include "tests/support/seed.h"
#include "tlm/state/checkpoint_folder.h"
#include "tlm/topology/graph/graph.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <sstream>

/// A network that is written and read goes on as if nothing had been; and what is no checkpoint is refused.
namespace sare::test::checkpoint_test {
namespace {

std::unique_ptr<topology> map_of(const setting_source::drawn& d) {
    if (d.graph.empty()) return test::network(d.setting.network);
    std::istringstream in(d.graph);
    return read_graph(in, "random", {});
}

/// A network, its traffic, and what became of packets.
struct whole {
    explicit whole(const setting_source::drawn& d)
        : f(d.setting, map_of(d)),
          traffic(traffic_of(d.setting.traffic, f.net.view().nodes(), d.setting.length)) {
        f.net.stepper().set_observer(&log);
        f.net.stepper().set_workload(traffic.get());
    }
    void serialize(archive& a) { a(f.net, *traffic, next); }
    void run(cycle_t end) { next = f.run(next, end); }
    std::string written() {
        std::ostringstream to;
        write_checkpoint(to, {"", "", next}, [this](archive& a) { serialize(a); });
        return to.str();
    }
    void read(const std::string& text) {
        std::istringstream from(text);
        checkpoint(from).restore([this](archive& a) { serialize(a); });
    }

    test_fabric f;
    std::unique_ptr<workload> traffic;
    packet_log log;
    cycle_t next = 0;
};

void append(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

constexpr cycle_t end_of_all = 1500;

/// Written and read twice on the way.
std::vector<std::uint64_t> in_three_parts(const setting_source::drawn& d, cycle_t first, cycle_t second) {
    whole a(d), b(d), c(d);
    a.run(first);
    b.read(a.written());
    b.run(second);
    c.read(b.written());
    c.run(end_of_all);
    std::vector<std::uint64_t> lines = a.log.lines;
    append(lines, b.log.lines);
    append(lines, c.log.lines);
    append(lines, {c.f.net.view().flits_consumed(), c.f.net.view().flit_hops(),
                   c.traffic->generated(end_of_all).flits});
    return lines;
}

std::vector<std::uint64_t> in_one(const setting_source::drawn& d) {
    whole a(d);
    a.run(end_of_all);
    std::vector<std::uint64_t> lines = a.log.lines;
    append(lines, {a.f.net.view().flits_consumed(), a.f.net.view().flit_hops(),
                   a.traffic->generated(end_of_all).flits});
    return lines;
}

/// Those that can be built; the others are drawn again.
bool can_be(const setting_source::drawn& d) {
    try {
        whole a(d);
        return true;
    } catch (const config::error&) {
        return false;
    }
}

void compare(const setting_source::drawn& d, rng& random, std::map<std::string, int>& seen) {
    const cycle_t first = 1 + random.below(600), second = first + random.below(300);
    std::vector<std::uint64_t> expected;
    try {
        expected = in_one(d);
    } catch (const std::exception&) {
        return;  // it does not run at all
    }
    EXPECT_EQ(in_three_parts(d, first, second), expected)
        << d.setting.network << d.graph << " | " << d.setting.routing << " | " << d.setting.traffic
        << ", cut in cycles " << first << " and " << second;
    const whole a(d);
    ++seen[a.f.net.view().bank_of(0).variant()];
}

/// Routers as most runs have them, and so fast ones.
void make_usual(setting_source::drawn& d, rng& random) {
    d.setting.router = {};
    d.setting.router.vcs = (1 + random.below(4)) * d.setting.classes;
    d.setting.router.rc_delay = random.below(2);
    d.setting.compact_allowed = true;
}

TEST(Checkpoint, LetsRandomNetworksGoOn) {
    setting_source source(test_seed(161));
    std::map<std::string, int> seen;
    for (int n = 0; n < 200 && !::testing::Test::HasFailure();) {
        auto d = source.next();
        if (n % 2 == 1) make_usual(d, source.random());
        if (!can_be(d)) continue;
        compare(d, source.random(), seen);
        ++n;
    }
    EXPECT_GT(seen["vc, wide"], 30);
    EXPECT_GT(seen["vc, scanned"] + seen["vc, listed"], 10);
}

TEST(Checkpoint, LetsLargeNetworksGoOn) {
    setting_source source(test_seed(162));
    std::map<std::string, int> seen;
    for (const char* const network : {"torus dims=18,18", "mesh dims=17,16", "torus dims=17,17"})
        for (const char* const routing : {"dor", "duato"}) {
            setting_source::drawn d;
            d.setting.network = network;
            d.setting.routing = routing;
            d.setting.traffic = "bernoulli load=0.3";
            d.setting.length = "range min=1 max=5";
            d.setting.router.vcs = 4;
            if (d.setting.network == "torus dims=17,17") d.setting.scale = network_scale::dense;
            if (!can_be(d)) continue;
            compare(d, source.random(), seen);
        }
    EXPECT_GT(seen["vc, listed"], 1);
    EXPECT_GT(seen["vc, scanned, dense"], 0);
}

TEST(Checkpoint, LetsKindsOfInseeGoOn) {
    setting_source source(test_seed(163));
    std::map<std::string, int> seen;
    for (const char* const kind :
         {"bubble vcs=2 request=smart", "bubble vcs=3", "dally vcs=4", "multistage vcs=1 queue=4 packet=16"})
        for (const char* const network : {"torus dims=4,4", "torus dims=6,3", "fat_tree k=2 n=3"}) {
            setting_source::drawn d;
            d.setting.kind = kind;
            d.setting.network = network;
            d.setting.traffic = "bernoulli load=0.5";
            d.setting.length = "fixed flits=16";
            if (!can_be(d)) continue;
            for (int n = 0; n < 4; ++n) compare(d, source.random(), seen);
        }
    EXPECT_GT(seen["phits"], 12);
}

TEST(Checkpoint, LetsKindsWithoutBuffersGoOn) {
    setting_source source(test_seed(164));
    std::map<std::string, int> seen;
    for (const auto& [kind, network] : {std::pair{"deflection choice=random", "torus dims=4,4"},
                                        {"deflection delay=2", "mesh dims=5,3"},
                                        {"spinet duration=4", "omega k=2 n=4 extra=2"},
                                        {"spinet attempts=3", "clos m=3 n=2 r=4"}}) {
        setting_source::drawn d;
        d.setting.kind = kind;
        d.setting.network = network;
        d.setting.routing = "destination_tag";
        d.setting.traffic = "bernoulli load=0.4";
        d.setting.length = "range min=1 max=9";
        d.setting.nic.max_packet_flits = 6;
        ASSERT_TRUE(can_be(d)) << kind;
        for (int n = 0; n < 4; ++n) compare(d, source.random(), seen);
    }
    EXPECT_EQ(seen["deflection"], 8);
    EXPECT_EQ(seen["spinet"], 8);
}

TEST(Checkpoint, LetsNodesOfApenetGoOn) {
    setting_source source(test_seed(164));
    std::map<std::string, int> seen;
    for (const char* const mode : {"cut_through", "store_and_forward", "wormhole"})
        for (const char* const routing : {"dor dateline=basic", "duato", "smart_dor dateline=trc"}) {
            setting_source::drawn d;
            d.setting.kind =
                std::string("apenet vcs=3 depth=40 output_depth=9 sync=3 service=random switching=") + mode;
            d.setting.network = "torus dims=4,4 link_latency=5";
            d.setting.routing = routing;
            d.setting.traffic = "bernoulli load=0.6";
            d.setting.length = "range min=1 max=60";
            d.setting.nic.max_packet_flits = 20;
            ASSERT_TRUE(can_be(d));
            for (int n = 0; n < 3; ++n) compare(d, source.random(), seen);
        }
    EXPECT_EQ(seen["apenet"], 27);
}

// ---- files

std::string some_checkpoint() {
    setting_source::drawn d;
    whole a(d);
    a.run(100);
    return a.written();
}

std::string complaint(const std::string& text) {
    try {
        std::istringstream from(text);
        checkpoint c(from);
        return "";
    } catch (const state_error& problem) {
        return problem.what();
    }
}

TEST(CheckpointFile, IsReadWhole) {
    EXPECT_EQ(complaint(some_checkpoint()), "");
}

TEST(CheckpointFile, IsRefusedFromAnotherVersion) {
    std::string text = some_checkpoint();
    text[8] = 9;
    EXPECT_EQ(complaint(text),
              "is of version 9 of the format; this program has version 2: go on with the one that wrote it");
    EXPECT_EQ(complaint("something else"), "is no checkpoint of sare");
    EXPECT_EQ(complaint(""), "is no checkpoint of sare");
}

/// What becomes of packets from there on.
std::vector<std::uint64_t> gone_on_with(const std::string& text) {
    setting_source::drawn d;
    whole a(d);
    a.read(text);
    a.run(300);
    return a.log.lines;
}

/// Wherever it is: nothing of it is taken, but where all that comes out is as it was (a few bits of a frame
/// mean nothing).
TEST(CheckpointFile, IsRefusedWhenCutShortOrDamaged) {
    const std::string text = some_checkpoint();
    rng random(test_seed(164), stream::test, 0);
    int refused = 0;
    for (int n = 0; n < 200; ++n) {
        const std::uint32_t at = 12 + random.below(static_cast<std::uint32_t>(text.size()) - 12);
        EXPECT_NE(complaint(text.substr(0, at)), "") << at;
        std::string damaged = text;
        damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
        if (complaint(damaged).empty()) {
            EXPECT_EQ(gone_on_with(damaged), gone_on_with(text)) << at;
        } else {
            ++refused;
        }
    }
    EXPECT_GT(refused, 190);
    EXPECT_NE(complaint(text + "x"), "");
}

TEST(CheckpointFile, IsRefusedByAnotherNetwork) {
    setting_source::drawn d;
    d.setting.network = "mesh dims=5,4";
    whole other(d);
    EXPECT_THROW(other.read(some_checkpoint()), state_error);
}

/// The last two are kept; of a run that went on from before a damaged one, not that.
TEST(CheckpointFolder, KeepsTheLastTwoUsableCheckpoints) {
    namespace fs = std::filesystem;
    const checkpoint_folder folder(fs::path(testing::TempDir()) /
                                   ("checkpoints." + std::to_string(getpid())));
    const auto write = [&](std::uint64_t cycle) {
        folder.write({"", "", cycle}, [](archive& a) { a.same(7, "nothing"); });
    };
    const auto last = [&] { return folder.last([](const std::string&) {}).what->info().cycle; };
    const auto files = [&] {
        return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
    };
    for (const std::uint64_t cycle : {9, 100, 1000, 3000}) write(cycle);
    EXPECT_EQ(files(), 2);
    const fs::path damaged = folder.last([](const std::string&) {}).file;
    fs::resize_file(damaged, fs::file_size(damaged) - 1);
    EXPECT_EQ(last(), 1000U);
    write(2000);
    EXPECT_FALSE(fs::exists(damaged));
    EXPECT_EQ(last(), 2000U);
    EXPECT_EQ(files(), 2);
    folder.remove();
    EXPECT_FALSE(fs::exists(folder.path()));
}

TEST(Checkpoint, RefusesForeignBlocks) {
    struct block final : foreign_endpoint {
        void flit_arrived(const flit&) override {}
        void credit_arrived(std::uint32_t, std::uint32_t) override {}
    } foreign;
    fabric net(1, 1, 1);
    net.builder().add_foreign(foreign);
    state_size nothing;
    EXPECT_THROW(net.serialize(nothing), unwritable);
}

/// The seam's own answer.
TEST(Checkpoint, RefusesAWorkloadThatCannotWriteItself) {
    scripted_traffic traffic({});
    state_size nothing;
    EXPECT_THROW(traffic.serialize(nothing), unwritable);
}

}  // namespace
}  // namespace sare::test::checkpoint_test
