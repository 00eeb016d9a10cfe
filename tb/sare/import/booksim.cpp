// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/import/booksim.h"

#include "tb/sare/import/unmatched_key.h"
#include "tlm/config/foreign_names.h"
#include "tlm/config/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace sare::cli {
namespace {

/// Reads the parameters of a file one after another; the remaining ones have no counterpart.
class booksim_import {
    using value = config::value;

  public:
    explicit booksim_import(booksim_file& file) : m_file(file) {}

    imported_experiment run() {
        value tree = value::map({});
        tree.set("seed", number(m_file.text("seed", "0") == "time" ? 1 : m_file.integer("seed", 0)));
        tree.set("network", network());
        tree.set("routing", routing());
        tree.set("router", router());
        if (!m_links.items().empty()) tree.set("links", m_links);
        const value work = traffic();
        if (m_longest > 64) tree.set("nic", value::map({{"max_packet_flits", number(m_longest)}}));
        tree.set("traffic", work);
        tree.set("measurement", measurement());
        if (m_forced) tree.set("checks", value::map({{"force", text("true")}}));
        m_out.tree = tree;
        leave_out();
        return std::move(m_out);
    }

  private:
    static value text(const std::string& word) { return value::scalar(word); }
    template <class N>
    static value number(N x) {
        return config::number(x);
    }

    /// Returns our name for one of BookSim2's, by the table of foreign names; "" if there is none.
    static std::string ours(const std::string& word, const std::string& kind) {
        for (const config::foreign_name* f : config::find_foreign_variants(word))
            if (f->kind == kind && f->tools.find("BookSim2") != std::string_view::npos)
                return std::string(f->ours);
        return "";
    }

    void note(const std::string& key, const std::string& why) {
        const std::string written = m_file.has(key) ? key + " = " + m_file.text(key, "") : key;
        m_out.notes.emplace_back(m_file.place(key), written + ": " + why);
    }

    // Networks

    value network() {
        m_topology = m_file.text("topology", "torus");
        m_k = m_file.integer("k", 8);
        m_n = m_file.integer("n", 2);
        m_c = m_file.integer("c", 1);
        m_real_lengths = m_file.integer("use_noc_latency", 1) != 0;
        if (m_k < 1 || m_n < 1 || m_n > 16)
            throw config::error(m_file.place(m_file.has("n") ? "n" : "k"),
                                "k is 1 at least, and n from 1 to 16");
        std::string name = ours(m_topology, "topology");
        if (m_topology == "mesh" || m_topology == "torus") name = m_topology;
        if (name.empty())
            throw config::error(m_file.place("topology"),
                                fmt::format("topology '{}' of BookSim2 has no twin; those that have: mesh, "
                                            "torus, cmesh, fly, fattree, flatfly, dragonflynew, anynet",
                                            m_topology));
        value net = value::map({{"topology", text(name)}});
        if (name == "mesh" || name == "torus" || name == "hyperx")
            net.set("dims", value::list(std::vector<value>(static_cast<std::size_t>(m_n), number(m_k))));
        if (name == "kary_ntree" || name == "butterfly") {
            net.set("k", number(m_k));
            net.set("n", number(m_n));
        }
        if (m_topology == "torus" && m_real_lengths) net.set("link_latency", number(2));  // folded
        if (m_topology == "cmesh") concentrated(net);
        if (m_topology == "flatfly") flattened(net);
        if (m_topology == "dragonflynew") dragonfly(net);
        if (m_topology == "anynet") any(net);
        return net;
    }

    void concentrated(value& net) {
        net.set("concentration", number(m_c));
        m_file.text("x", ""), m_file.text("y", ""), m_file.text("xr", ""), m_file.text("yr", "");
        if (m_real_lengths) net.set("link_latency", number(std::max<std::int64_t>(m_c / m_n, 1)));
        note("topology",
             "the nodes of a router are numbered one after another here, by rows of the chip there: patterns "
             "that go by the bits of a node's number lead elsewhere");
    }

