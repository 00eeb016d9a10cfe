// SPDX-License-Identifier: Apache-2.0
#include "tb/python/bindings.h"
#include "tb/python/python_value.h"
#include "tb/python/script_host.h"
#include "tlm/api/forwarding.h"

#include <pybind11/stl.h>

#include <map>
#include <optional>

/// A workload in Python.
namespace sare::python {
namespace py = pybind11;
namespace {

/// Counts the messages that are sent.
class counting_port final : public forwarding_port {
  public:
    void count(traffic_port& port) { m_port = &port; }
    void send(const message& m) override {
        ++sent.messages;
        sent.flits += m.flits;
        m_port->send(m);
    }
    generated_counts sent;
};

class script_workload final : public workload {
  public:
    explicit script_workload(py::object its)
        : m_its(std::move(its)),
          m_delivers(m_its.overrides("delivered")),
          m_drops(m_its.overrides("dropped")) {}

    void start(traffic_port& port) override {
        m_port.count(port);
        m_its.tell("start", static_cast<traffic_port*>(&m_port));
        look();
    }
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override {
        m_its.tell("tick", now);
        look();
    }
    void delivered(const delivery& d) override {
        m_its.tell("delivered", d);
        look();
    }
    void dropped(const message& m, const std::string& cause) override {
        if (!m_drops) return;
        m_its.tell("dropped", m, cause);
        look();
    }
    void queue_space(std::uint32_t node, std::uint32_t) override {
        m_its.tell("queue_space", node);
        look();
    }
    bool wants_deliveries() const override { return m_delivers; }
    bool finished() const override { return m_finished; }
    bool runs_to_completion() const override { return m_its.get<bool>("runs_to_completion"); }
    double progress() const override { return m_its.ask<double>("progress", "a number"); }
    generated_counts generated(cycle_t now) override {
        const auto waits = m_its.ask<std::pair<std::uint64_t, std::uint64_t>>(
            "held_back", "two numbers: messages and flits", now);
        return {m_port.sent.messages + waits.first, m_port.sent.flits + waits.second};
    }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    std::uint32_t largest_message() const override { return m_its.get<std::uint32_t>("largest_message"); }
    std::uint32_t nodes_needed() const override { return m_its.get<std::uint32_t>("nodes_needed"); }
    std::uint32_t classes_needed() const override { return m_its.get<std::uint32_t>("classes_needed"); }
    config::value results() const override {
        return m_its.call("results", [](const py::object& said) { return to_value(said, "results()"); });
    }
    std::vector<std::pair<std::string, std::string>> tables() const override {
        std::vector<std::pair<std::string, std::string>> all;
        for (const auto& [name, text] :
             m_its.ask<std::map<std::string, std::string>>("tables", "a dict of texts"))
            all.emplace_back(name, text);
        return all;
    }
    standstill stuck() const override { return {m_its.ask<std::string>("stuck", "a text")}; }

  private:
    /// Asks the object, only when something has happened to it.
    void look() {
        const auto next = m_its.ask<std::optional<cycle_t>>("next_tick", "a cycle, or None");
        m_next = next ? *next : never;
        m_finished = m_its.ask<bool>("finished", "True or False");
    }

    script_object m_its;
    bool m_delivers, m_drops;
    counting_port m_port;
    cycle_t m_next = never;
    bool m_finished = false;
};

void send(traffic_port& port, std::uint32_t source, std::uint32_t destination, std::uint32_t flits,
          std::uint32_t message_class, std::uint64_t tag, std::optional<cycle_t> generated,
          std::optional<std::uint64_t> bytes) {
    message m;
    m.source = source;
    m.destination = destination;
    m.flits = bytes ? port.flits_for(*bytes) : flits;
    m.message_class = message_class;
    m.tag = tag;
    m.generated = generated ? *generated : port.now();
    if (bytes) m.bytes = *bytes;
    port.send(m);
}

}  // namespace

std::unique_ptr<workload> script_host::make(const traffic::script& s, const workload_context&) {
    return with_object(s, "Workload",
                       [](py::object its) { return std::make_unique<script_workload>(std::move(its)); });
}

void bind_traffic(py::module_& m) {
    using port = traffic_port;
    py::class_<port>(m, "TrafficPort")
        .def_property_readonly("nodes", &port::nodes)
        .def_property_readonly("classes", &port::classes)
        .def_property_readonly("seed", &port::seed)
        .def_property_readonly("now", &port::now)
        .def_property_readonly("first_cycle", &port::first_cycle)
        .def_property_readonly("cycle_seconds", &port::cycle_seconds)
        .def_property_readonly("dims", &port::dims)
        .def("router_of", &port::router_of, py::arg("node"))
        .def("flits_for", &port::flits_for, py::arg("bytes"))
        .def("queued", &port::queued, py::arg("node"))
        .def("queued_of", &port::queued_of, py::arg("node"), py::arg("message_class"))
        .def(
            "call_when_queued",
            [](port& its, std::uint32_t node, std::uint32_t level, std::uint32_t message_class) {
                its.call_when_queued(node, message_class, level);
            },
            py::arg("node"), py::arg("level"), py::arg("message_class") = 0)
        .def("send", &send, py::arg("source"), py::arg("destination"), py::arg("flits") = 1, py::kw_only(),
             py::arg("message_class") = 0, py::arg("tag") = 0, py::arg("generated") = py::none(),
             py::arg("bytes") = py::none());
    py::class_<message>(m, "Message")
        .def_readonly("source", &message::source)
        .def_readonly("destination", &message::destination)
        .def_readonly("flits", &message::flits)
        .def_readonly("message_class", &message::message_class)
        .def_readonly("generated", &message::generated)
        .def_readonly("tag", &message::tag);
    py::class_<delivery>(m, "Arrival")
        .def_readonly("message", &delivery::what)
        .def_readonly("injected", &delivery::injected)
        .def_readonly("consumed", &delivery::consumed);
    py::class_<rng>(m, "Random")
        .def(py::init([](std::uint64_t seed, const std::string& purpose, std::uint64_t node) {
                 return rng(seed, purpose == "workload" ? stream::workload : stream::packet, node);
             }),
             py::arg("seed"), py::arg("purpose") = "workload", py::arg("node") = 0)
        .def("next", &rng::next)
        .def("below", &rng::below, py::arg("n"))
        .def("uniform", &rng::uniform)
        .def("bernoulli", &rng::bernoulli, py::arg("p"));
}

}  // namespace sare::python
