// SPDX-License-Identifier: Apache-2.0
#include "tests/tb/program.h"

/// Errors that name the cure: the command line, text that is no YAML, names of other simulators.
namespace sare::test::words_test {
namespace {

#define MESH "network: {topology: mesh, dims: [4, 4]}\n"
#define TRAFFIC "traffic: {workload: bernoulli, load: 0.1}\n"

struct said {
    const char *name, *given, *message;
    friend std::ostream& operator<<(std::ostream& out, const said& s) { return out << s.given; }
};

/// A command line, and the one line behind "sare: ".
const said command_lines[] = {
    {"file_alone", "small.yaml", "no command; write 'sare run small.yaml'"},
    {"folder_alone", ".", "no command; of results, write 'sare report .'"},
    {"help_as_command", "help", "help is an option: write 'sare --help'"},
    {"help_of_command", "help run", "help is an option: write 'sare run --help'"},
    {"help_below_command", "trace help", "help is an option: write 'sare trace --help'"},
    {"command_misspelled", "rnu small.yaml", "sare has no command 'rnu'; did you mean 'run'?"},
    {"command_unknown", "xyz",
     "sare has no command 'xyz'; one of: run, sweep, saturate, explore, fit, debug, check, topo, cost, "
     "describe, schema, report, plot, compare, trace, import, cosim, characterise, regress, runs, why, "
     "record, doctor, completion"},
    {"command_below_misspelled", "trace inf x", "sare trace has no command 'inf'; did you mean 'info'?"},
    {"command_below_missing", "trace",
     "sare trace needs a command; one of: check, info, convert, head, cut, fit, write"},
    {"option_misspelled", "run --sett x small.yaml", "sare run has no option --sett; did you mean --set?"},
    {"option_behind", "run small.yaml --sett=x", "sare run has no option --sett; did you mean --set?"},
    {"option_of_none", "--verison", "sare has no option --verison; did you mean --version?"},
    {"option_unknown", "run small.yaml a --foo",
     "sare run has no option --foo; 'sare run --help' lists those that it has"},
    {"option_before_command", "--seed 3 run small.yaml",
     "--seed is an option of sare run; write it behind that"},
    {"option_is_parameter", "run small.yaml --load 0.3",
     "sare run has no option --load; write --set traffic.load=VALUE"},
    {"option_is_parameter_elsewhere", "run small.yaml --vcs-per-vnet=4",
     "sare run has no option --vcs-per-vnet; write --set router.vcs=VALUE"},
    {"argument_too_many", "run a b", "'b' is one argument too many; write 'sare run FILE'"},
    {"booksim_override", "run small.yaml num_vcs=4",
     "'num_vcs=4' is one argument too many; write '--set router.vcs=4'"},
    {"set_forgotten", "run small.yaml traffic.load=0.3",
     "'traffic.load=0.3' is one argument too many; write '--set traffic.load=0.3'"},
    {"arguments_too_many", "compare a b c d", "'c' is one argument too many; write 'sare compare A B'"},
    {"argument_missing", "report", "DIR is missing; write 'sare report DIR'"},
    {"option_missing", "sweep small.yaml --out x",
     "--axis PATH=A,B,C is missing; write 'sare sweep FILE --axis PATH=A,B,C'"},
    {"value_missing", "run small.yaml --jobs", "--jobs needs a value: --jobs N"},
    {"value_twice", "run small.yaml --seed 1 --seed 2", "--seed is given 2 times; give it once"},
    {"value_missing_at_the_third", "run small.yaml --set a=1 --set b=2 --set",
     "--set needs a value: --set PATH=VALUE"},
    {"value_of_flag", "run small.yaml --quiet=maybe", "--quiet takes no value"},
    {"jobs_is_text", "run small.yaml --jobs x", "--jobs must be a whole number from 1 to 4096, not 'x'"},
    {"jobs_is_none", "run small.yaml -j 0", "--jobs must be a whole number from 1 to 4096, not '0'"},
    {"jobs_is_fraction", "run small.yaml -j 1.5", "--jobs must be a whole number from 1 to 4096, not '1.5'"},
    {"compare_of_experiments", "compare small.yaml small.yaml",
     "small.yaml: an experiment, and no result; compare takes what 'sare run' and 'sare sweep' write"},
    {"tolerance_in_percent", "compare a b --rel 3%",
     "--rel must be a number, 0 or more, not '3%'; write 0.03"},
    {"tolerance_negative", "compare a b --abs -1", "--abs must be a number, 0 or more, not '-1'"},
    {"positive", "trace info x --flops-per-second 0",
     "--flops-per-second must be a number greater than 0, not '0'"},
    {"count_of_events", "trace head x -n many", "-n must be a whole number, not 'many'"},
    {"time_of_cut", "trace cut x --to sare --out y --from early",
     "--from must be a number, 0 or more, not 'early'"},
    {"limit_of_eager", "trace check x --eager-limit 1k", "--eager-limit must be a whole number, not '1k'"},
    {"within", "sweep small.yaml --axis a=1 --out s --on slurm --poll 0",
     "--poll must be a number from 0.2 to 3600, not '0'"},
    {"one_of", "sweep small.yaml --axis a=1 --out s --on slum",
     "--on must be one of local, slurm, not 'slum'; did you mean slurm?"},
    {"one_of_far", "completion tcsh", "SHELL must be one of bash, zsh, fish, not 'tcsh'"},
    {"version", "version", "version is an option: write 'sare --version'"},
    {"option_of_scheduler", "sweep small.yaml --axis a=1 --out s --on slurm --submit-option x",
     "--submit-option must be an option, such as --submit-option=--mem=4G, not 'x'"},
    {"exclusive", "topo small.yaml --edges --svg",
     "--edges and --svg are not possible together; give one of them"},
};

/// A file that is given in the place of another; status 1.
const said wrong_files[] = {
    {"experiment_misspelt", "check smal.yaml",
     "smal.yaml: cannot be read: No such file or directory; did you mean 'small.yaml'?"},
    {"report_of_file", "report small.yaml",
     "small.yaml: a file, and no directory of results; 'sare run' and 'sare sweep' write those"},
    {"trace_of_experiment", "trace info small.yaml",
     "trace: 'small.yaml' is an experiment in YAML and no trace; 'sare trace write small.yaml' writes that "
     "of its workload"},
    {"trace_missing", "trace info nowhere", "trace: cannot read 'nowhere': No such file or directory"},
    {"trace_is_folder", "trace check .", "trace: cannot read '.': Is a directory"},
    {"trace_is_text", "trace info letter",
     "letter:1:1: no trace format that is known here, and no index of SimGrid, whose lines name files: there "
     "is no 'Dear all,'"},
    {"trace_format", "trace info letter --format smgrid",
     "trace: unknown trace format 'smgrid'; did you mean 'simgrid'?"},
    {"import_of_experiment", "import booksim small.yaml",
     "small.yaml: YAML, and no configuration of BookSim2; 'sare run small.yaml' runs an experiment"},
    {"neighbours_changed", "describe mseh", "describe: nothing is called 'mseh'; did you mean 'mesh'?"},
    {"describe_foreign", "describe num_vcs",
     "describe: 'num_vcs' of BookSim2 and SuperSim is 'router.vcs' here"},
};

class words : public program, public testing::WithParamInterface<said> {
  protected:
    void SetUp() override {
        program::SetUp();
        write("small.yaml", small);
        write("letter", "Dear all,\n");
    }
    void expect(int status) const {
        const outcome o = sare(GetParam().given);
        EXPECT_EQ(o.err, "sare: " + std::string(GetParam().message) + "\n");
        EXPECT_EQ(o.out, "");
        EXPECT_EQ(o.status, status);
    }
};
class command_line : public words {};
class wrong_file : public words {};

TEST_P(command_line, ReportsMistakesInOneLine) {
    expect(2);
}
TEST_P(wrong_file, IsReportedInOneLine) {
    expect(1);
}

/// The text of case.yaml, and what 'check' says behind "sare: case.yaml:".
const said no_yaml[] = {
    {"tab", "network:\n\ttopology: mesh\n",
     "2:1: not valid YAML: the line is indented by a tab; YAML indents by spaces"},
    {"tab_later", "network:\n  topology: mesh\n\tdims: [4]\n",
     "3:1: not valid YAML: the line is indented by a tab; YAML indents by spaces"},
    {"tab_behind_space", "network:\n  topology: mesh\n \tdims: [4]\n",
     "3:1: not valid YAML: the line is indented by a tab; YAML indents by spaces"},
    {"tab_before_items", MESH "traffic:\n  nodes:\n\t- 4\n\t- 5\n",
     "4:1: not valid YAML: the line is indented by a tab; YAML indents by spaces"},
    {"tab_in_brackets_is_right", "network: {topology: mesh,\n\tdims: [4, 4]}\ntraffic: bernouli\n",
     "3:10: unknown workload 'bernouli'; did you mean 'bernoulli'?"},
    {"bracket_open", "network:\n  dims: [4, 4\n" TRAFFIC,
     "2:9: not valid YAML: '[' is not closed; a ']' is missing"},
    {"brace_open", "network: {topology: mesh\n", "1:10: not valid YAML: '{' is not closed; a '}' is missing"},
    {"bracket_of_other_kind", "network: {dims: [4, 4}\n",
     "1:22: not valid YAML: '[' is not closed; a ']' is missing before this"},
    {"bracket_too_many", "a: [1, 2]]\n",
     "1:10: not valid YAML: ']' closes nothing; it is one too many, or what opens it is missing"},
    {"comma_missing", "network: {topology: mesh dims: [4]}\n",
     "1:30: not valid YAML: a ',' is missing before this, or a bracket"},
    {"comma_missing_in_list", "network: {topology: mesh, dims: [4 4]}\n" TRAFFIC,
     "1:34: 'dims' is 4 4; it must be a list: [4, 4]"},
    {"column_left", "network:\n    topology: mesh\n  dims: [4]\n",
     "3:3: not valid YAML: this line begins in a column in which no section does; the keys of a section "
     "begin "
     "in one column"},
    {"column_right", "network:\n  topology: mesh\n   dims: [4]\n",
     "3:8: not valid YAML: this line is indented deeper than the key above, which has a value already; the "
     "keys of a section begin in one column"},
    {"second_colon", "a: b: c\n",
     "1:5: not valid YAML: a second ':' in a value; a text with ': ' is quoted, and a section in a line is "
     "{key: value}"},
    {"no_colon", "network\ntraffic: b\n",
     "2:8: not valid YAML: the line above is no 'key: value'; its ':' is missing"},
    {"no_space", "network:\n  topology:mesh\n" TRAFFIC,
     "1:1: unknown topology 'topology:mesh'; a ':' behind a key needs a space"},
    {"no_space_before_brace", "nic:{delay: 1}\n" MESH TRAFFIC,
     "1:13: unknown key 'nic:{delay' in 'experiment'; a ':' behind a key needs a space"},
    {"no_space_in_section", MESH TRAFFIC "nic:\n  delay:1\n",
     "3:1: 'nic' must be a section of 'key: value' lines, not a single value; a ':' behind a key needs a "
     "space"},
    {"item_in_line", "dims: - 4\n",
     "1:7: not valid YAML: '- ' begins an item of a list, which needs a line of its own; in a line write "
     "[a, b]"},
    {"item_among_keys", "b: c\n- a\n",
     "2:1: not valid YAML: an item of a list among the keys of a section; a list stands below a key of its "
     "own"},
    {"apostrophe", "a: 'it's'\n",
     "1:8: not valid YAML: nothing can follow the value; a ' in '...' is written twice: ''"},
    {"quote_over_documents", "a: 'x\n---\n'\n",
     "2:1: not valid YAML: '---' or '...' in a quoted text; the quote is not closed"},
    {"backslash", "a: \"\\q\"\n",
     "1:7: not valid YAML: a backslash in \"...\" is written as \\\\; in '...' it is a character as any "
     "other"},
    {"star", "a: *.txt\n",
     "1:4: not valid YAML: no anchor of that name is above ('&name' makes one); a text that begins with '*' "
     "is quoted"},
    {"at_sign", "a: @x\n",
     "1:4: not valid YAML: '@' cannot begin a value; a text that begins with it is quoted: \"@...\""},
    {"tag", "a: !<x\n",
     "1:7: not valid YAML: '!' begins a tag, which says nothing here; a text that begins with it is quoted"},
    {"merge", "network: {<<: {topology: mesh}}\n",
     "1:11: merges ('<<') are not read; write the keys, or give a whole section by its alias"},
    {"latin_1", "name: caf\xe9\n", "1:10: not valid YAML: byte \\xe9; is this a text in UTF-8?"},
    {"directive", "%YAML 9\n---\na: b\n",
     "1:1: not valid YAML: a line that begins with '%' is a directive of YAML; leave it out"},
};

/// The same of names that are not known.
const said names[] = {
    {"topology_at_top", "topology: mesh\n" TRAFFIC,
     "1:11: unknown key 'topology' in 'experiment'; it belongs in another section: 'network.topology'"},
    {"load_in_network", "network: {topology: mesh, load: 0.1}\n" TRAFFIC,
     "1:33: unknown key 'load' in 'mesh'; it belongs in another section: 'traffic.load'"},
    {"vcs_in_nic", MESH TRAFFIC "nic: {vcs: 3}\n",
     "3:12: unknown key 'vcs' in 'nic'; it belongs in other sections: 'router.vcs' or 'classes.vcs'"},
    {"packet_in_router", MESH TRAFFIC "router: {max_packet_flits: 3}\n",
     "3:28: unknown key 'max_packet_flits' in 'router'; it belongs in another section: "
     "'nic.max_packet_flits'"},
    {"top_in_section", MESH TRAFFIC "nic: {threads: 2}\n",
     "3:16: unknown key 'threads' in 'nic'; 'threads' stands at the top, outside of all sections"},
    {"of_several", MESH TRAFFIC "depth: 3\n",
     "3:8: unknown key 'depth' in 'experiment'; it belongs in other sections: 'network.depth' or "
     "'router.depth'"},
    {"of_another_variant", MESH TRAFFIC "router: {kind: dally, depth: 4}\n",
     "3:30: unknown key 'depth' in 'dally'; known: kind, vcs, queue, packet, arbitration, consumption, "
     "injection, injection_queues, injection_length, drop, transit_priority, local_bubble, global_limit, "
     "global_interval, policy"},
    {"dotted", MESH "traffic: {workload: bernoulli, pattern: {name: hotspot, nodes.x: 1}}\n",
     "2:66: unknown key 'nodes.x' in 'hotspot'; write 'nodes: {x: ...}'; dotted paths are for --set"},
    {"dotted_twice", "network: {topology: mesh, topology.dims: [3]}\n" TRAFFIC,
     "1:21: 'topology' must be a name, not a section"},
    {"switch", "network: {topology: switch}\n" TRAFFIC,
     "1:21: unknown topology 'switch'; 'switch' is 'crossbar' here"},
    {"folded_clos", "network: {topology: folded_clos}\n" TRAFFIC,
     "1:21: unknown topology 'folded_clos'; 'folded_clos' of SuperSim is 'kary_ntree' here, or xgft"},
    {"megafly", "network: {topology: megafly}\n" TRAFFIC,
     "1:21: unknown topology 'megafly'; 'megafly' is 'dragonfly_plus' here"},
    {"algorithm_called_as_a_topology",
     MESH "traffic: {workload: training, layers: [{count: 1}], collectives: {reduce_scatter: torus}}\n",
     "2:83: unknown reduce_scatter 'torus'; one of: pairwise, ring, bidirectional_ring, hierarchical, "
     "recursive_halving"},
    {"time_for_cycles", "network: {topology: mesh, link_latency: 100ns}\n" TRAFFIC,
     "1:41: 'link_latency' must be a number of cycles, not '100ns'; at a 'clock_period' of 1ns that is 100"},
    {"frequency_for_period", MESH TRAFFIC "clock_period: 1GHz\n",
     "3:15: 'clock_period' is '1GHz'; it must be a time from 1ps to 1s with its unit, such as 1000ps"},
    {"bytes_for_seconds", "network: {topology: mesh, latency: 5MB}\n" TRAFFIC,
     "1:36: 'latency' must be a number, or one with a unit such as 100ns, not '5MB'"},
    {"number_without_its_unit", "network: {topology: mesh, latency: 100}\n" TRAFFIC,
     "1:36: 'latency' is 100; it must be from 0 to 1 s, or have a unit such as 100ns"},
    {"express_links_without_room",
     "network: {topology: ruche, dims: [4, 3], express: 9}\nrouting: express_dor\n" TRAFFIC,
     "1:51: 'express' is 9, and no dimension has more routers; take a length below that of a dimension, 3 at "
     "most"},
    {"place_that_is_no_name", MESH "names: {nodes: [cpu]}\ntraffic: {workload: ping, pairs: [[cpu.x, 1]]}\n",
     "3:36: a node cannot be called 'cpu.x'; a name is a letter or _, then letters, digits and _ - /, and "
     "not "
     "'all'"},
    {"file_misspelt", "network: {topology: graph, file: smal.yaml}\n" TRAFFIC,
     "1:34: 'file' is smal.yaml; cannot read smal.yaml: No such file or directory; did you mean "
     "'small.yaml'?"},
    {"trace_misspelt", MESH "traffic: {workload: trace, file: lettre}\n",
     "2:10: cannot read 'lettre': No such file or directory; did you mean 'letter'?"},
    {"shared_applications",
     MESH
     "traffic: {workload: applications, applications: {a: {tasks: 16, traffic: bernoulli}, b: {tasks: 4, "
     "traffic: incast}}}\n",
     "2:89: application 'b' has 4 tasks, 1 of a node, but 0 free nodes are there; lower 'tasks', raise "
     "'tasks_per_node', set 'shared: true' where it may run on nodes that others have, or take a larger "
     "network"},
    {"parameter_of_pattern", MESH "traffic: {workload: bernoulli, pattern: hotspot, fraction: 0.2}\n",
     "2:60: unknown key 'fraction' in 'bernoulli'; it belongs in another section: "
     "'traffic.pattern.fraction'"},
    {"pattern_as_workload", MESH "traffic: {workload: uniform}\n",
     "2:21: unknown workload 'uniform'; 'uniform' is a pattern: write 'traffic: {workload: bernoulli, "
     "pattern: uniform}'"},
    {"pattern_of_another_workload", MESH "traffic: {workload: constant_population, population: 40}\n",
     "2:54: unknown key 'population' in 'constant_population'; known: workload, pattern, length, to_self, "
     "class, messages, total, next, time_out"},
    {"pattern_as_key", MESH "traffic: {workload: bernoulli, hotspot: {nodes: [1]}}\n",
     "2:41: unknown key 'hotspot' in 'bernoulli'; 'hotspot' is a pattern: write 'traffic: {workload: "
     "bernoulli, pattern: hotspot}'"},
    {"function_as_topology", "network: {topology: duato}\n" TRAFFIC,
     "1:21: unknown topology 'duato'; 'duato' is a routing function: write 'routing: {function: duato}'"},
    {"duato_without_atomic_vcs", MESH TRAFFIC "routing: duato\n",
     "3:10: routing function 'duato' can deadlock: it rests on escape channels, which need VCs that are "
     "reallocated atomically ('router: {reallocation: atomic}') or cut-through switching ('router: "
     "{switching: "
     "cut_through}'); in a VC that holds several packets of a wormhole network one may be stuck behind "
     "another "
     "that cannot escape: r1.p1.vc0 -> r0.p2.vc1 -> r4.p0.vc0 -> r5.p3.vc1 -> r1.p1.vc0; checks.force runs "
     "it all the same"},
    {"function_of_another_network", "network: {topology: star, n: 4}\nrouting: dor\n" TRAFFIC,
     "2:10: 'function' is dor, which needs a mesh, torus, ring or hypercube, not a star; functions that fit "
     "this "
     "network: shortest_path, table, up_down, up_down_escape"},
    {"west_first_on_torus", "network: {topology: torus, dims: [4, 4]}\nrouting: west_first\n" TRAFFIC,
     "2:10: 'function' is west_first, which needs a mesh; the network has wrap links; functions that fit "
     "this "
     "network: dor, duato, o1turn, romm, shortest_path, smart_dor, up_down, up_down_escape, valiant"},
    {"dims_with_x", "network: {topology: mesh, dims: 6x5}\n" TRAFFIC,
     "1:33: 'dims' is 6x5; it must be a list: [6, 5]"},
    {"dims_in_quotes", "network: {topology: mesh, dims: \"4, 4\"}\n" TRAFFIC,
     "1:33: 'dims' is 4, 4; it must be a list: [4, 4]"},
    {"dims_of_words", "network: {topology: mesh, dims: 4xfour}\n" TRAFFIC,
     "1:33: 'dims' must be an integer, not '4xfour'"},
    {"booksim_vcs", MESH TRAFFIC "num_vcs: 4\n",
     "3:10: unknown key 'num_vcs' in 'experiment'; 'num_vcs' of BookSim2 and SuperSim is 'router.vcs' here"},
    {"booksim_buffer", MESH TRAFFIC "router: {vc_buf_size: 4}\n",
     "3:23: unknown key 'vc_buf_size' in 'router'; 'vc_buf_size' of BookSim2 is 'router.depth' here"},
    {"booksim_k", "network: {topology: mesh, k: 8, n: 2}\n" TRAFFIC,
     "1:30: unknown key 'k' in 'mesh'; 'k' of BookSim2 is 'network.dims' here, a list of the size of each "
     "dimension: [8, 8]"},
    {"k_of_a_ring", "network: {topology: ring, k: 8}\n" TRAFFIC,
     "1:30: unknown key 'k' in 'ring'; did you mean 'n'?"},
    {"booksim_rate", "network: {topology: mesh, injection_rate: 0.1}\n" TRAFFIC,
     "1:43: unknown key 'injection_rate' in 'mesh'; 'injection_rate' of BookSim2 and SuperSim is "
     "'traffic.load' here, flits per node and cycle"},
    {"rate", MESH "traffic: {workload: bernoulli, rate: 0.1}\n",
     "2:38: unknown key 'rate' in 'bernoulli'; 'rate' is 'traffic.load' here, flits per node and cycle"},
    {"xy", MESH TRAFFIC "routing: XY\n",
     "3:10: unknown routing function 'XY'; 'XY' of Noxim and Garnet is 'dor' here"},
    {"bitcomp", MESH "traffic: {workload: bernoulli, pattern: bitcomp}\n",
     "2:41: unknown pattern 'bitcomp'; 'bitcomp' of BookSim2 is 'complement' here"},
    {"islip", MESH TRAFFIC "router: {va_allocator: islip}\n",
     "3:24: unknown va_allocator 'islip'; 'islip' of BookSim2 is 'output_first' here"},
    {"xy_as_key", MESH TRAFFIC "xy: true\n",
     "3:5: unknown key 'xy' in 'experiment'; 'xy' of Noxim and Garnet is 'dor' here, a routing function: "
     "write 'routing: {function: dor}'"},
    {"foreign_pattern_as_workload", MESH "traffic: {workload: bitrev}\n",
     "2:21: unknown workload 'bitrev'; 'bitrev' of BookSim2 is 'reversal' here, a pattern: write 'traffic: "
     "{workload: bernoulli, pattern: reversal}'"},
    {"rate_in_percent", MESH "traffic: {workload: bernoulli, load: 20%}\n",
     "2:38: 'load' must be a number, not '20%'; write 0.2"},
    {"decimal_comma", MESH "traffic: {workload: bernoulli, load: '0,2'}\n",
     "2:38: 'load' must be a number, not '0,2'; write 0.2"},
    {"hexadecimal_size", "network: {topology: mesh, dims: [0x4, 4]}\n" TRAFFIC,
     "1:34: 'dims' must be an integer, not '0x4'"},
    {"length_that_cannot_be", MESH "traffic: {workload: bernoulli, length: 0}\n",
     "2:40: 'length' is 0; it must be from 1 to 1048576"},
    {"cycles_of_a_measurement", MESH TRAFFIC "measurement: {cycles: 1000}\n",
     "3:23: unknown key 'cycles' in 'measurement'; 'cycles' is 'measurement.batch' here, a batch of "
     "'measurement.batches'"},
    {"run_section", MESH TRAFFIC "run: {cycles: 1000}\n",
     "3:6: unknown key 'run' in 'experiment'; 'run' is 'measurement' here, with warmup, batch and batches"},
    {"section_in_another", MESH TRAFFIC "router: {routing: dor}\n",
     "3:19: unknown key 'routing' in 'router'; 'routing' stands at the top, outside of all sections"},
    {"curved_quotes", "network: {topology: \u201cmesh\u201d}\n" TRAFFIC,
     "1:21: unknown topology '\u201cmesh\u201d'; it has a curved quote, U+201C; type it again"},
    {"no_break_space", "network: {topology: mesh,\u00a0dims: [4]}\n" TRAFFIC,
     "1:34: unknown key '\u00a0dims' in 'mesh'; it has a no-break space, U+00A0; type it again"},
    {"capital_letters", "network: {topology: Mesh}\n" TRAFFIC,
     "1:21: unknown topology 'Mesh'; did you mean 'mesh'?"},
};

class experiment_text : public words {
  protected:
    void expect_place() const {
        write("case.yaml", GetParam().given);
        const outcome o = sare("check case.yaml");
        EXPECT_EQ(o.err, "sare: case.yaml:" + std::string(GetParam().message) + "\n");
        EXPECT_EQ(o.status, 1);
    }
};
class yaml_text : public experiment_text {};
class name_text : public experiment_text {};

TEST_P(yaml_text, GetsTheLineAndColumnOfItsMistake) {
    expect_place();
}
TEST_P(name_text, GetsTheLineAndColumnOfItsMistake) {
    expect_place();
}

const auto name_of = [](const auto& one) { return std::string(one.param.name); };
INSTANTIATE_TEST_SUITE_P(words, command_line, testing::ValuesIn(command_lines), name_of);
INSTANTIATE_TEST_SUITE_P(words, wrong_file, testing::ValuesIn(wrong_files), name_of);
INSTANTIATE_TEST_SUITE_P(words, yaml_text, testing::ValuesIn(no_yaml), name_of);
INSTANTIATE_TEST_SUITE_P(words, name_text, testing::ValuesIn(names), name_of);

TEST_F(program, ExplainsHowToWriteAListOnTheCommandLine) {
    write("small.yaml", small);
    EXPECT_EQ(sare("check small.yaml --set network.dims=4,4").err,
              "sare: --set network.dims: 'dims' is 4,4; it must be a list: [4, 4]\n");
}

TEST_F(program, RefusesAnEmptyValueOnTheCommandLine) {
    write("small.yaml", small);
    EXPECT_EQ(sare("check small.yaml --set traffic.load=").err,
              "sare: --set traffic.load: 'load' must be a number, not nothing\n");
}

/// Every name in the table of other simulators' leads to one that is here.
TEST_F(program, MapsNamesOfOtherSimulatorsToItsOwn) {
    write("small.yaml", small);
    const outcome all = sare("describe names");
    EXPECT_EQ(all.status, 0);
    std::istringstream lines(all.out);
    std::string line, foreign, ours, kind;
    std::getline(lines, line);
    std::size_t count = 0;
    std::string script;
    while (std::getline(lines, line)) {
        std::istringstream(line) >> foreign >> ours;
        // A family's selector is described with the family.
        for (const char* selector :
             {"routing.function", "router.kind", "traffic.workload", "network.topology"})
            if (ours == selector) ours.erase(ours.find('.'));
        kind = line.substr(line.rfind(' ') + 1);
        const bool of_router = kind.rfind("va_", 0) == 0 || kind.rfind("sa_", 0) == 0;
        const bool word = of_router || kind == "selection";
        script +=
            (word ? "sare check small.yaml --set router." + kind + "=" + ours : "sare describe " + ours) +
            " >/dev/null || echo " + foreign + "\n";
        ++count;
    }
    EXPECT_GT(count, 100u);
    EXPECT_EQ(shell(script).out, "");
}

/// One error of many points is one line, with their number.
TEST_F(program, ReportsAnErrorOfManyPointsOnce) {
    write("case.yaml",
          "network: {topology: mesh, dims: [3, 3]}\n"
          "traffic: {workload: bernoulli, pattern: butterfly}\n");
    const std::string once =
        "sare: point 000: case.yaml:2:41: pattern 'butterfly' permutes the bits of node ids; 9 nodes are no "
        "power of two (from 2); complement, tornado and neighbour take any number\n";
    const outcome one_network =
        sare("sweep case.yaml --axis seed=1,2,3,4,5,6,7,8,9 --out s --no-report --quiet");
    EXPECT_EQ(one_network.status, 1);
    EXPECT_EQ(one_network.err,
              once + "sare: points 001-008 fail with the error of point 000: 9 points in all\n");
    const outcome networks = sare("sweep case.yaml --axis router.vcs=1,2 --out t --no-report --quiet");
    EXPECT_EQ(networks.err, once + "sare: point 001 fails with the error of point 000: 2 points in all\n");
    // A file in the folder of a point is of any point.
    write("small.yaml", small);
    const outcome full =
        shell("ulimit -f 8; sare sweep small.yaml --axis seed=1,2,3 --out u --no-report --quiet");
    EXPECT_NE(full.err.find("points 001-002 fail with the error of point 000: 3 points in all\n"),
              std::string::npos)
        << full.err;
}

}  // namespace
}  // namespace sare::test::words_test