    /// Sets the link latencies of routers on a chip: a link is as long as they are apart.
    void flattened(value& net) {
        net.set("concentration", number(m_c));
        const std::int64_t x = m_file.integer("x", 8), xr = m_file.integer("xr", 1),
                           yr = m_file.integer("yr", 1);
        m_file.text("y", "");
        if (!m_real_lengths || x < 1) return;
        std::int64_t routers = 1;
        for (std::int64_t d = 0; d < m_n && routers <= most_listed_routers; ++d) routers *= m_k;
        if (routers > most_listed_routers)
            return note("use_noc_latency",
                        "links of one cycle; their lengths are listed for up to 256 routers");
        std::vector<value> links;
        for (std::int64_t a = 0; a < routers; ++a)
            for (std::int64_t b = a + 1; b < routers; ++b) {
                const std::int64_t length = xr * std::abs(a % x - b % x) + yr * std::abs(a / x - b / x);
                if (length > 1 && are_linked(a, b))
                    links.push_back(value::map(
                        {{"between", value::list({number(a), number(b)})}, {"latency", number(length)}}));
            }
        m_links = value::list(links);
    }

    /// True for numbers that differ in one digit.
    bool are_linked(std::int64_t a, std::int64_t b) const {
        int different = 0;
        for (; a != 0 || b != 0; a /= m_k, b /= m_k) different += a % m_k != b % m_k ? 1 : 0;
        return different == 1;
    }

    void dragonfly(value& net) {
        net.set("p", number(m_k));
        net.set("a", number(2 * m_k));
        net.set("h", number(m_k));
        net.set("g", number(2 * m_k * m_k + 1));
        net.set("link_latency", number(10));
        net.set("global_link_latency", number(100));
    }

    void any(value& net) {
        const std::filesystem::path file = m_file.text("network_file", "");
        if (file.empty())
            throw config::error({m_file.name(), 0, 0},
                                "the topology anynet needs its file: 'network_file = NAME;'");
        const auto beside = std::filesystem::path(m_file.name()).parent_path() / file;
        m_out.edges = edges_of_anynet((std::filesystem::exists(beside) ? beside : file).string());
        net.set("file", text(""));  // whoever writes the edges knows their name
    }

    // Ways

    value routing() {
        const std::string function = m_file.text("routing_function", "none");
        std::string name = ours(function, "routing function");
        for (const char* same : {"dor", "valiant", "romm"})
            if (function == same) name = same;
        if (m_topology == "dragonflynew") name = function == "ugal" ? "ugal_l" : "dragonfly_minimal";
        if (m_topology == "flatfly" && function == "valiant") name = "hyperx_valiant";
        if (m_topology == "flatfly" && function.rfind("ugal", 0) == 0) {
            name = "dal";
            note("routing_function", "dal, which decides hop by hop and not at the source, has its place");
        }
        if (m_topology == "cmesh" && function != "dor_no_express")
            note("routing_function", "there are no express channels here");
        if (name.empty()) {
            name = m_topology == "flatfly" ? "hyperx_minimal" : "dor";
            note("routing_function", name + " has its place");
        }
        value way = value::map({{"function", text(name)}});
        if (m_topology == "torus" && name == "dor") way.set("dateline", text("basic"));
        m_random_ports = function == "nca";
        m_forced = name == "duato" && m_file.integer("wait_for_tail_credit", 0) == 0;
        if (m_forced)
            note("wait_for_tail_credit", "the argument that " + function +
                                             " cannot deadlock needs it to be 1 (router.reallocation: "
                                             "atomic); checks.force runs it all the same");
        return way;
    }

    // Routers

