// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/seed.h"
#include "tests/tlm/topology/topology_support.h"
#include "tests/traffic/fake_port.h"
#include "tests/traffic/program/watched_program.h"
#include "tlm/base/rng.h"
#include "tlm/network/simulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

/// Random programs of messages, puts, gets, flushes, fences and probes on random networks: what must hold is
/// worked out from the script and from what the network was given and gave back, not from the executor.
namespace sare::test::one_sided_random_test {
namespace {

using namespace testing_support;
using traffic::any_source;
using traffic::any_tag;
using traffic::op;
using traffic::operation;

/// One thing that the script does; each that moves data has a size of its own.
struct deed {
    op what = op::mark;
    std::uint32_t task = 0, peer = 0;  ///< peer: a task, or any_source
    std::uint32_t communicator = 0;
    std::uint64_t bytes = 0;
    std::int64_t mark = 0;    ///< `mark` before it, `mark` + 1 behind it, of its task; of all for a fence
    std::size_t message = 0;  ///< recv, probe: the send
    bool waited = false;      ///< its own end is at `mark` + 1
    bool beside = false;      ///< its task
};

struct plan {
    marked_program::script script;
    std::map<std::uint32_t, std::vector<std::uint32_t>> groups;
    std::vector<deed> deeds;  ///< those of a task in its order
    traffic::executor_parameters parameters;
};

/// In one order for all tasks, so that none waits for ever.
class planner {
  public:
    planner(std::uint64_t seed, std::uint32_t most_tasks) : m_draw(seed, stream::test, 3) {
        const std::uint32_t tasks = 2 + m_draw.below(most_tasks - 1);
        p.script.resize(tasks);
        m_names.resize(tasks);
        for (std::uint32_t t = tasks; t-- > 0;)
            if (t < 2 || m_draw.below(2) == 0) p.groups[1].push_back(t);
        p.parameters.eager_limit = m_draw.below(2) * 700;
        p.parameters.overhead_send = m_draw.below(2) * 3e-9;
        p.parameters.send_queue = 1 + m_draw.below(4);
        p.parameters.tasks_per_node = 1 + m_draw.below(2);
        p.parameters.placement_rule = config::value::scalar(m_draw.below(2) == 0 ? "consecutive" : "random");
    }
    plan make(int steps) {
        for (int k = 0; k < steps; ++k) step();
        return std::move(p);
    }

  private:
    operation& add(std::uint32_t task, op what) {
        p.script[task].emplace_back();
        p.script[task].back().what = what;
        return p.script[task].back();
    }
    /// Marks around what is added, and its entry.
    void note(deed d, const std::function<void()>& then) {
        d.mark = m_marks;
        m_marks += 2;
        add(d.task, op::mark).tag = d.mark;
        then();
        add(d.task, op::mark).tag = d.mark + 1;
        p.deeds.push_back(d);
    }
    std::uint64_t size() { return 1000 * m_draw.below(3) + ++m_sizes; }
    std::uint32_t pick(const std::vector<std::uint32_t>& of) {
        return of[m_draw.below(static_cast<std::uint32_t>(of.size()))];
    }
    std::uint32_t rank(std::uint32_t task, std::uint32_t communicator) {
        if (communicator == 0 || task == any_source) return task;
        const auto& of = p.groups[communicator];
        return static_cast<std::uint32_t>(std::find(of.begin(), of.end(), task) - of.begin());
    }

    void step() {
        std::vector<std::uint32_t> members(p.script.size());
        for (std::uint32_t t = 0; t < members.size(); ++t) members[t] = t;
        const std::uint32_t in = m_draw.below(3) == 0 ? 1 : 0;
        if (in == 1) members = p.groups[1];
        const std::uint32_t task = pick(members), peer = pick(members);
        switch (m_draw.below(10)) {
            case 0:
                add(task, op::compute).seconds = m_draw.below(200) * 1e-9;
                break;
            case 1:
                fence(members, in);
                break;
            case 2:
                flush(task, m_draw.below(2) == 0 ? peer : any_source, in);
                break;
            case 3:
            case 4:
                send(task, peer, in);
                break;
            default:
                one_sided(m_draw.below(2) == 0 ? op::put : op::get, task, peer, in);
        }
    }

