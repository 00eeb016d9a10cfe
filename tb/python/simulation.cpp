// SPDX-License-Identifier: Apache-2.0
#include "tb/python/bindings.h"
#include "tb/python/live_network.h"
#include "tb/python/python_value.h"

#include "tlm/stats/figure.h"
#include "tlm/stats/results.h"

#include <fmt/format.h>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <csignal>

/// The class sare._native.Network: a live network, its state as arrays.
namespace sare::python {
namespace py = pybind11;
namespace {

/// Runs in pieces of some hundredths of a second, so that Ctrl-C is heard between them.
void run_until(live_network& net, cycle_t end) {
    using clock = std::chrono::steady_clock;
    cycle_t piece = 64;
    while (net.cycle() < end) {
        const auto start = clock::now();
        {
            const py::gil_scoped_release others_may_run;
            net.run_until(std::min(end, net.cycle() + piece));
        }
        const double took = std::chrono::duration<double>(clock::now() - start).count();
        if (took < 0.02) piece *= 2;
        if (took > 0.1 && piece > 1) piece /= 2;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }
    net.board().refresh();
    if (net.counts_stalls()) net.board().take_stalls(net.stalls());
}

/// Returns a read-only view that keeps the board.
template <class T>
py::array view_of(const live_network& net, const T* data, std::vector<py::ssize_t> shape) {
    const py::capsule keeper(new std::shared_ptr<state_board>(net.shared_board()),
                             [](void* kept) { delete static_cast<std::shared_ptr<state_board>*>(kept); });
    py::array_t<T> all(std::move(shape), data, keeper);
    py::detail::array_proxy(all.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return std::move(all);
}

template <class T>
py::array by_vc(live_network& net, const T* (state_board::*data)()) {
    state_board& b = net.board();
    return view_of(net, (b.*data)(), {b.routers(), b.ports(), b.vcs()});
}

template <class T>
py::array by_node(live_network& net, const T* (state_board::*data)()) {
    state_board& b = net.board();
    return view_of(net, (b.*data)(), {b.nodes()});
}

py::array stalls(live_network& net) {
    state_board& b = net.board();
    return view_of(net, b.take_stalls(net.stalls()), {b.routers(), b.ports()});
}

py::dict counts(live_network& net) {
    const network_view& v = net.view();
    const generated_counts made = net.generated();
    return py::dict(
        py::arg("generated_messages") = made.messages, py::arg("generated_flits") = made.flits,
        py::arg("injected_packets") = v.packets_injected(), py::arg("injected_flits") = v.flits_injected(),
        py::arg("consumed_packets") = v.packets_consumed(), py::arg("consumed_flits") = v.flits_consumed(),
        py::arg("dropped_packets") = v.changes().dropped.packets, py::arg("flit_hops") = v.flit_hops());
}

/// Describes them once, when numpy is needed: importing it takes longer than the whole package.
void describe_deliveries() {
    static const bool once = [] {
        PYBIND11_NUMPY_DTYPE(delivered_message, tag, generated, injected, consumed, source, destination,
                             flits, message_class);
        return true;
    }();
    static_cast<void>(once);
}

py::array deliveries(live_network& net) {
    describe_deliveries();
    const std::vector<delivered_message> all = net.deliveries().take();
    return py::array_t<delivered_message>(static_cast<py::ssize_t>(all.size()), all.data());
}

/// Sets the callback; None ends it. An exception in it ends the simulation, and comes out of run_until().
void on_delivery(live_network& net, const py::object& callback) {
    delivery_log& log = net.deliveries();
    log.tell = nullptr;
    if (callback.is_none()) return;
    log.tell = [callback = std::make_shared<py::object>(callback)](const delivered_message& d) {
        const py::gil_scoped_acquire held;
        (*callback)(d);
    };
}

/// Returns a number of the network for one of Python's, which may be too large.
std::uint32_t number(std::uint64_t x, const char* what) {
    if (x > UINT32_MAX) throw config::error(fmt::format("{} is {}; it must be below 2**32", what, x));
    return static_cast<std::uint32_t>(x);
}

void send(live_network& net, std::uint64_t source, std::uint64_t destination, std::uint64_t flits,
          std::uint64_t message_class, std::uint64_t tag) {
    message m;
    m.source = number(source, "source");
    m.destination = number(destination, "destination");
    m.flits = number(flits, "flits");
    m.message_class = number(message_class, "message_class");
    m.tag = tag;
    m.generated = net.cycle();
    net.send(m);
}

void bind_deliveries(py::module_& m) {
    using d = delivered_message;
    py::class_<d>(m, "Delivery")
        .def_readonly("tag", &d::tag)
        .def_readonly("generated", &d::generated)
        .def_readonly("injected", &d::injected)
        .def_readonly("consumed", &d::consumed)
        .def_readonly("source", &d::source)
        .def_readonly("destination", &d::destination)
        .def_readonly("flits", &d::flits)
        .def_readonly("message_class", &d::message_class);
}

py::object cell_of(const figure_view& column, std::size_t row) {
    py::object found;
    column.visit(row, [&](const auto& x) { found = py::cast(x); });
    return found;
}

/// Returns the columns of a scope: their names with lists of values, units and sentences.
py::dict columns(const run_result& r, scope of) {
    py::dict all;
    for (const figure_view& c : r.columns_of(of)) {
        py::list values;
        for (std::size_t row = 0; row < c.size(); ++row) values.append(cell_of(c, row));
        all[py::str(c.name())] = py::make_tuple(values, c.about().unit, c.about().sentence);
    }
    return all;
}

/// Measures with the keys of `given` in the place of those of the section `measurement`. Ctrl-C is heard
/// a few times a second.
py::dict measure(live_network& net, const py::dict& given) {
    const auto fields = measurement_params::fields();
    config::value section = fields.write(net.settings().measurement);
    for (const auto& [key, value] : given) section.set(py::str(key), to_value(value, ""));
    measurement_params how;
    fields.read(section, how, "measurement");
    volatile std::sig_atomic_t stop = 0;
    run_control control;
    control.stop = &stop;
    control.on_progress = [&stop](const progress&) {
        const py::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) stop = 1;
    };
    run_result r;
    {
        const py::gil_scoped_release others_may_run;
        r = net.measure(how, control);
    }
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    net.board().refresh();
    if (net.counts_stalls()) net.board().take_stalls(net.stalls());
    py::dict scopes_of_figures;
    for (const scope of : scopes) scopes_of_figures[py::str(to_string(of))] = columns(r, of);
    return py::dict(py::arg("status") = to_string(r.status), py::arg("reason") = r.reason,
                    py::arg("from") = r.measured_from, py::arg("to") = r.measured_to,
                    py::arg("offered") = r.offered, py::arg("injected") = r.injected,
                    py::arg("accepted") = r.accepted,
                    py::arg("latency") = r.packet_latency.from_generation.mean,
                    py::arg("latency_ci95") = r.packet_latency.from_generation.ci95,
                    py::arg("p99") = r.packet_latency.from_generation.p99, py::arg("hops") = r.hops_mean,
                    py::arg("figures") = scopes_of_figures);
}

std::unique_ptr<live_network> make(const py::dict& tree, const std::string& folder, bool failing) {
    return std::make_unique<live_network>(experiment::read(to_value(tree, ""), folder), failing);
}

}  // namespace

void bind_simulation(py::module_& m) {
    bind_deliveries(m);
    using net = live_network;
    py::class_<net> network(m, "Network");
    network.def(py::init(&make), py::arg("tree"), py::arg("folder"), py::arg("failing"))
        .def("run_until", &run_until, py::arg("end"))
        .def("measure", &measure, py::arg("given"))
        .def_property_readonly("cycle", &net::cycle)
        .def_property_readonly("empty", &net::is_empty)
        .def_property_readonly("finished", &net::finished)
        .def_property_readonly("ports",
                               [](const net& n) {
                                   std::vector<std::uint32_t> all;
                                   for (std::uint32_t r = 0; r < n.view().routers(); ++r)
                                       all.push_back(n.view().ports(r));
                                   return all;
                               })
        .def("queues", [](net& n) { return by_vc(n, &state_board::queues); })
        .def("credits", [](net& n) { return by_vc(n, &state_board::credits); })
        .def("sent", [](net& n) { return by_vc(n, &state_board::sent); })
        .def("waiting", [](net& n) { return by_node(n, &state_board::waiting); })
        .def("injected", [](net& n) { return by_node(n, &state_board::injected); })
        .def("consumed", [](net& n) { return by_node(n, &state_board::consumed); })
        .def("stalls", &stalls)
        .def("counts", &counts)
        .def(
            "keep_deliveries", [](net& n, bool keep) { n.deliveries().keeps = keep; }, py::arg("keep"))
        .def("deliveries", &deliveries)
        .def("on_delivery", &on_delivery, py::arg("callback"))
        .def("send", &send, py::arg("source"), py::arg("destination"), py::arg("flits"),
             py::arg("message_class"), py::arg("tag"))
        .def("set_load", &net::set_load, py::arg("load"))
        .def(
            "fail_between",
            [](net& n, std::uint64_t a, std::uint64_t b) { n.fail_between(number(a, "a"), number(b, "b")); },
            py::arg("a"), py::arg("b"))
        .def(
            "fail_router", [](net& n, std::uint64_t r) { n.fail_router(number(r, "router")); },
            py::arg("router"))
        .def("reset", &net::reset);
    bind_inside(network);
}

}  // namespace sare::python
