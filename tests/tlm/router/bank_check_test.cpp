// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/check/bank_check.h"
#include "tests/support/clocked.h"
#include "tests/support/told_fabric.h"
#include "tlm/router_api/base/buffered_bank.h"
#include "tlm/router_api/protocol_error.h"

#include <gtest/gtest.h>

/// Routers of a kind that breaks the rules of links, each in its way, and what is said of them; and kinds
/// that keep them.
namespace sare::test::bank_check_test {
namespace {

enum class fault : std::uint8_t { none, overrun, busy_link, credit_twice, shared_vc };

struct faulty_parameters {
    fault what = fault::none;

    router_terms terms() const {
        router_terms t;
        t.vcs = 2;
        t.depth = 4;
        t.sharing = buffer_sharing::per_vc;
        t.conserves_packets = true;
        t.thread_safe = true;
        return t;
    }
    static config::schema<faulty_parameters> fields() {
        config::schema<faulty_parameters> s;
        s.choice("what", &faulty_parameters::what,
                 {{"none", fault::none},
                  {"overrun", fault::overrun},
                  {"busy_link", fault::busy_link},
                  {"credit_twice", fault::credit_twice},
                  {"shared_vc", fault::shared_vc}},
                 "what it does wrong");
        return s;
    }
};

class faulty_bank final : public buffered_bank {
  public:
    using parameters = faulty_parameters;
    faulty_bank(router_context& net, std::vector<std::uint32_t> routers, std::uint32_t ports,
                const router_terms& terms, const parameters& p)
        : buffered_bank(net, std::move(routers), ports, terms), m_fault(p.what) {}
    std::string variant() const override { return "faulty"; }

  private:
    void run(std::uint32_t k, cycle_t t) override {
        std::uint64_t used = 0;  // output ports
        for (std::uint32_t i = 0; i < all(); ++i) {
            const buffer& from = input(k, i);
            if (from.flits.empty()) continue;
            if (from.ways.size == 0) find_ways(k, i);
            if (!from.has_output()) take_output(k, i);
            if (!from.has_output() || (!can_send(k, i) && m_fault != fault::overrun)) continue;
            const std::uint32_t port = from.out / vcs();
            if ((used >> port & 1) != 0 || (m_fault != fault::busy_link && !is_free(k, port, t))) continue;
            used |= std::uint64_t{1} << port;
            send(k, i, t);
            if (m_fault == fault::credit_twice)
                ring().put_credit(wires_of(k)[i / vcs()].credits, extras_of(k)[i / vcs()].credits, 1 - i % 2,
                                  t);
        }
    }
    void take_output(std::uint32_t k, std::uint32_t i) {
        const std::uint32_t first = input(k, i).ways.candidates[0].port * vcs();
        for (std::uint32_t o = first; o < first + vcs(); ++o)
            if ((vcs_of(input(k, i), 0) >> (o - first) & 1) != 0 &&
                (output(k, o).owner == out_vc::no_owner || m_fault == fault::shared_vc))
                return give_output(k, i, o);
    }
    const fault m_fault;
};

const config::registration<router_model> registered{"faulty", "A router that breaks rules.",
                                                    faulty_parameters::fields(),
                                                    [](const faulty_parameters& p, const config::value&) {
                                                        return new buffered_model<faulty_bank>("faulty", p);
                                                    }};

/// What a run under heavy load ends with: an error, or "".
std::string error_of_run(const std::string& kind, const std::string& network = "mesh dims=4,4") {
    fabric_setting s;
    s.kind = kind, s.network = network;
    s.traffic = "bernoulli load=0.9";
    s.length = "fixed flits=3";
    s.checked = true;
    try {
        run_and_tell(s, 500);
    } catch (const protocol_error& problem) {
        return problem.what();
    }
    return "";
}

TEST(BankCheck, FindsAFlitWithoutAPlace) {
    const std::string said = error_of_run("faulty what=overrun");
    EXPECT_NE(said.find(", of kind faulty, breaks the rules of links in its cycle "), std::string::npos)
        << said;
    EXPECT_NE(said.find(" has no place: all 4 are taken"), std::string::npos) << said;
}

TEST(BankCheck, FindsAFlitOnABusyLink) {
    const std::string said = error_of_run("faulty what=busy_link", "mesh dims=4,4 link_cycles_per_flit=2");
    EXPECT_NE(said.find(" while the link carries another one: one in 2 cycles"), std::string::npos) << said;
}

TEST(BankCheck, FindsAPlaceThatIsGivenBackTwice) {
    const std::string said = error_of_run("faulty what=credit_twice");
    EXPECT_NE(said.find("it gives back a place of input VC "), std::string::npos) << said;
    EXPECT_NE(said.find(" that no flit has"), std::string::npos) << said;
}

TEST(BankCheck, FindsTwoPacketsOnAVC) {
    const std::string said = error_of_run("faulty what=shared_vc");
    EXPECT_NE(said.find(" before the tail of the one before it"), std::string::npos) << said;
}

/// To be checked changes nothing: with threads, long links, credits in batches, and from a checkpoint.
TEST(BankCheck, IsSilentOfKindsThatKeepTheRules) {
    for (const char* kind :
         {"faulty", "plain vcs=4 depth=8", "plain_in_batches vcs=4 depth=8", "apenet vcs=2"})
        for (const char* network : {"mesh dims=4,4", "mesh dims=4,4 link_latency=5"})
            for (const std::uint32_t threads : {1, 2}) {
                fabric_setting s;
                s.kind = kind, s.network = network, s.threads.threads = threads;
                s.traffic = "bernoulli load=0.6";
                s.length = "bimodal first=1 second=4";
                const told_outcome free = run_and_tell(s, 400);
                s.checked = true;
                EXPECT_TRUE(run_and_tell(s, 400) == free) << kind << network;
                EXPECT_TRUE(run_and_tell(s, 400, 123) == free) << kind << network;
            }
}

TEST(BankCheck, IsSilentOfRandomRouters) {
    setting_source source(5);
    for (unsigned k = 0; k < 30; ++k) {
        fabric_setting s = source.next().setting;
        if (s.network.find("graph") != std::string::npos) continue;
        s.checked = true;
        try {
            run_and_tell(s, 300);
        } catch (const config::error&) {  // some cannot be built
        }
    }
}

TEST(BankCheck, IsSilentOfSlowRouters) {
    for (const char* kind : {"faulty", "plain_in_batches vcs=2 depth=8"}) {
        fabric_setting s;
        s.kind = kind;
        s.checked = true;
        test_fabric f(
            s, std::make_unique<clocked>(network(s.network), [](std::uint32_t r) { return 1 + r % 3; }));
        const auto traffic = traffic_of("bernoulli load=0.3", f.map().nodes(), "fixed flits=3");
        f.net.stepper().set_workload(traffic.get());
        EXPECT_NO_THROW(f.run(0, 1000));
        EXPECT_GT(f.net.view().flits_consumed(), 100U);
    }
}

}  // namespace
}  // namespace sare::test::bank_check_test
