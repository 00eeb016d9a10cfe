// SPDX-License-Identifier: Apache-2.0
#include "tb/python/bindings.h"
#include "tb/python/live_network.h"

#include "tlm/inside/describe.h"

#include <fmt/format.h>

#include <pybind11/stl.h>

/// Methods of sare._native.Network that look into routers: columns of tables, by name.
namespace sare::python {
namespace py = pybind11;
namespace {

/// Rows of a table: lists of values, by column.
class columns {
  public:
    template <class T>
    columns& add(const char* name, const T& value) {
        if (!m_all.contains(name)) m_all[name] = py::list();
        m_all[name].cast<py::list>().append(value);
        return *this;
    }
    py::dict get() { return std::move(m_all); }

  private:
    py::dict m_all;
};

/// Returns a row for each VC of each port: the input VC, the packet at its front, and the output VC.
py::dict router_vcs(const live_network& net, std::uint32_t r) {
    const network_view& v = net.view();
    const topology& map = net.map();
    columns all;
    for (std::uint32_t p = 0; p < v.ports(r); ++p)
        for (std::uint32_t c = 0; c < v.bank_of(r).terms().vcs; ++c) {
            const in_vc in = v.in(r, p, c);
            const out_vc out = v.out(r, p, c);
            const std::string state = state_of_front(v, r, p, c);
            const bool has = state == "active", some = in.count != 0;
            const route_header way = some ? v.packets()[v.buffered(r, p, c, 0).packet].route : route_header();
            all.add("port", port_name(map, r, p)).add("to", peer_name(map, r, p)).add("vc", c);
            all.add("flits", in.count).add("state", state);
            all.add("source", some ? py::cast(way.source) : py::none());
            all.add("destination", some ? py::cast(way.destination) : py::none());
            all.add("out_port", has ? py::cast(port_name(map, r, in.out_port)) : py::none());
            all.add("out_vc", has ? py::cast(std::uint32_t{in.out_vc}) : py::none());
            all.add("credits", out.credits).add("owner", owner_text(v, r, out)).add("sent", out.flits);
        }
    return all.get();
}

/// Returns a row for each flit in an input buffer, from the front of each VC.
py::dict router_flits(const live_network& net, std::uint32_t r) {
    const network_view& v = net.view();
    columns all;
    for (std::uint32_t p = 0; p < v.ports(r); ++p)
        for (std::uint32_t c = 0; c < v.bank_of(r).terms().vcs; ++c)
            for (std::uint32_t k = 0, n = v.in(r, p, c).count; k < n; ++k) {
                const flit f = v.buffered(r, p, c, k);
                const packet& of = v.packets()[f.packet];
                all.add("port", port_name(net.map(), r, p)).add("vc", c).add("place", k);
                all.add("source", of.route.source).add("destination", of.route.destination);
                all.add("flit", f.is_head() ? 0U : f.sequence).add("flits", of.flits);
                all.add("head", f.is_head()).add("tail", f.is_tail());
                all.add("generated", of.generated);
            }
    return all.get();
}

/// Returns a row for each arbiter: who was served last, and who is first in turn.
py::dict router_arbiters(const live_network& net, std::uint32_t r) {
    const network_view& v = net.view();
    columns all;
    for (const router_arbiter& a : arbiters_of(v, r)) {
        all.add("arbiter", arbiter_name(v, r, a)).add("requesters", a.requesters);
        all.add("last", a.is_known() ? py::cast(requester_name(v, r, a, a.last)) : py::none());
        const bool turns = a.is_known() && a.in_turn;
        all.add("first", turns ? py::cast(requester_name(v, r, a, a.first())) : py::none());
    }
    return all.get();
}

/// Returns the journey of a packet that the trace has as a whole. Throws config::error for another.
const journey& whole_journey(const live_network& net, std::uint64_t packet) {
    const journey_book* const book = net.journeys();
    if (book == nullptr) throw config::error("packets are known from trace() on; call it before they move");
    const journey& j = book->of(packet);
    if (!journey_book::is_whole(j))
        throw config::error(
            fmt::format("packet {} has not arrived, or was not traced from its generation on", packet));
    return j;
}

py::dict packet_facts(const live_network& net, std::uint64_t packet) {
    const journey& j = whole_journey(net, packet);
    py::dict all;
    all["source"] = j.packet.source;
    all["destination"] = j.packet.destination;
    all["flits"] = j.packet.flits;
    all["message_class"] = std::uint32_t{j.packet.message_class};
    all["generated"] = j.generated;
    all["injected"] = j.injected;
    all["consumed"] = j.consumed;
    all["waited"] = j.waited();
    return all;
}

/// Returns a row for each span of a packet's journey, by cycle.
py::dict packet_journey(const live_network& net, std::uint64_t packet) {
    const journey& j = whole_journey(net, packet);
    columns all;
    for (const journey_span& s : j.spans) {
        const bool stalls = s.is == journey_span::kind::stall;
        const bool at_router = s.visit < j.visits.size() && s.is >= journey_span::kind::stall &&
                               s.is != journey_span::kind::ejection;
        const bool behind = s.behind.is == blocker::kind::packet || s.behind.is == blocker::kind::node;
        all.add("from", s.from).add("to", s.to).add("cycles", s.cycles());
        all.add("what", stalls ? name_of(s.reason) : name_of(s.is)).add("waits", s.waits());
        all.add("router", at_router ? py::cast(j.visits[s.visit].router) : py::none());
        all.add("blocker", name_of(s.behind.is));
        all.add("blocker_number", behind ? py::cast(s.behind.number) : py::none());
    }
    return all.get();
}

}  // namespace

void bind_inside(py::class_<live_network>& c) {
    c.def("router_vcs", &router_vcs, py::arg("router"));
    c.def("router_flits", &router_flits, py::arg("router"));
    c.def("trace", &live_network::trace);
    c.def("packets", [](const live_network& net) {
        return net.journeys() == nullptr ? std::vector<std::uint64_t>() : net.journeys()->packets();
    });
    c.def("packet_facts", &packet_facts, py::arg("packet"));
    c.def("packet_journey", &packet_journey, py::arg("packet"));
    c.def("router_arbiters", &router_arbiters, py::arg("router"));
    c.def(
        "router_text",
        [](const live_network& net, std::uint32_t r) { return describe_router(net.view(), r); },
        py::arg("router"));
}

}  // namespace sare::python