    value router() {
        value all = value::map({});
        for (const auto& [key, otherwise] : {std::pair{"num_vcs", 16},
                                             {"vc_buf_size", 8},
                                             {"routing_delay", 1},
                                             {"vc_alloc_delay", 1},
                                             {"sw_alloc_delay", 1},
                                             {"alloc_iters", 1},
                                             {"input_speedup", 1},
                                             {"output_speedup", 1}})
            all.set(our_key(key), number(m_file.integer(key, otherwise)));
        if (m_file.integer("num_vcs", 16) > most_vcs) {
            all.set("vcs", number(most_vcs));
            note("num_vcs", fmt::format("{} is the most here", most_vcs));
        }
        buffers(all);
        all.set("st_delay",
                number(m_file.integer("st_prepare_delay", 0) + m_file.integer("st_final_delay", 1)));
        all.set("pipelined", text("false"));
        if (m_file.integer("speculative", 0) != 0) all.set("speculative", text("true"));
        all.set("va_allocator", text(allocator("vc_allocator")));
        all.set("sa_allocator", text(allocator("sw_allocator")));
        if (const std::string arbiter = m_file.text("arb_type", "round_robin"); arbiter == "matrix") {
            all.set("va_arbiter", text("matrix"));
            all.set("sa_arbiter", text("matrix"));
        } else if (arbiter != "round_robin") {
            note("arb_type", "round_robin has its place");
        }
        if (m_file.integer("wait_for_tail_credit", 0) != 0) all.set("reallocation", text("atomic"));
        all.set("credit_delay",
                number(m_file.integer("credit_delay", 0) + m_file.integer("sw_alloc_delay", 1)));
        if (m_random_ports) all.set("selection", text("random"));
        if (m_file.text("router", "iq") != "iq") note("router", "an input-queued router has its place");
        return all;
    }

    /// Sets the buffers of ports: of each VC, or shared with places that each VC has for itself.
    void buffers(value& all) {
        const std::int64_t vcs = m_file.integer("num_vcs", 16), total = m_file.integer("buf_size", -1);
        const std::string policy = m_file.text("buffer_policy", "private");
        if (total > 0) all.set("depth", number(std::max<std::int64_t>(1, total / vcs)));
        if (total > 0 && total % vcs != 0) note("buf_size", "a multiple of num_vcs has its place");
        if (policy != "shared") {
            if (policy != "private") note("buffer_policy", "private has its place");
            return;
        }
        const std::int64_t depth =
            total > 0 ? std::max<std::int64_t>(1, total / vcs) : m_file.integer("vc_buf_size", 8);
        const std::int64_t groups = m_file.integer("private_bufs", -1);
        const std::int64_t own = m_file.integer("private_buf_size", -1);
        if (groups >= 0 && groups != vcs)
            note("private_bufs", "each VC has places of its own here (router.reserved)");
        all.set("buffers", text("shared"));
        all.set("reserved", number(own < 0 ? depth : std::min(own, depth)));
    }

    /// Returns the key of a parameter of 'router' that only has another name.
    static std::string our_key(const std::string& key) {
        const config::foreign_name* f = config::find_foreign_key(key);
        return f == nullptr ? key : std::string(f->ours.substr(f->ours.find('.') + 1));
    }

    std::string allocator(const std::string& key) {
        const std::string there = m_file.text(key, "islip");
        if (there == "wavefront") return there;
        std::string here = ours(there, "va_allocator");
        if (here.empty()) note(key, (here = "output_first") + ", which is islip, has its place");
        return here;
    }

    // Traffic

    value traffic() {
        const bool batches = m_file.text("sim_type", "latency") == "batch";
        const bool answered = first_of("use_read_write", "0") != "0";
        value work = value::map({{"workload", text(batches    ? "burst"
                                                   : answered ? "request_reply"
                                                              : "bernoulli")}});
        const double mean = answered ? requests(work) : lengths(work);
        const bool flits = m_file.number("injection_rate_uses_flits", 0) != 0;
        m_rate = real("injection_rate", "0.1", 0, 1e6) / (flits ? mean : 1);
        if (batches) {
            work.set("messages", number(m_file.integer("batch_size", 1000)));
            work.set("bursts", number(m_file.integer("batch_count", 1)));
            if (m_file.integer("max_outstanding_requests", 0) != 0)
                note("max_outstanding_requests", "bursts are sent as fast as the network takes them");
        } else {
            work.set("load", text(fmt::format("{:.6g}", m_rate * mean)));
            process(work);
        }
        work.set("pattern", pattern());
        if (m_file.integer("classes", 1) > 1) note("classes", "the traffic of class 0 alone is taken over");
        return work;
    }

