// SPDX-License-Identifier: Apache-2.0
#include "tlm/systemc/cycle_engine.h"

#include "tlm/systemc/modules.h"

namespace sare {

cycle_engine::cycle_engine(const sc_core::sc_module_name& name, std::uint32_t vcs, std::uint32_t classes,
                           std::uint64_t seed, const sc_core::sc_time& period)
    : sc_core::sc_module(name), m_fabric(vcs, classes, seed), m_period(period), m_next("next") {
    SC_HAS_PROCESS(cycle_engine);
    SC_METHOD(run);
    sensitive << m_next;
    dont_initialize();  // cycle 0 is run when there is something to do in it
    m_fabric.set_cycle_seconds(period.to_seconds());
}

cycle_engine::~cycle_engine() = default;

std::uint32_t cycle_engine::add(router& r, const router_params& params, std::uint32_t ports) {
    m_routers.push_back(&r);
    return m_fabric.add_router(params, ports);
}

std::uint32_t cycle_engine::add(nic& n, const nic_params& params) {
    m_nics.push_back(&n);
    return m_fabric.add_nic(params);
}

void cycle_engine::add(link& l) { m_links.push_back(&l); }

void cycle_engine::end_of_elaboration() {
    using kind = fabric::end::kind;
    for (router* r : m_routers)
        for (std::uint32_t p = 0; p < r->ports(); ++p)
            if (flit_initiator_socket* out = r->made_out(p)) follow(*out, {kind::router, r->id(), p});
    for (nic* n : m_nics)
        if (flit_initiator_socket* out = n->made_out()) follow(*out, {kind::nic, n->node(), 0});
    for (link* l : m_links) connect(*l);
    m_fabric.finish();
}

/// Notes in the link behind a socket who sends into it.
void cycle_engine::follow(flit_initiator_socket& out, const fabric::end& from) {
    auto* l = dynamic_cast<link*>(out.get_base_port().get_interface());
    if (l == nullptr)
        SC_REPORT_FATAL("/sare/elaboration", (std::string(out.name()) + " is bound to something that is no sare::link; put a link between the two blocks").c_str());
    l->m_from = from;
}

void cycle_engine::connect(link& l) {
    using kind = fabric::end::kind;
    fabric::end from{kind::foreign, 0, 0}, to{kind::foreign, 0, 0};
    if (l.m_from) {
        from = *l.m_from;
    } else {
        l.m_foreign_sender = m_fabric.add_foreign(l);
        from.id = *l.m_foreign_sender;
    }
    sc_core::sc_interface* target = l.out.get_base_port().get_interface();
    if (auto* in = dynamic_cast<router::input*>(target)) {
        to = in->end();
    } else if (auto* n = dynamic_cast<nic*>(target)) {
        to = {kind::nic, n->node(), 0};
    } else {
        l.m_foreign_receiver = m_fabric.add_foreign(l);
        to.id = *l.m_foreign_receiver;
    }
    m_fabric.connect(from, to, l.attributes());
}

void cycle_engine::set_workload(workload& w, bool stop_when_finished) {
    m_workload = &w;
    m_stop_when_finished = stop_when_finished;
    m_fabric.set_workload(&w);
    work_at(m_started ? cycle() + 1 : cycle());
}

void cycle_engine::work_at(cycle_t at) {
    const sc_core::sc_time due = sc_core::sc_time::from_value(at * m_period.value());
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    m_next.notify(due > now ? due - now : sc_core::SC_ZERO_TIME);
}

void cycle_engine::run() {
    if (m_failure || m_finished) return;
    const cycle_t t = cycle();
    m_started = true;
    try {
        m_fabric.step(t);
    } catch (...) {
        m_failure = std::current_exception();
        return;
    }
    if (m_stop_when_finished && m_workload->finished() && m_fabric.empty()) {
        m_finished = true;
        m_finished_at = t;
        return;
    }
    const cycle_t next = m_fabric.next_work(t);
    if (next != workload::never)
        m_next.notify(next == t + 1 ? m_period : sc_core::sc_time::from_value((next - t) * m_period.value()));
}

void cycle_engine::rethrow_failure() const {
    if (m_failure) std::rethrow_exception(m_failure);
}

void cycle_engine::run_until(cycle_t end) {
    const sc_core::sc_time due = sc_core::sc_time::from_value(end * m_period.value());
    if (due > sc_core::sc_time_stamp()) sc_core::sc_start(due - sc_core::sc_time_stamp());
    rethrow_failure();
}

}  // namespace sare