    void fence(const std::vector<std::uint32_t>& members, std::uint32_t in) {
        const std::int64_t mark = m_marks;
        for (const std::uint32_t t : members) {
            m_marks = mark;
            deed d;
            d.what = op::fence;
            d.task = t;
            d.communicator = in;
            note(d, [&] { add(t, op::fence).communicator = in; });
        }
    }
    void flush(std::uint32_t task, std::uint32_t peer, std::uint32_t in) {
        note({op::flush, task, peer, in}, [&] {
            operation& o = add(task, op::flush);
            o.communicator = in;
            o.peer = rank(peer, in);
        });
    }
    void one_sided(op what, std::uint32_t task, std::uint32_t peer, std::uint32_t in) {
        deed d{what, task, peer, in, size()};
        const std::uint32_t how = m_draw.below(4);
        d.waited = how == 0;
        d.beside = how == 1;
        note(d, [&] {
            operation& o = add(task, what);
            o.communicator = in;
            o.peer = rank(peer, in);
            o.bytes = d.bytes;
            if (how == 1) {  // beside the task, behind what was so before
                o.in_sequence = false;
                if (m_names[task] != 0) o.needs.push_back({m_names[task], m_draw.below(2) == 0});
            }
            if (how <= 1) o.request = ++m_requests;
            if (how == 1) m_names[task] = o.request;
            const std::uint64_t name = o.request;
            if (how == 0) add(task, op::wait).request = name;
        });
    }
    /// Received by its own tag, with a probe before or without.
    void send(std::uint32_t task, std::uint32_t peer, std::uint32_t in) {
        const std::size_t sent = p.deeds.size();
        const deed d{op::send, task, peer, in, size()};
        const auto of = [&](std::uint32_t whose, op what, std::uint32_t other) {
            operation& o = add(whose, what);
            o.communicator = in;
            o.peer = rank(other, in);
            o.bytes = d.bytes;
            o.tag = static_cast<std::int64_t>(d.bytes);
        };
        note(d, [&] { of(task, op::isend, peer); });
        for (const op what : {op::probe, op::recv}) {
            if (what == op::probe && m_draw.below(2) == 0) continue;
            deed takes{what, peer, task, in, d.bytes};
            takes.message = sent;
            note(takes, [&] { of(peer, what, task); });
        }
    }

    rng m_draw;
    plan p;
    std::vector<std::uint64_t> m_names;  ///< by task: the last one beside it
    std::int64_t m_marks = 0;
    std::uint64_t m_sizes = 0, m_requests = 0;
};

/// What must hold of a run of a plan.
class judge {
  public:
    judge(const plan& what, const watched& run) : m_plan(what), m_run(run) {}

    /// "", or what does not hold.
    std::string verdict() {
        read_nodes();
        if (!m_run.finished()) return "it is stuck: " + m_run.stuck().text();
        check_bytes();
        for (std::size_t k = 0; k < m_plan.deeds.size() && m_wrong.empty(); ++k) find_flights(k);
        for (std::size_t k = 0; k < m_plan.deeds.size() && m_wrong.empty(); ++k) check(k);
        return m_wrong;
    }

  private:
    static constexpr std::size_t none = ~std::size_t{0};
    /// Places in the log: of what began it, of its data, of the acknowledgement of a put.
    struct ways {
        std::size_t first = none, data = none, ack = none;
    };

    void read_nodes() {
        std::istringstream csv(m_run.tables().at(0).second);
        std::string line, task, node;
        std::getline(csv, line);
        while (std::getline(csv, line)) {
            std::istringstream words(line);
            std::getline(words, task, ',');
            std::getline(words, node, ',');
            m_node.push_back(static_cast<std::uint32_t>(std::stoul(node)));
        }
        m_ways.resize(m_plan.deeds.size());
    }
    void need(bool good, std::size_t k, const std::string& what) {
        if (good || !m_wrong.empty()) return;
        const deed& d = m_plan.deeds[k];
        m_wrong = std::string(op_name(d.what)) + " of task " + std::to_string(d.task) + ", peer " +
                  std::to_string(d.peer) + ", communicator " + std::to_string(d.communicator) + ", " +
                  std::to_string(d.bytes) + " bytes: " + what;
    }
    static bool moves(const deed& d) { return d.what == op::send || one_sided(d); }
    static bool one_sided(const deed& d) { return d.what == op::put || d.what == op::get; }
    bool inside(const deed& d) const { return m_node[d.task] == m_node[d.peer]; }