    /// Returns the value for the first class of traffic.
    std::string first_of(const std::string& key, const std::string& otherwise) {
        return m_file.list(key, otherwise).front();
    }
    double real(const std::string& key, const std::string& otherwise, double min, double max) {
        return config::to_number(value::scalar(first_of(key, otherwise), m_file.place(key)), key, min, max);
    }
    /// Returns it as a list of numbers: "{1,5}".
    std::vector<double> reals(const std::string& key, const std::string& otherwise, double min, double max) {
        std::vector<double> all;
        for (const std::string& one : split_list(without_braces(first_of(key, otherwise))))
            all.push_back(config::to_number(value::scalar(one, m_file.place(key)), key, min, max));
        return all;
    }
    static std::string without_braces(const std::string& text) {
        const bool has = text.size() >= 2 && text.front() == '{' && text.back() == '}';
        return has ? text.substr(1, text.size() - 2) : text;
    }

    /// Sets the length of packets. Returns the mean.
    double lengths(value& work) {
        const std::vector<double> flits = reals("packet_size", "1", 1, 65535);
        std::vector<double> rates = reals("packet_size_rate", "1", 1e-9, 1e9);
        rates.resize(flits.size(), rates.back());
        m_longest = static_cast<std::int64_t>(*std::max_element(flits.begin(), flits.end()));
        if (flits.size() > 2) note("packet_size", "two lengths are taken over, the first ones");
        if (flits.size() == 1) {
            work.set("length", number(m_longest));
            return flits[0];
        }
        const double first = rates[0] / (rates[0] + rates[1]);
        work.set("length", value::map({{"name", text("bimodal")},
                                       {"first", number(flits[0])},
                                       {"second", number(flits[1])},
                                       {"probability", number(first)}}));
        return first * flits[0] + (1 - first) * flits[1];
    }

    /// Sets reads and writes with their replies. Returns the mean length of a request.
    double requests(value& work) {
        const double writes = real("write_fraction", "0.5", 0, 1);
        double mean = 0;
        for (const auto& [here, read, write] :
             {std::tuple{"length", "read_request_size", "write_request_size"},
              {"reply_length", "read_reply_size", "write_reply_size"}}) {
            const double r = real(read, "1", 1, 65535), w = real(write, "1", 1, 65535);
            m_longest = std::max({m_longest, static_cast<std::int64_t>(r), static_cast<std::int64_t>(w)});
            if (mean == 0) mean = (1 - writes) * r + writes * w;
            work.set(here, r == w ? number(r)
                                  : value::map({{"name", text("bimodal")},
                                                {"first", number(r)},
                                                {"second", number(w)},
                                                {"probability", number(1 - writes)}}));
        }
        const std::int64_t most = m_file.integer("max_outstanding_requests", 0);
        work.set("outstanding", number(most == 0 ? std::int64_t{1} << 20 : most));
        note("use_read_write",
             "the length of a reply is drawn and does not follow from its request; requests and replies have "
             "half of the VCs each");
        for (const char* key : {"read_request_begin_vc", "read_request_end_vc", "write_request_begin_vc",
                                "write_request_end_vc", "read_reply_begin_vc", "read_reply_end_vc",
                                "write_reply_begin_vc", "write_reply_end_vc", "packet_size"})
            m_file.text(key, "");
        return mean;
    }

    void process(value& work) {
        const std::string all = first_of("injection_process", "bernoulli");
        const std::string name = all.substr(0, all.find('('));
        if (name == "on_off" && work.find("workload")->text() == "bernoulli")
            return on_off(work, arguments_of(all));
        if (name != "bernoulli") note("injection_process", "bernoulli has its place with this traffic");
    }

    void on_off(value& work, const std::vector<std::string>& given) {
        const auto get = [&](std::size_t k, const char* key, double otherwise) {
            if (k >= given.size()) return m_file.number(key, otherwise);
            return config::to_number(value::scalar(given[k], m_file.place("injection_process")), key, -1, 1);
        };
        double alpha = get(0, "burst_alpha", 0.5), beta = get(1, "burst_beta", 0.5);
        const double on = get(2, "burst_r1", -1);
        if (alpha < 0) alpha = beta * m_rate / (on - m_rate);
        if (beta < 0) beta = alpha * (on - m_rate) / m_rate;
        work.set("workload", text("on_off"));
        work.set("on_cycles", text(fmt::format("{:.6g}", 1 / beta)));
        work.set("off_cycles", text(fmt::format("{:.6g}", 1 / alpha)));
    }

