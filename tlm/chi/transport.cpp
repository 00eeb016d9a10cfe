// SPDX-License-Identifier: Apache-2.0
#include "tlm/chi/transport.h"

#include "tlm/fabric/fabric.h"
#include "tlm/memory/memory_map.h"
#include "tlm/state/archive.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace sare::chi {
namespace {

void check(const transport_params& p, std::uint32_t classes) {
    if (const std::string wrong = wrong_with_bus(p.bus_bytes); !wrong.empty()) throw config::error(wrong);
    if (p.credits == 0 || p.credits > 65535)
        throw config::error(fmt::format("credits is {}; 1 to 65535", p.credits));
    if (classes < channels)
        throw config::error(fmt::format(
            "CHI needs a message class for each of REQ, RSP, DAT and SNP, and the network has {}", classes));
    if (p.urgent_from > 16) throw config::error("urgent_from is a QoS from 0 on; 16: none is urgent");
    std::vector<std::uint32_t> all(p.classes.begin(), p.classes.end());
    if (p.urgent_from < 16) all.insert(all.end(), p.urgent_classes.begin(), p.urgent_classes.end());
    for (const std::uint32_t c : all)
        if (c >= classes)
            throw config::error(
                fmt::format("message class {} is asked for, and the network has {}", c, classes));
    std::map<std::uint32_t, std::size_t> channel_of;
    for (std::size_t k = 0; k < all.size(); ++k)
        if (channel_of.try_emplace(all[k], k % channels).first->second != k % channels)
            throw config::error(
                "two of CHI's channels share a message class, where they would wait for each other");
}

}  // namespace

transport::transport(cycle_engine& engine, const transport_params& params)
    : transport(engine, params, nullptr) {}

transport::transport(memory_map& beside, const transport_params& params)
    : transport(beside.engine(), params, &beside) {}

transport::transport(cycle_engine& engine, const transport_params& params, memory_map* beside)
    : m_engine(engine),
      m_params(params),
      m_report(beside == nullptr ? m_own_report : beside->accesses()),
      m_tag(beside == nullptr ? 0 : memory_map::shared_tag) {
    with_config_reports(std::string("the CHI transport of ") + engine.name(),
                        [&] { check(params, engine.counters().classes()); });
    if (beside == nullptr)
        engine.set_bridge(*this);
    else if (!beside->share_with(*this))
        report_error(report_id::memory,
                     std::string(engine.name()) + ": its memory map has a CHI transport already");
}

void transport::join(interface& i) {
    if (m_interfaces.size() <= i.id()) m_interfaces.resize(i.id() + 1);
    if (m_interfaces[i.id()] != nullptr)
        report_error(report_id::config, fmt::format("{}: node {} has a CHI interface already, {}", i.name(),
                                                    i.id(), m_interfaces[i.id()]->name()));
    m_interfaces[i.id()] = &i;
}

void transport::send(const flit& f) {
    const std::size_t c = number_of(f.on);
    if (!has(f.source) || !has(f.target))
        return report_error(
            report_id::protocol,
            fmt::format("{}: a flit from node {} to node {}, of which one has no CHI interface",
                        m_engine.name(), f.source, f.target));
    if (m_free.empty()) {
        m_free.push_back(static_cast<std::uint32_t>(m_flits.size()));
        m_flits.emplace_back();
    }
    const std::uint32_t slot = m_free.back();
    m_free.pop_back();
    m_flits[slot] = f;
    message m;
    m.source = f.source;
    m.destination = f.target;
    m.flits = std::as_const(m_engine).net().port().flits_for(m_params.header_bytes[c] +
                                                             (f.on == channel::dat ? m_params.bus_bytes : 0));
    m.message_class = (f.qos >= m_params.urgent_from ? m_params.urgent_classes : m_params.classes)[c];
    m.tag = m_tag | slot;
    ++m_in_flight;
    if (f.on == channel::req && f.allow_retry && !f.is(req::pcrd_return))
        m_requests[{f.source, f.txn}] = line_bytes / m_params.bus_bytes;
    ++m_carried[c];
    m_engine.send_for_bridge(m);
}

void transport::delivered(const delivery& d) {
    const auto slot = static_cast<std::uint32_t>(d.what.tag);
    const flit f = m_flits[slot];
    m_free.push_back(slot);
    if (f.times != nullptr) note_times(f, d);
    m_interfaces[f.target]->arrived(f);
}

/// Notes times; of an answer, from the first packet sent to the last one that arrives.
void transport::note_times(const flit& f, const delivery& d) {
    const sc_core::sc_time injected = m_engine.clock().began(d.injected);
    const sc_core::sc_time arrived = m_engine.clock().began(d.consumed);
    access_times& t = *f.times;
    if (f.on == channel::req) {
        t.request_injected = injected;
        t.request_arrived = arrived;
        return;
    }
    const bool first = t.response_injected <= t.memory_done;
    t.response_injected = first ? injected : std::min(t.response_injected, injected);
    t.response_arrived = std::max(t.response_arrived, arrived);
}

