// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

#include <cmath>
#include <map>

/// Configurations of BookSim2, written as experiments.
namespace sare::test::import_test {
namespace {

class import : public program {};

struct example {
    const char *name, *text;
    const char* has;   ///< a line of the YAML
    const char* note;  ///< what stderr says, after the file and "no twin: "; "": nothing
    friend std::ostream& operator<<(std::ostream& out, const example& e) { return out << e.name; }
};

/// With the keys of the examples that BookSim2 comes with, and values of our own.
const example examples[] = {
    {"mesh",
     "topology = mesh; k = 4; n = 2; routing_function = dor;\nnum_vcs = 4; vc_buf_size = 6; "
     "wait_for_tail_credit = 1;\nvc_allocator = islip; sw_allocator = islip; alloc_iters = 1;\ncredit_delay "
     "= 2; "
     "routing_delay = 0; vc_alloc_delay = 1; sw_alloc_delay = 1;\ninput_speedup = 2; output_speedup = 1; "
     "internal_speedup = 1.0;\ntraffic = transpose; packet_size = 80; sim_type = latency; injection_rate = "
     "0.004;\n",
     "  max_packet_flits: 80", ""},
    {"torus",
     "// a torus\ntopology = torus;\nk = 4;\nn = 2;\nrouting_function = dim_order;\nnum_vcs = 2;\ntraffic = "
     "uniform;\ninjection_rate = 0.1;\n",
     "  link_latency: 2", ""},
    {"shared_buffers",
     "topology = mesh; k = 4; n = 2; routing_function = dor;\nnum_vcs = 4; buf_size = 24; buffer_policy = "
     "shared; private_buf_size = 2;\n",
     "  depth: 6\n  rc_delay: 1\n  va_delay: 1\n  sa_delay: 1\n  iterations: 1\n  input_speedup: 1\n"
     "  output_speedup: 1\n  buffers: shared\n  reserved: 2\n",
     ""},
    {"crossbar",
     "topology = fly; k = 6; n = 1; num_vcs = 4; vc_buf_size = 4; vc_allocator = separable_input_first;\n"
     "sw_allocator = separable_input_first; routing_function = dest_tag; traffic = uniform; use_read_write = "
     "0;\n"
     "injection_rate = 0.9; sample_period = 2000; routing_delay = 0; vc_alloc_delay = 1; sw_alloc_delay = "
     "1;\n"
     "st_final_delay = 1;\n",
     "  topology: butterfly", ""},
    {"concentrated",
     "topology = cmesh; k = 4; n = 2; c = 4; xr = 2; yr = 2; x = 4; y = 4;\nrouting_function = "
     "dor_no_express; traffic = "
     "bitcomp; use_read_write = 0; batch_size = 100;\n",
     "  concentration: 4",
     "topology = cmesh: the nodes of a router are numbered one after another here, by rows of the chip "
     "there: patterns "
     "that go by the bits of a node's number lead elsewhere"},
    {"flattened",
     "num_vcs = 8; vc_buf_size = 4; wait_for_tail_credit = 0; vc_allocator = islip; sw_allocator = islip; "
     "alloc_iters "
     "= 1;\ncredit_delay = 2; routing_delay = 0; vc_alloc_delay = 1; sw_alloc_delay = 1; st_final_delay = "
     "1;\n"
     "input_speedup = 1; output_speedup = 1; internal_speedup = 1.0; warmup_periods = 3; sample_period = "
     "500; "
     "sim_count = 1;\ntraffic = uniform; topology = flatfly; subnets = 1; c = 4; k = 3; n = 2; x = 3; y = 3; "
     "xr = 2; yr "
     "= 2;\nrouting_function = ran_min; use_read_write = 0; packet_size = 1; injection_rate = 0.1;\n"
     "read_request_size=1; write_request_size=1; read_reply_size=1; "
     "write_reply_size=1;\nread_request_begin_vc = 0; "
     "read_request_end_vc = 3; write_reply_begin_vc = 4; write_reply_end_vc = 7;\nread_reply_begin_vc = 4; "
     "read_reply_end_vc = 7; write_request_begin_vc = 0; write_request_end_vc = 3; sim_type = latency;\n",
     "  - {between: [0, 2], latency: 4}", ""},
    {"dragonfly",
     "vc_buf_size = 64; wait_for_tail_credit = 0; vc_allocator = separable_input_first; sw_allocator = "
     "separable_input_first;\nalloc_iters = 1; credit_delay = 2; routing_delay = 0; vc_alloc_delay = 1; "
     "sw_alloc_delay = 1; st_final_delay = 1;\ninput_speedup = 1; output_speedup = 1; internal_speedup = "
     "2.0; "
     "warmup_periods = 3; sim_count = 1; sample_period = 1000;\nrouting_function = min; num_vcs = 2; "
     "priority = none; "
     "traffic = uniform; injection_rate = 0.4; packet_size = 10;\ninjection_rate_uses_flits=1; topology = "
     "dragonflynew; k = 2; n = 1; watch_out=-;\n",
     "  global_link_latency: 100",
     "internal_speedup = 2.0: the switch has the clock of the links here; output_speedup comes near"},
    {"fat_tree",
     "hold_switch_for_packet=1; vc_buf_size = 16; routing_function = nca; num_vcs = 4; priority = "
     "none;\ntraffic = "
     "uniform; injection_rate = 0.5; packet_size = 1; injection_rate_uses_flits=1; topology = fattree; k = "
     "3; n = "
     "2;\nwatch_out=-;\n",
     "  selection: random", "hold_switch_for_packet = 1: packets share the switch flit by flit here"},
    {"any_network",
     "topology = anynet; routing_function = min; network_file = net; traffic = uniform; use_read_write = 0;\n"
     "sample_period = 1000; injection_rate = 0.02; vc_allocator = separable_input_first;\nsw_allocator = "
     "separable_input_first; alloc_iters = 1; num_vcs = 1; vc_buf_size = 3;\n",
     "  file: any_network.graph", ""},
    {"replies",
     "topology = mesh; k = 4; n = 2; routing_function = xy_yx; num_vcs = 8; use_read_write = 1; packet_size "
     "= 1;\n"
     "read_reply_size = 4; read_request_size = 1; write_reply_size = 1; write_request_size = 4; traffic = "
     "diagonal;\ninjection_rate = 0.02; speculative = 1; max_outstanding_requests = 4; print_activity = 0; "
     "limit = "
     "0;\nphysical_subnetworks = 1; arb_type = matrix; seed = 7;\n",
     "  reply_length: {name: bimodal, first: 4, second: 1, probability: 0.5}",
     "traffic = diagonal: uniform has its place"},
    {"adaptive",
     "topology = torus; k = 4; n = 2; routing_function = min_adapt; num_vcs = 4; injection_process = "
     "on_off(0.1,0.2);\ntraffic = hotspot({3,5}); packet_size = {{1,5}}; vc_allocator = max_size;\n",
     "  pattern: {name: hotspot, nodes: [3, 5], fraction: 1}",
     "vc_allocator = max_size: output_first, which is islip, has its place"},
};

class booksim_example : public import, public testing::WithParamInterface<example> {};

/// The YAML is an experiment that can run, and what has no twin is in it as well as on stderr.
TEST_P(booksim_example, BecomesAnExperiment) {
    const example& e = GetParam();
    write(e.name, e.text);
    write("net", "router 0 node 0 node 1 router 1 5\nrouter 1 node 2 router 2\nrouter 2 node 3 router 0\n");
    const std::string file = std::string(e.name) + ".yaml";
    const outcome made = sare("import booksim " + std::string(e.name) + " --out " + file);
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_EQ(made.out, "");
    const std::string yaml = read(file), note = e.note;
    EXPECT_NE(yaml.find(e.has), std::string::npos) << yaml;
    EXPECT_EQ(made.err.empty(), yaml.find("# no twin: ") == std::string::npos) << made.err;
    EXPECT_EQ(made.err.empty(), note.empty()) << made.err;
    EXPECT_NE(made.err.find(note), std::string::npos) << made.err;
    EXPECT_NE(yaml.find(note), std::string::npos) << yaml;
    const outcome checked = sare("check " + file);
    const bool forced = yaml.find("force: true") != std::string::npos;  // told by a note
    EXPECT_EQ(checked.status, 0) << checked.err << yaml;
    EXPECT_EQ(checked.out.find("can deadlock") != std::string::npos, forced) << checked.out;
}

const auto name_of = [](const auto& one) { return std::string(one.param.name); };
INSTANTIATE_TEST_SUITE_P(import, booksim_example, testing::ValuesIn(examples), name_of);

TEST_F(import, KeepsLatenciesOfEachDirection) {
    write("net", "router 0 node 0 router 1 5\nnode 1 router 1 2\n");
    write("any", "topology = anynet; network_file = net; routing_function = min;\n");
    ASSERT_EQ(sare("import booksim any --out any.yaml").status, 0);
    EXPECT_EQ(read("any.graph"), "sare-graph 1\nnode 0 0 - 1\nnode 1 1 - 2\narc 0 1 5\narc 1 0 1\n");
}

/// Rows of BookSim2's own figures, by its own names, come out within 2%.
TEST_F(import, GivesTheFiguresOfBookSim) {
    const char* const wanted[] = {"mesh,8,2,dor,4,8,4,transpose,0.12,", "mesh,8,2,dor,4,8,3,uniform,0.05,0,",
                                  "mesh,8,2,dor,4,8,3,uniform,0.05,1,1,1,1,1,1",
                                  "torus,8,2,dim_order,4,8,4,uniform,0.1,",
                                  "torus,8,2,dim_order,4,8,4,uniform,0.4,"};
    std::ifstream table(SARE_SOURCE_DIR "/tests/data/booksim_reference.csv");
    const auto split = [](const std::string& line) {
        std::vector<std::string> cells;
        std::istringstream in(line);
        for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell.substr(0, cell.find('\r')));
        return cells;
    };
    std::string line;
    std::getline(table, line);
    const std::vector<std::string> names = split(line);
    std::size_t compared = 0;
    while (std::getline(table, line)) {
        if (std::none_of(std::begin(wanted), std::end(wanted),
                         [&](const char* row) { return line.rfind(row, 0) == 0; }))
            continue;
        const std::vector<std::string> cells = split(line);
        std::map<std::string, double> figure;
        std::string text = "injection_rate_uses_flits = 1;\n";
        for (std::size_t k = 0; k < names.size(); ++k)
            if (names[k].find("latency") != std::string::npos || names[k] == "hops" ||
                names[k] == "accepted_flit_rate")
                figure[names[k]] = std::stod(cells[k]);
            else
                text += names[k] + " = " + cells[k] + ";\n";
        write("row", text);
        ASSERT_EQ(sare("import booksim row --out row.yaml --overwrite").err, "");
        ASSERT_EQ(sare("run row.yaml --out r --overwrite --no-report --quiet").status, 0);
        const auto s = read_json("r/summary.json");
        const double latency = s["latency"]["packet"]["from_generation"]["mean"],
                     accepted = s["load"]["accepted"];
        EXPECT_LT(std::abs(latency / figure["packet_latency"] - 1), 0.02) << line << " " << latency;
        EXPECT_LT(std::abs(accepted / figure["accepted_flit_rate"] - 1), 0.02) << line << " " << accepted;
        ++compared;
    }
    EXPECT_EQ(compared, std::size(wanted));
}

TEST_F(import, ReportsMistakesInOneLine) {
    write("cut", "topology = mesh;\nk = 8\n");
    EXPECT_EQ(sare("import booksim cut").err,
              "sare: cut:2:1: 'k = 8' does not end with ';', as statements of BookSim2 do\n");
    write("tree", "topology = qtree;\n");
    EXPECT_EQ(
        sare("import booksim tree").err,
        "sare: tree:1:1: topology 'qtree' of BookSim2 has no twin; those that have: mesh, torus, cmesh, fly, "
        "fattree, flatfly, dragonflynew, anynet\n");
    write("word", "topology = mesh; k = eight;\n");
    EXPECT_EQ(sare("import booksim word").err, "sare: word:1:1: 'k' must be an integer, not 'eight'\n");
    write("none", "topology mesh;\n");
    EXPECT_EQ(sare("import booksim none").err,
              "sare: none:1:1: 'topology mesh' is no statement of BookSim2; those are 'key = value;'\n");
    write("odd", "topology = torus; n = 99;\n");
    EXPECT_EQ(sare("import booksim odd").err, "sare: odd:1:1: k is 1 at least, and n from 1 to 16\n");
    write("any", "topology = anynet; network_file = net;\n");
    for (const auto& [net, message] :
         {std::pair{"hub 0 node 1\n", "'hub' is neither router nor node"},
          {"router 0 node\n", "a number is missing behind 'node'"},
          {"node 0 node 1\n", "a node is linked to a node; nodes are linked to routers"},
          {"node 0 router 1 1 router 2\n", "node 0 is linked to routers 1 and 2; one is possible"}}) {
        write("net", net);
        EXPECT_EQ(sare("import booksim any").err, std::string("sare: net:1:1: ") + message + "\n");
    }
    write("net", "router 0 node 0 router 1\nrouter 1 node 1\n");
    EXPECT_EQ(sare("import booksim any").err,
              "sare: import booksim: an edge list belongs to this network; --out FILE.yaml writes FILE.graph "
              "beside it\n");
    write("mesh", "topology = mesh;\n");
    EXPECT_EQ(sare("import booksim mesh --out mesh").err,
              "sare: mesh: exists already; choose another --out or replace it with --overwrite\n");
    EXPECT_EQ(sare("import booksim mesh k:8").err,
              "sare: SETTING must be such as injection_rate=0.2, not 'k:8'\n");
    EXPECT_EQ(sare("run mesh").err,
              "sare: mesh: a configuration of BookSim2; 'sare import booksim mesh' writes it in YAML\n");
    EXPECT_EQ(sare("mesh").err, "sare: no command; write 'sare import booksim mesh'\n");
}

TEST_F(import, TakesValuesOfTheCommandOverTheFile) {
    write("mesh", "topology = mesh; k = 8; injection_rate = 0.1;\n");
    const outcome o = sare("import booksim mesh k=4 injection_rate=0.3");
    EXPECT_NE(o.out.find("  dims: [4, 4]\n"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("  load: 0.3\n"), std::string::npos) << o.out;
}

}  // namespace
}  // namespace sare::test::import_test