    /// Nothing is lost, nothing comes of nothing: in the network, and in what the executor says of it.
    void check_bytes() {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> planned, carried;
        std::uint64_t all = 0;
        for (const deed& d : m_plan.deeds) {
            if (!moves(d)) continue;
            std::pair<std::uint32_t, std::uint32_t> way{m_node[d.task], m_node[d.peer]};
            if (d.what == op::get) std::swap(way.first, way.second);
            if (!inside(d)) planned[way] += d.bytes;
            all += d.bytes;
        }
        for (const flight& f : m_run.log) {
            if (f.delivered == workload::never) m_wrong = "a message was never delivered";
            if (f.what.bytes != 0) carried[{f.what.source, f.what.destination}] += f.what.bytes;
        }
        if (planned != carried) m_wrong = "bytes of a pair of nodes are not those of the program";
        if (m_run.results().find("bytes")->text() != std::to_string(all)) m_wrong = "bytes are counted wrong";
    }

    std::size_t same_tag(std::size_t k, bool forward) const {
        const std::uint64_t tag = m_run.log[k].what.tag;
        while (forward ? ++k < m_run.log.size() : k-- > 0)
            if (m_run.log[k].what.tag == tag) return k;
        return none;
    }
    /// Control messages around the data have its slot: a get is asked for by one, a rendezvous has two.
    void find_flights(std::size_t k) {
        const deed& d = m_plan.deeds[k];
        if (!moves(d) || inside(d)) return;
        ways& f = m_ways[k];
        for (std::size_t i = 0; i < m_run.log.size(); ++i)
            if (m_run.log[i].what.bytes == d.bytes) {
                need(f.data == none, k, "it was sent twice");
                f.data = i;
            }
        need(f.data != none, k, "it was never sent");
        if (!m_wrong.empty()) return;
        f.first = f.data;
        const bool rendezvous = d.what == op::send && m_plan.parameters.eager_limit != 0 &&
                                d.bytes > m_plan.parameters.eager_limit;
        const int before = d.what == op::get ? 1 : rendezvous ? 2 : 0;
        for (int i = 0; i < before && f.first != none; ++i) f.first = same_tag(f.first, false);
        if (d.what == op::put) f.ack = same_tag(f.data, true);
        const bool there = f.first != none && (d.what != op::put || f.ack != none);
        need(there, k, "its control messages are not there");
        if (!there) return;
        const auto control = [&](std::size_t i, bool back) {
            const sare::message& m = m_run.log[i].what;
            return m.bytes == 0 && m.source == m_node[back ? d.peer : d.task] &&
                   m.destination == m_node[back ? d.task : d.peer];
        };
        if (d.what == op::put)
            need(control(f.ack, true), k, "the acknowledgement has payload or goes astray");
        if (before != 0) need(control(f.first, false), k, "a request has payload or goes astray");
    }

    cycle_t passed(std::uint32_t task, std::int64_t mark) const { return m_run.passed(task, mark); }
    cycle_t begun(std::size_t k) const { return passed(m_plan.deeds[k].task, m_plan.deeds[k].mark); }
    cycle_t ended(std::size_t k) const { return passed(m_plan.deeds[k].task, m_plan.deeds[k].mark + 1); }

    /// When it is handled where it has come: not before what was sent before it between the same tasks.
    cycle_t handled(std::size_t k) const {
        const deed& d = m_plan.deeds[k];
        cycle_t latest = 0;
        for (std::size_t i = 0; i < m_plan.deeds.size(); ++i) {
            const deed& o = m_plan.deeds[i];
            const std::size_t first = m_ways[i].first;
            if (!moves(o) || first == none || first > m_ways[k].first) continue;
            if (o.task != d.task || o.peer != d.peer || o.communicator != d.communicator) continue;
            latest = std::max(latest, m_run.log[first].delivered);
        }
        return latest;
    }
    /// Of a put or get through the network.
    cycle_t completed(std::size_t k) const {
        return m_run.log[m_plan.deeds[k].what == op::put ? m_ways[k].ack : m_ways[k].data].delivered;
    }