void transport::handed_over(const flit& f) {
    --m_in_flight;
    const auto request = m_requests.find({f.target, f.txn});
    if (request != m_requests.end()) {
        const bool all = f.is(rsp::comp) || f.is(rsp::comp_dbid_resp);
        if (all || (f.is(dat::comp_data) && --request->second == 0)) m_requests.erase(request);
    }
    if (has(f.source)) m_interfaces[f.source]->credit(f.on);
}

bool transport::debug(std::uint32_t target, const debug_access& a) {
    return has(target) && m_interfaces[target]->node->debug(a);
}

void transport::look() {
    if (finished()) m_engine.work_at(m_engine.cycle() + 1);
}

void transport::serialize(archive&) {
    throw unwritable("what is in CHI's nodes");
}

void transport::dropped(const message& m, const std::string& cause) {
    report_error(
        report_id::protocol,
        fmt::format(
            "{}: a CHI flit from node {} to node {} is lost ({}); CHI needs a network that loses none",
            m_engine.name(), m.source, m.destination, cause));
}

// ---- interface -------------------------------------------------------------------------------------------

interface::interface(const sc_core::sc_module_name& name, nic& n, transport& t)
    : sc_core::sc_module(name), node("node"), m_nic(n), m_transport(t) {
    node.bind(*this);
    if (&n.engine() != &t.engine())
        report_error(report_id::config, std::string(this->name()) + ": its NIC is of " + n.engine().name() +
                                            ", and its transport of " + t.engine().name());
    t.join(*this);
}

void interface::join(std::shared_ptr<access_side> accesses) {
    accesses->node = id();
    m_transport.accesses().add(std::move(accesses));
}

void interface::dump(std::ostream& out) const {
    sc_core::sc_object::dump(out);
    out << "node = " << id() << '\n';
    for (std::uint32_t c = 0; c < channels; ++c)
        out << channel_names[c] << ": sent and not taken = " << m_sent[c]
            << ", wait for the node's credits = " << m_waiting[c].size() << '\n';
}

void interface::start_of_simulation() {
    for (std::uint32_t c = 0; c < channels; ++c)
        for (std::uint32_t k = 0; k < m_transport.params().credits; ++k) {
            ++m_sent[c];
            credit(static_cast<channel>(c));
        }
}

void interface::credit(channel c) {
    --m_sent[number_of(c)];
    flit f;
    f.on = c;
    phase p = phase::credit;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    node->nb_transport_bw(f, p, delay);
}

tlm::tlm_sync_enum interface::nb_transport_fw(flit& f, phase& p, sc_core::sc_time& delay) {
    const auto c = static_cast<std::size_t>(f.on);
    const auto wrong = [&](const std::string& what) {
        report_error(report_id::protocol, std::string(name()) + ": " + what);
        return tlm::TLM_ACCEPTED;
    };
    if (c >= channels || delay != sc_core::SC_ZERO_TIME)
        return wrong("a flit of no channel, or with a delay");
    if (p == phase::credit) {
        ++m_room[c];
        if (hand_over(c)) m_transport.look();
        return tlm::TLM_ACCEPTED;
    }
    if (m_sent[c] == m_transport.params().credits) return wrong("a flit without a link credit");
    if (!m_transport.has(f.target))
        return wrong(fmt::format("a flit for node {}, which has no CHI interface", f.target));
    const std::uint32_t bus = m_transport.params().bus_bytes, first = f.data_id * 16U;
    if (f.on == channel::dat && (first >= line_bytes || first % bus != 0))
        return wrong(fmt::format("DataID {}, where no packet of {} bytes begins", f.data_id, bus));
    ++m_sent[c];
    f.source = id();
    m_transport.send(f);
    return tlm::TLM_ACCEPTED;
}

void interface::arrived(const flit& f) {
    const std::size_t c = number_of(f.on);
    m_waiting[c].push_back(f);
    m_most[c] = std::max(m_most[c], static_cast<std::uint32_t>(m_waiting[c].size()));
    hand_over(c);
}

/// Returns false if nothing waits, or nothing may go.
bool interface::hand_over(std::size_t c) {
    bool any = false;
    while (m_room[c] != 0 && !m_waiting[c].empty()) {
        flit f = m_waiting[c].front();
        m_waiting[c].pop_front();
        --m_room[c];
        phase p = phase::flit;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        m_transport.handed_over(f);
        node->nb_transport_bw(f, p, delay);
        any = true;
    }
    return any;
}

}  // namespace sare::chi
