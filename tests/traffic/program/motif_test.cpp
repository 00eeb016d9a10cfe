// SPDX-License-Identifier: Apache-2.0
#include "tests/traffic/program/kernel_run.h"

#include <cmath>

/// Kernels of applications, motifs of Ember among them: messages, bytes and critical path equal their closed
/// forms where nothing contends.
namespace sare::testing_support::motif_test {
namespace {

using sizes = std::vector<std::uint64_t>;

std::string refusal(const std::string& name, std::uint32_t nodes, const settings& lists) {
    return error_of([&] {
        config::value v = section({{"workload", name}});
        for (const auto& [key, value] : lists) v.set(key, kernel_run::list(value));
        make_workload(v, nodes);
    });
}

/// Flits of what lies on the surface towards a dimension.
std::uint64_t face(const sizes& cells, std::size_t dimension, std::uint64_t bytes) {
    std::uint64_t n = 1;
    for (std::size_t d = 0; d < cells.size(); ++d) n *= d == dimension ? 1 : cells[d];
    return n * bytes / 8;
}

TEST(Halo, ExchangesDimensionAfterDimension) {
    struct domain {
        sizes dims, cells;
        bool torus;
    };
    for (const auto& [dims, cells, torus] : std::vector<domain>{{{4, 4, 4}, {10, 20, 30}, false},
                                                                {{4, 4, 4}, {10, 20, 30}, true},
                                                                {{8, 8}, {5, 7}, false},
                                                                {{4, 2, 8}, {3, 3, 3}, true},
                                                                {{16, 1}, {9, 4}, false}}) {
        const std::uint64_t tasks = product(dims);
        std::uint64_t messages = 0, flits = 0, cycles = 4 + stages(tasks) * hop(1);
        for (std::size_t d = 0; d < dims.size(); ++d) {
            if (dims[d] == 1) continue;
            const std::uint64_t both = std::min<std::uint64_t>(dims[d] - 1, 2);
            const std::uint64_t all = torus ? tasks * both : 2 * tasks / dims[d] * (dims[d] - 1);
            const std::uint64_t f = face(cells, d, 16);
            messages += all;
            flits += all * f;
            cycles += hop(f, both - 1) + 3;
        }
        for (std::size_t d = 0; d < dims.size(); ++d) cycles += dims[d] == 1 ? 3 : 0;
        const kernel_run r("halo", tasks,
                           {{"dims", words(dims)},
                            {"cells", words(cells)},
                            {"torus", torus ? "true" : "false"},
                            {"fields", "2"},
                            {"copy", "3e-9"},
                            {"compute", "4e-9"}});
        EXPECT_EQ(r.messages(), messages + tasks * stages(tasks)) << words(dims);
        EXPECT_EQ(r.bytes(), 8 * (flits + tasks * stages(tasks))) << words(dims);
        EXPECT_EQ(r.cycles(), cycles) << words(dims);
    }
}

/// 26 neighbours in three dimensions: faces, edges and corners at once.
TEST(Halo, ExchangesWithDiagonalsAtOnce) {
    for (const auto& [dims, cells] : std::vector<std::pair<sizes, sizes>>{
             {{3, 3, 3}, {6, 5, 4}}, {{4, 3, 5}, {10, 10, 10}}, {{5, 5}, {7, 3}}, {{3, 6}, {1, 8}}}) {
        // Of all ways together: those that go on along a dimension have one cell of it.
        std::uint64_t each = 1, stay = 1;
        for (const auto n : cells) {
            each *= n + 2;
            stay *= n;
        }
        const std::uint64_t tasks = product(dims), ways = dims.size() == 3 ? 26 : 8;
        const kernel_run r("halo", tasks,
                           {{"dims", words(dims)},
                            {"cells", words(cells)},
                            {"torus", "true"},
                            {"diagonals", "true"},
                            {"reduce", "false"},
                            {"compute", "4e-9"}});
        EXPECT_EQ(r.messages(), tasks * ways);
        EXPECT_EQ(r.bytes(), tasks * (each - stay) * 8);
        EXPECT_EQ(r.cycles(), 4 + hop(each - stay));
    }
    EXPECT_EQ(
        refusal("halo", 64, {{"cells", "3 4"}}),
        "test.yaml:1:2: 'cells' must have 3 numbers, one by dimension of the tasks, or one for all; not 2");
}

/// In a line of tasks waves of octants with the same way follow each other; those with another one begin
/// where the others end.
TEST(Sweep3d, HasEightOctants) {
    for (const std::uint64_t n : {2U, 4U, 7U, 16U})
        for (const std::uint64_t kba : {1U, 3U, 12U}) {
            const std::uint64_t blocks = 12 / kba;
            const auto run = [&](const sizes& dims) {
                return kernel_run("sweep3d", n,
                                  {{"dims", words(dims)},
                                   {"cells", "6 10 12"},
                                   {"kba", std::to_string(kba)},
                                   {"fields", "2"}});
            };
            const std::uint64_t fx = 10 * kba * 2, fy = 6 * kba * 2;
            const kernel_run x = run({n, 1}), y = run({1, n});
            EXPECT_EQ(x.messages(), 8 * blocks * (n - 1));
            EXPECT_EQ(x.bytes(), 8 * blocks * (n - 1) * fx * 8);
            EXPECT_EQ(y.bytes(), 8 * blocks * (n - 1) * fy * 8);
            EXPECT_EQ(x.cycles(), 5 * (n - 1) * hop(fx) + (8 * blocks - 5) * fx) << n << " " << kba;
            EXPECT_EQ(y.cycles(), 4 * (n - 1) * hop(fy) + (8 * blocks - 4) * fy) << n << " " << kba;
        }
    const kernel_run square("sweep3d", 16, {{"cells", "6 10 12"}, {"kba", "3"}, {"fields", "1"}});
    EXPECT_EQ(square.messages(), 8 * 4 * 24U);
    EXPECT_EQ(square.bytes(), 8 * 4 * 12 * (30 + 18) * 8U);
    EXPECT_EQ(refusal("sweep3d", 16, {{"cells", "6 10"}}),
              "test.yaml:1:2: 'cells' must have 3 numbers, those of a task in x, y and z; not 2");
    EXPECT_EQ(refusal("sweep3d", 8, {{"dims", "2 2 2"}}),
              "test.yaml:1:2: workload 'sweep3d' takes 2 dimensions of tasks, not 3");
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "sweep3d"}, {"kba", "7"}}), 16);
              }),
              "test.yaml:1:2: 'kba' must divide the cells in z, 50; 7 does not");
}