    void check(std::size_t k) {
        const deed& d = m_plan.deeds[k];
        if (d.what == op::flush) check_flush(k);
        if (d.what == op::fence) check_fence(k);
        if (!moves(d) && !(d.what == op::recv || d.what == op::probe)) return;
        if (inside(d)) return;
        if (d.what == op::recv || d.what == op::probe) return check_takes(k);
        if (!one_sided(d)) return;
        const ways& f = m_ways[k];
        const std::size_t answer = d.what == op::put ? f.ack : f.data;
        need(m_run.log[answer].sent == handled(k), k, "the node of the target does not answer at once");
        const cycle_t alone = m_run.alone(m_run.log[f.first].what) + m_run.alone(m_run.log[answer].what);
        need(completed(k) >= m_run.log[f.first].sent + alone, k, "it is faster than in an empty network");
        if (d.waited) need(ended(k) == completed(k), k, "its wait does not end with it");
    }

    /// A receive has its message, a probe has one that waits.
    void check_takes(std::size_t k) {
        const std::size_t sent = m_plan.deeds[k].message;
        const bool eager = m_ways[sent].first == m_ways[sent].data;
        const cycle_t here = handled(sent);
        if (m_plan.deeds[k].what == op::probe || eager)
            need(ended(k) == std::max(begun(k), here), k, "it does not end when the message is there");
        else
            need(ended(k) >= m_run.log[m_ways[sent].data].delivered, k, "it ends before its data is there");
    }

    /// Puts and gets of its task before it; exactly where all are in the network.
    void check_flush(std::size_t k) {
        const deed& d = m_plan.deeds[k];
        cycle_t last = begun(k);
        bool all_seen = true;
        for (std::size_t i = 0; i < k; ++i) {
            const deed& o = m_plan.deeds[i];
            if (!one_sided(o) || o.task != d.task) continue;
            if (d.communicator != 0 && o.communicator != d.communicator) continue;
            if (d.peer != any_source && o.peer != d.peer) continue;
            // What runs beside the task is waited for if it has begun.
            if (inside(o)) {
                all_seen = false;
                continue;
            }
            const cycle_t sent = m_run.log[m_ways[i].first].sent;
            if (!o.beside || sent < begun(k)) last = std::max(last, completed(i));
            if (o.beside && sent == begun(k)) all_seen = false;
        }
        need(ended(k) >= last, k, "it ends before a put or get that it waits for");
        if (all_seen) need(ended(k) == last, k, "it waits for more than it has to");
    }

    /// Whoever is through: all that its communicator has put and got before is complete.
    void check_fence(std::size_t k) {
        const deed& d = m_plan.deeds[k];
        for (std::size_t i = 0; i < m_plan.deeds.size(); ++i) {
            const deed& o = m_plan.deeds[i];
            if (o.what == op::fence && o.mark == d.mark)
                need(ended(k) >= begun(i), k, "it ends before a task has begun it");
            if (!one_sided(o) || o.communicator != d.communicator || inside(o)) continue;
            if (o.mark > d.mark) continue;
            if (o.beside && m_run.log[m_ways[i].first].sent >= passed(o.task, d.mark)) continue;
            need(ended(k) >= completed(i), k, "it ends before a put or get in its communicator");
        }
    }

