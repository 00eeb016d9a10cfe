// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/options.h"

#include "tlm/base/joined.h"

namespace sare::traffic {
namespace {

/// The ends of an entry of `flows`, beside which it has the options.
struct flow_ends : flow_options {
    std::string from, to;

    static config::schema<flow_ends> fields() {
        config::schema<flow_ends> s;
        s.text("from", &flow_ends::from, "node that sends, by number or name")
            .text("to", &flow_ends::to, "node that receives")
            .include(flow_options::fields());
        return s;
    }
};

config::location place_of(const config::value& section, const char* key) {
    const config::value* v = section.find(key);
    return v != nullptr ? v->where() : section.where();
}

/// Reads a file in the format that is named, or that recognises it.
flow_list read_file(const flow_file& file, const config::value& format) {
    const flow_format_registry& all = flow_format_registry::instance();
    if (format.type() != config::value::kind::null) return all.make(format)->read(file);
    for (const auto& [name, variant] : all.variants()) {
        const auto one = all.make(config::value::scalar(name));
        if (one->recognises(file)) return one->read(file);
    }
    return all.make(config::value::scalar("list"))->read(file);
}

void check_flow(const flow& f, double load) {
    const double rate = f.rate * load, most = f.burst > 0 ? f.peak : f.length;
    const double share =
        f.period == 0 ? 1 : static_cast<double>(f.end - f.begin) / static_cast<double>(f.period);
    if (rate <= most * share) return;
    throw config::error(f.at, "a flow of " + config::number_text(rate) + " flits/cycle is more than " +
                                  (f.burst > 0 ? "its 'peak', " : "a message every cycle, ") +
                                  config::number_text(most * share) +
                                  "; lower it, or make its messages longer");
}

}  // namespace

config::schema<flow_options> flow_options::fields() {
    using o = flow_options;
    config::schema<o> s;
    s.text("rate", &o::rate,
           "what it sends, with its unit: 0.1 (flits/cycle, or 'unit'), 1.6GB/s, 300 Mbit/s")
        .number("class", &o::message_class, 0, 15, "", "message class")
        .number("length", &o::length, 0, 1 << 24, "flits", "of a message; 0: 'length' of all")
        .number("reply", &o::reply, 0, 1 << 24, "flits",
                "its destination answers each message so; 0: it does not")
        .raw("reply_class", &o::reply_class, "integer",
             "message class of answers, which may be its own; left out: one above its own")
        .text("burst", &o::burst, "mean flits of a burst (Markov on-off); left out: no bursts")
        .text("peak", &o::peak, "rate within a burst")
        .text("required_rate", &o::required_rate, "what must arrive; left out: its rate")
        .text("required_latency", &o::required_latency,
              "within which 99% of its messages must come: cycles, or a time such as 200ns; left out: none");
    return s;
}

void flow_options::apply(const config::value& section, const flow_units& units, flow& f) const {
    if (length != 0) f.length = length;
    if (section.find("class") != nullptr) f.message_class = message_class;
    const auto at = [&section](const char* key) { return place_of(section, key); };
    if (!rate.empty()) {
        f.rate = to_rate(rate, "rate", f.length, units, at("rate"));
        f.rate_unit = unit_of(rate, units.rate);
        f.flits_per_cycle_of_unit = to_rate("1" + f.rate_unit, "rate", f.length, units, at("rate"));
    }
    if (!burst.empty()) {
        f.burst = to_share(burst, at("burst"));
        f.peak = to_rate(peak, "peak", f.length, units, at("peak"));
        if (f.burst < f.length || f.peak <= 0 || f.peak > f.length)
            throw config::error(at("burst"), "a burst of " + config::number_text(f.burst) + " flits at " +
                                                 config::number_text(f.peak) +
                                                 " flits/cycle; it must have a message at least, at more "
                                                 "than 0 and at most a message a cycle");
    }
    f.reply = reply;
    f.reply_class = f.message_class + 1;
    if (reply_class.type() != config::value::kind::null)
        f.reply_class = static_cast<std::uint32_t>(config::to_integer(reply_class, "reply_class", 0, 15));
    if (!required_rate.empty())
        f.required_rate = to_rate(required_rate, "required_rate", f.length, units, at("required_rate"));
    if (required_latency.empty()) return;
    f.required_latency = to_cycles(required_latency, "required_latency", units, at("required_latency"));
    f.latency_unit = unit_of(required_latency, f.latency_unit);
    f.cycles_of_unit = to_cycles("1" + f.latency_unit, "required_latency", units, at("required_latency"));
}

config::schema<flow_parameters> flow_parameters::fields() {
    using p = flow_parameters;
    static const std::string units = "unit of rates without one: " + joined(rate_units());
    static const auto times =
        config::schema<timed_parameters>()
            .number("load", &p::load, 0, 1e6, "", "factor of all rates; 1: as given")
            .raw("length", &p::length, "length", "flits of a message of a flow that does not say it",
                 resolve_length)
            .number("start_cycle", &p::start_cycle, 0, 1e15, "cycles", "no message before")
            .number("stop_cycle", &p::stop_cycle, 0, 1e15, "cycles",
                    "no message from then on; 0: never stops");
    config::schema<p> s;
    s.text("file", &p::file, "flows, or a matrix of traffic; relative to the configuration file")
        .raw("format", &p::format, "flow format", "of the file; left out: found out from its text")
        .list("flows", &p::flows, "list of sections", flow_ends::fields().describe(),
              "flows, beside those of the file: 'from', 'to', 'rate' and more")
        .text("unit", &p::unit, units)
        .include(times);
    return s;
}

flow_list flow_parameters::read(const config::value& section, const workload_context& c) const {
    flow_units units{c.cycle_seconds, c.flit_bytes, unit};
    to_rate("0", "unit", 1, units, place_of(section, "unit"));  // the unit is known
    const auto law = make_length(length, {c.folder, c.flit_bytes});
    if (!law->fixed())
        throw config::error(place_of(section, "length"),
                            "the messages of a flow are all as long; 'length' must be a number");
    flow_file around{"", "", c.nodes, c.names, units, {}};
    around.usual.length = law->largest();
    around.usual.reply_class = 1;
    around.usual.rate_unit = unit;
    around.usual.flits_per_cycle_of_unit =
        to_rate("1", "unit", around.usual.length, units, place_of(section, "unit"));
    flow_list all;
    if (!file.empty()) {
        around.text = read_text(place_of(section, "file"), c.folder, file);
        around.name = file_path(c.folder, file);
        all = read_file(around, format);
    }
    if (flows.type() != config::value::kind::null)
        for (const config::value& item : config::to_list(flows, "flows")) {
            flow_ends e;
            flow_ends::fields().read(item, e, "flows");
            if (item.find("from") == nullptr || item.find("to") == nullptr || item.find("rate") == nullptr)
                throw config::error(item.where(),
                                    "an entry of 'flows' must say '{from: 0, to: 1, rate: 0.1, ...}'");
            flow f = around.usual;
            f.at = item.where();
            f.source = around.node(e.from, place_of(item, "from"));
            f.destination = around.node(e.to, place_of(item, "to"));
            e.apply(item, units, f);
            all.push_back(f);
        }
    if (all.empty())
        throw config::error(section.where(), "workload 'flows' needs 'file: ' or 'flows: ' with a flow");
    for (const flow& f : all) check_flow(f, load);
    return all;
}

}  // namespace sare::traffic