TEST(Kernels, RefuseImpossibleMessages) {
    const char* const text =
        "test.yaml:1:2: a message would have more than 1000000000000 bytes, the most that is possible; a "
        "task "
        "must have less data";
    // The last one has 2^64 cells and more.
    for (const char* dims : {"2 2 2", "2 2 2 2", "2 2 2 2 2"})
        EXPECT_EQ(refusal("halo", 32, {{"dims", dims}, {"cells", "1000000"}}), text) << dims;
    EXPECT_EQ(refusal("lattice_qcd", 16, {{"dims", "2 2 2 2"}, {"cells", "10000"}}), text);
    EXPECT_EQ(refusal("fft3d", 4, {{"data", "1000000 1000000 1000000"}}), text);
    EXPECT_EQ(error_of([] {
                  config::value v = section({{"workload", "sweep3d"}, {"fields", "1000000"}});
                  v.set("cells", kernel_run::list("1 1000000 1"));
                  make_workload(v, 16);
              }),
              text);
}

/// Computations fill the pipeline of a wave.
TEST(Sweep3d, ComputesEveryBlock) {
    for (const std::uint64_t n : {1U, 2U, 5U, 8U}) {
        const kernel_run r(
            "sweep3d", n,
            {{"dims", std::to_string(n) + " 1"}, {"cells", "1 1 4"}, {"fields", "1"}, {"compute", "50e-9"}});
        // A wave is 50 + hop(1) behind that of the task before; 32 blocks of every task, and five fills.
        EXPECT_EQ(r.cycles(), 32 * 50 + 5 * (n - 1) * (50 + hop(1))) << n;
    }
}