    const plan& m_plan;
    const watched& m_run;
    std::vector<std::uint32_t> m_node;  ///< by task
    std::vector<ways> m_ways;           ///< by deed
    std::string m_wrong;
};

std::unique_ptr<watched> make(const plan& p) {
    return std::make_unique<watched>(std::make_unique<marked_program>(p.script, p.groups), p.parameters);
}

TEST(OneSidedRandom, RunsProgramsInAnEmptyNetwork) {
    const std::uint64_t base = test_seed(1);
    for (std::uint64_t seed = base; seed < base + 400; ++seed) {
        const plan p = planner(seed, 7).make(60);
        const auto w = make(p);
        constexpr cycle_t latency = 10;
        w->alone = [](const sare::message& m) { return m.flits - 1 + latency; };
        fake_port port(8, latency);
        w->start(port);
        port.run(*w, 10000000);
        ASSERT_EQ(judge(p, *w).verdict(), "") << "seed " << seed;
    }
}

/// The plan that the next network runs, and what became of it.
const plan* the_plan = nullptr;
const watched* the_run = nullptr;

const config::registration<workload, const workload_context&> registered{
    "watched", "A program of this test.", config::schema<config::no_parameters>(),
    [](const config::no_parameters&, const config::value&, const workload_context&) -> workload* {
        auto w = make(*the_plan);
        the_run = w.get();
        return w.release();
    }};

std::string run_on(const std::string& network, const std::string& routing, const std::string& fidelity,
                   const plan& p, const std::function<std::string(const watched&)>& read) {
    return in_child([&] {
        the_plan = &p;
        config::value all = config::value::map({});
        all.set("fidelity", config::value::scalar(fidelity));
        all.set("network", test::section(network, "topology"));
        all.set("routing", test::section(routing, "function"));
        all.set("traffic", test::section("watched", "workload"));
        all.set_path("router.vcs", config::value::scalar("4"));
        all.set_path("nic.max_packet_flits", config::value::scalar("8"));
        const experiment e = experiment::read(all, ".");
        simulation run(e);
        const run_result r = run.run(e);
        return r.status == run_status::completed ? read(*the_run) : "not completed: " + r.reason;
    });
}

TEST(OneSidedRandom, RunsProgramsOnNetworks) {
    const std::uint64_t base = test_seed(1);
    const std::pair<const char*, const char*> networks[] = {{"mesh dims=4,4", "odd_even"},
                                                            {"mesh dims=4,4", "dor"},
                                                            {"torus dims=4,4", "dor"},
                                                            {"torus dims=16", "dor"},
                                                            {"mesh dims=8,2", "odd_even"}};
    for (std::uint64_t seed = base; seed < base + 12; ++seed)
        for (const auto& [network, routing] : networks)
            for (const char* const fidelity : {"flit", "analytic"}) {
                const plan p = planner(seed, 16).make(120);
                ASSERT_EQ(run_on(network, routing, fidelity, p,
                                 [&](const watched& w) { return judge(p, w).verdict(); }),
                          "")
                    << network << ' ' << routing << ' ' << fidelity << ", seed " << seed;
            }
}

/// Cycles from the first operations of task 0 to its last, in an empty network.
std::string cycles_of(const char* network, const char* fidelity, marked_program::script script) {
    plan p;
    p.script = std::move(script);
    operation begin, end;
    begin.what = end.what = op::mark;
    end.tag = 1;
    p.script[0].insert(p.script[0].begin(), begin);
    p.script[0].push_back(end);
    p.parameters.placement_rule = config::value::scalar("consecutive");
    return run_on(network, "dor", fidelity, p,
                  [](const watched& w) { return std::to_string(w.passed(0, 1) - w.passed(0, 0)); });
}

/// A put and its acknowledgement, a get and its data take what a message and an answer of these sizes take.
TEST(OneSidedAlone, TakesTheTimeOfItsMessages) {
    const auto one = [](op what, std::uint32_t peer, std::uint64_t bytes) {
        operation o;
        o.what = what;
        o.peer = peer;
        o.bytes = bytes;
        return o;
    };
    for (const char* const network : {"mesh dims=4,4", "torus dims=16"})
        for (const char* const fidelity : {"flit", "analytic"})
            for (const std::uint32_t peer : {1U, 6U, 15U})
                for (const std::uint64_t bytes : {0U, 8U, 500U, 5000U}) {
                    SCOPED_TRACE(std::string(network) + ' ' + fidelity + ' ' + std::to_string(bytes));
                    const auto ping = [&](std::uint64_t there, std::uint64_t back) {
                        marked_program::script s(16);
                        s[0] = {one(op::isend, peer, there), one(op::recv, peer, back)};
                        s[peer] = {one(op::recv, 0, there), one(op::isend, 0, back)};
                        return cycles_of(network, fidelity, s);
                    };
                    const auto flushed = [&](op what) {
                        marked_program::script s(16);
                        s[0] = {one(what, peer, bytes), one(op::flush, any_source, 0)};
                        return cycles_of(network, fidelity, s);
                    };
                    EXPECT_EQ(flushed(op::put), ping(bytes, 0));
                    EXPECT_EQ(flushed(op::get), ping(0, bytes));
                }
}

}  // namespace
}  // namespace sare::test::one_sided_random_test