    /// Splits the arguments of "hotspot({1,2},{3,1})": "{1,2}", "{3,1}".
    static std::vector<std::string> arguments_of(const std::string& all) {
        const auto open = all.find('('), close = all.rfind(')');
        if (open == std::string::npos || close == std::string::npos || close < open + 2) return {};
        return split_list(all.substr(open + 1, close - open - 1));
    }

    value pattern() {
        const std::string all = first_of("traffic", "uniform"), name = all.substr(0, all.find('('));
        if (name == "uniform") return value::map({{"name", text(name)}, {"self", text("true")}});
        if (name == "hotspot") return hotspot(arguments_of(all));
        if (name == "bad_dragon")
            return value::map({{"name", text("bad_dragonfly")}, {"group", number(2 * m_k * m_k)}});
        if (name == "randperm") {
            m_file.text("perm_seed", "");
            note("traffic", "another permutation is drawn");
        }
        for (const char* same : {"transpose", "shuffle", "tornado"})
            if (name == same) return text(name);
        if (const std::string here = ours(name, "pattern"); !here.empty()) return text(here);
        note("traffic", "uniform has its place");
        return text("uniform");
    }

    value hotspot(const std::vector<std::string>& given) {
        std::vector<value> all;
        for (const std::string& node : split_list(without_braces(given.empty() ? "-1" : given[0]))) {
            const bool drawn = node.rfind('-', 0) == 0;
            if (drawn) note("traffic", "the hot node is 0, where it is drawn there");
            all.push_back(text(drawn ? "0" : node));
        }
        if (given.size() > 1) note("traffic", "hot nodes are equally likely");
        return value::map({{"name", text("hotspot")}, {"nodes", value::list(all)}, {"fraction", number(1)}});
    }

    // Measurement

    /// Returns the measurement, three times as long as there, so that one run has little noise.
    value measurement() {
        const std::int64_t period = m_file.integer("sample_period", 1000);
        return value::map({{"warmup", number(period * m_file.integer("warmup_periods", 3))},
                           {"convergence_interval", number(period)},
                           {"convergence_limit", number(10)},
                           {"batch", number(3 * period)},
                           {"batches", number(m_file.integer("max_samples", 10))}});
    }

    /// Notes parameters from which nothing was made.
    void leave_out() {
        for (const std::string& key : m_file.unread()) {
            const unmatched_key* known = find_unmatched(key);
            if (known == nullptr)
                note(key, "is not known, and left out");
            else if (!known->why.empty() && !are_equal(std::string(known->neutral), m_file.text(key, "")))
                note(key, std::string(known->why));
        }
    }

    /// True if two values are equal, as texts or as numbers.
    static bool are_equal(const std::string& a, const std::string& b) {
        char *end_a = nullptr, *end_b = nullptr;
        const double x = std::strtod(a.c_str(), &end_a), y = std::strtod(b.c_str(), &end_b);
        return a == b || (!a.empty() && *end_a == '\0' && *end_b == '\0' && x == y);
    }

    static constexpr std::int64_t most_listed_routers = 256, most_vcs = 64;

    booksim_file& m_file;
    imported_experiment m_out;
    std::string m_topology;
    std::int64_t m_k = 0, m_n = 0, m_c = 0, m_longest = 1;
    double m_rate = 0;  ///< in packets per node and cycle
    bool m_real_lengths = true, m_random_ports = false, m_forced = false;
    value m_links = value::list({});
};

}  // namespace

imported_experiment import_booksim(booksim_file& file) {
    return booksim_import(file).run();
}

std::string imported_experiment::yaml(const std::string& from) const {
    std::string text = fmt::format("# Made of {}, a configuration of BookSim2.\n", from);
    for (const auto& [at, what] : notes) text += "# no twin: " + what + "\n";
    for (const auto& [key, section] : tree.entries()) {
        if (section.type() != config::value::kind::map && section.type() != config::value::kind::list) {
            text += fmt::format("{}: {}\n", key, flow_style(section));
            continue;
        }
        text += key + ":\n";
        for (const auto& [name, v] : section.entries())
            text += fmt::format("  {}: {}\n", name, flow_style(v));
        for (const config::value& item : section.items()) text += fmt::format("  - {}\n", flow_style(item));
    }
    return text;
}

}  // namespace sare::cli