TEST(NBody, GoesRoundHalfOfTheRing) {
    for (const std::uint64_t n : {1U, 2U, 5U, 8U, 64U}) {
        const std::uint64_t hops = n / 2;
        const kernel_run r("n_body", n, {{"bytes", "80"}, {"compute", "3e-9"}});
        EXPECT_EQ(r.messages(), n * hops);
        EXPECT_EQ(r.bytes(), n * hops * 80);
        EXPECT_EQ(r.cycles(), 3 + hops * (hop(10) + 3));
        const kernel_run back("n_body", n, {{"bytes", "80"}, {"return_bytes", "24"}, {"repetitions", "2"}});
        EXPECT_EQ(back.messages(), 2 * (n * hops + (n == 1 ? 0 : n)));
        EXPECT_EQ(back.cycles(), 2 * (hops * hop(10) + (n == 1 ? 0 : hop(3))));
        const kernel_run full("n_body", n, {{"bytes", "80"}, {"ring", "full"}, {"compute", "3e-9"}});
        EXPECT_EQ(full.messages(), n * (n - 1));
        EXPECT_EQ(full.cycles(), 3 + (n - 1) * (hop(10) + 3));
    }
}

TEST(Fft3d, TransposesRowsAndColumns) {
    for (const auto& [tasks, rows] :
         std::vector<std::pair<std::uint64_t, std::uint64_t>>{{4, 2}, {8, 4}, {16, 4}, {64, 8}, {64, 2}}) {
        const std::uint64_t columns = tasks / rows, all = 16 * 32 * 64;
        const kernel_run r(
            "fft3d", tasks,
            {{"data", "16 32 64"}, {"row", std::to_string(rows)}, {"real", "false"}, {"compute", "100e-9"}});
        const std::uint64_t barriers = tasks * stages(tasks);
        EXPECT_EQ(r.messages(), 2 * (tasks * (rows - 1) + tasks * (columns - 1) + barriers));
        EXPECT_EQ(r.bytes(), 2 * 16 * (all / rows * (rows - 1) + all / columns * (columns - 1)));
        const std::uint64_t in_row = all / tasks / rows * 2, in_column = all / tasks / columns * 2;
        EXPECT_EQ(r.cycles(), 2 * ((rows - 1) * hop(in_row) + (columns - 1) * hop(in_column) + 300 +
                                   stages(tasks) * hop(1)));
    }
    // Half of the spectrum of real data; parts that differ.
    const kernel_run uneven("fft3d", 6, {{"data", "10 7 5"}, {"row", "3"}});
    std::uint64_t bytes = 0;
    for (const std::uint64_t z : {3U, 2U}) bytes += (6 * 7 - 2 * 3 - 2 * 2 - 2 * 2) * z;  // 2 x 3, 2, 2 stay
    for (const std::uint64_t x : {2U, 2U, 2U}) bytes += (7 * 5 - 4 * 3 - 3 * 2) * x;
    EXPECT_EQ(uneven.bytes(), 2 * 16 * bytes);
    EXPECT_EQ(kernel_run("fft3d", 12, {{"data", "8 8 8"}}).messages(), 2 * (12 * 2 + 12 * 3 + 12 * 4U));
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "fft3d"}, {"row", "5"}}), 16);
              }),
              "test.yaml:1:2: 'row' must divide the 16 tasks; 5 does not");
    EXPECT_EQ(refusal("fft3d", 16, {{"data", "8 8"}}),
              "test.yaml:1:2: 'data' must have 3 numbers, the elements in x, y and z; not 2");
}

