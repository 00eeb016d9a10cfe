// SPDX-License-Identifier: Apache-2.0
#include "tests/misuse/misuse.h"
#include "tests/support/in_child.h"
#include "tests/support/seed.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>

namespace sare::test::misuse_test {
namespace {

constexpr std::uint32_t rounds = 20;

/// What a child is at, where its parent can read it when it has died.
struct last_words {
    char text[256] = "";
    int used = 0;
    static last_words& shared() {
        static auto* const it = static_cast<last_words*>(
            mmap(nullptr, sizeof(last_words), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
        return *it;
    }
    void begin(std::uint32_t round) { used = std::snprintf(text, sizeof text, "round %u:", round); }
    void add(std::uint64_t number) {
        const int length =
            std::snprintf(text + used, sizeof text - used, " %llu", static_cast<unsigned long long>(number));
        used = std::min<int>(used + length, sizeof text - 1);
    }
};

/// "" if it is one line of ours.
std::string wrong_with_line(const std::string& line) {
    if (line.empty()) return "says nothing";
    if (line.find('\n') != std::string::npos) return "says more than a line: " + line;
    for (const char* of_library : {"_M_", "::at", "std::", "basic_string", "stoul", "bad optional"})
        if (line.find(of_library) != std::string::npos) return "says a library's words: " + line;
    return "";
}

/// Calls it in all rounds, then lets the networks go on. "": all of them returned, or said a line.
std::string try_call(platform& p, const misuse_call& c, std::uint64_t seed) {
    hostile numbers(seed, [](std::uint64_t n) { last_words::shared().add(n); });
    const auto attempt = [&](const std::function<void()>& f) {
        try {
            f();
        } catch (const sc_core::sc_report& r) {
            return wrong_with_line(r.get_msg());
        } catch (const std::bad_alloc&) {
            return std::string("asks for more memory than there is");
        } catch (const std::exception& e) {
            return wrong_with_line(e.what());
        }
        return std::string();
    };
    for (std::uint32_t round = 0; round < rounds; ++round) {
        last_words::shared().begin(round);
        if (const std::string wrong = attempt([&] { c.call(p, numbers); }); !wrong.empty()) return wrong;
    }
    last_words::shared().begin(rounds);  // the networks go on
    return attempt([&] { p.go_on(); });
}

/// In a process of its own, within bounds of time and memory.
std::string try_apart(platform& p, const misuse_call& c, std::uint64_t seed) {
    last_words::shared() = {};
    const std::string said = in_child([&] {
        const rlimit seconds{60, 60};
        setrlimit(RLIMIT_CPU, &seconds);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        const rlimit bytes{4ULL << 30, 4ULL << 30};
        setrlimit(RLIMIT_AS, &bytes);
#endif
        return "done" + try_call(p, c, seed);
    });
    if (said == "done") return "";
    const std::string at = std::string(" (") + last_words::shared().text + ")";
    return said.empty() ? "crashes, ends the process or goes on for ever" + at : said.substr(4) + at;
}

void try_all(platform& p, const std::vector<const misuse_calls*>& tables) {
    using report = sc_core::sc_report_handler;
    report::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    report::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
    report::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    const std::uint64_t seed = test_seed(1);
    std::size_t functions = 0;
    for (const misuse_calls* table : tables)
        for (const misuse_call& c : *table) {
            ++functions;
            EXPECT_EQ(try_apart(p, c, seed), "") << c.function;
        }
    std::cout << functions << " calls, " << rounds << " times each\n";
}

/// What an engine's state makes a difference to.
TEST(Misuse, CrashesNothingBeforeElaboration) {
    platform p;
    try_all(p, {&engine_calls::all(), &fabric_calls::all(), &memory_calls::all()});
}

TEST(Misuse, CrashesNothingWhileTheEngineRuns) {
    platform p;
    p.elaborate();
    try_all(p, {&engine_calls::all(), &fabric_calls::all(), &memory_calls::all(), &axi_calls::all(),
                &chi_calls::all(), &map_calls::all()});
}

TEST(Misuse, CrashesNothingAfterTheEndOfTheTraffic) {
    platform p;
    p.elaborate();
    p.composed.engine().run_until(20000);
    ASSERT_TRUE(p.composed.engine().finished());
    try_all(p, {&engine_calls::all(), &memory_calls::all()});
}

}  // namespace
}  // namespace sare::test::misuse_test