TEST(LatticeQcd, GathersForwardsThenBackwards) {
    struct lattice {
        sizes dims, cells;
        bool naik;
    };
    for (const auto& [dims, cells, naik] : std::vector<lattice>{{{3, 3, 3, 3}, {4, 4, 4, 8}, true},
                                                                {{4, 4, 4, 4}, {2, 2, 2, 2}, true},
                                                                {{4, 8, 1, 1}, {6, 4, 2, 2}, false},
                                                                {{2, 2, 2, 2}, {4, 4, 2, 2}, true}}) {
        const std::uint64_t tasks = product(dims), planes = naik ? 3 : 1;
        std::uint64_t flits = 0, back = 0, ways = 0;  // of a task and parity: forwards, backwards
        for (std::size_t d = 0; d < 4; ++d) {
            if (dims[d] == 1) continue;
            ways += dims[d] == 2 ? 1 : 2;
            flits += face(cells, d, 48) / 2 * planes;
            back += dims[d] == 2 ? 0 : face(cells, d, 48) / 2 * planes;
        }
        const kernel_run r("lattice_qcd", tasks,
                           {{"dims", words(dims)},
                            {"cells", words(cells)},
                            {"naik", naik ? "true" : "false"},
                            {"compute", "70e-9"}});
        const std::uint64_t reduced =
            tasks == 81 ? 64 * 6 + 2 * 17 : tasks * stages(tasks);  // 17 beyond a power of two
        EXPECT_EQ(r.messages(), 2 * (tasks * ways * (naik ? 2 : 1) + reduced)) << words(dims);
        EXPECT_EQ(r.bytes(), 2 * 8 * (tasks * (flits + back) + reduced)) << words(dims);
        const std::uint64_t parity = std::max(hop(flits) + 70, hop(flits + back)) + 70;
        const kernel_run reductions(
            "collective", tasks,
            {{"operation", "allreduce"}, {"bytes", "8"}, {"compute", "70e-9"}, {"repetitions", "2"}});
        EXPECT_EQ(r.cycles(), 2 * parity + reductions.cycles() - 70) << words(dims);
    }
    EXPECT_EQ(
        refusal("lattice_qcd", 16, {{"cells", "3 3 3 5"}}),
        "test.yaml:1:2: the 'cells' of a task must be even in a dimension at least: half of its sites are "
        "even ones");
}

/// A worker's round: its job, the computation, the result, the look at it. Either that lasts longest, or the
/// master's link, or the master.
TEST(MasterWorker, IsAsFastAsItsSlowestPart) {
    for (const std::uint64_t workers : {1U, 2U, 7U, 30U})
        for (const std::uint64_t jobs : {1U, 5U}) {
            const auto run = [&](const settings& more) {
                settings all{{"jobs", std::to_string(jobs)}, {"bytes", "80"}, {"result_bytes", "16"}};
                all.insert(all.end(), more.begin(), more.end());
                return kernel_run("master_worker", static_cast<std::uint32_t>(workers + 1), all);
            };
            const kernel_run slow = run({{"compute", "500e-9"}});
            EXPECT_EQ(slow.messages(), 2 * workers * jobs);
            EXPECT_EQ(slow.bytes(), workers * jobs * 96);
            EXPECT_EQ(slow.cycles(), (workers - 1) * 10 + jobs * (hop(10) + 500 + hop(2)));
            const std::uint64_t round = hop(10) + hop(2);
            const kernel_run quick = run({});
            EXPECT_EQ(quick.cycles(), workers * 10 < round ? (workers - 1) * 10 + jobs * round
                                                           : (jobs * workers - 1) * 10 + round);
            // The master looks at one result at a time.
            const kernel_run busy = run({{"master_compute", "200e-9"}});
            EXPECT_EQ(busy.cycles(), workers == 1 ? jobs * (round + 200) : round + jobs * workers * 200);
        }
    EXPECT_EQ(error_of([] {
                  make_workload(section({{"workload", "master_worker"}}), 1);
              }),
              "test.yaml:1:2: workload 'master_worker' takes 2 tasks at least");
}

/// Times of jobs are drawn around their mean; every worker's own.
TEST(MasterWorker, DrawsTheTimesOfItsJobs) {
    const auto compute = [](const char* seed) {
        const kernel_run r(
            "master_worker", 51,
            {{"jobs", "100"}, {"bytes", "8"}, {"compute", "1e-6"}, {"spread", "0.5"}, {"seed", seed}});
        return std::stod(r.w->results().find("mean_compute_cycles")->text()) * 51 / 50 / 100;
    };
    // A uniform law from 500 to 1500: the mean of 5,000 has a standard deviation of 4.1.
    EXPECT_NEAR(compute("1"), 1000, 20);
    EXPECT_NE(compute("1"), compute("2"));
}

}  // namespace
}  // namespace sare::testing_support::motif_test
