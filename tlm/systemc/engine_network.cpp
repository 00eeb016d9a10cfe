// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"
#include "tlm/systemc/cycle_engine.h"

/// Functions of network_engine that the engine passes on to its network.
namespace sare {

const counted_network& cycle_engine::counters() const {
    return m_of_all == nullptr ? static_cast<const counted_network&>(m_fabric->view()) : *m_of_all;
}

void cycle_engine::set_seed(std::uint64_t seed) {
    net().stepper().set_seed(seed);
}

void cycle_engine::set_observer(observer* o) {
    net().stepper().set_observer(o);
}

void cycle_engine::add_observer(observer& o) {
    net().stepper().add_observer(o);
}

void cycle_engine::remove_observer(const observer& o) {
    net().stepper().remove_observer(o);
}

std::vector<std::string> cycle_engine::observe_flits(flit_observer& o) {
    return net().stepper().observe_flits(o);
}

cycle_t cycle_engine::next_work(cycle_t t) const {
    return m_lag.behind ? m_due : m_fabric->stepper().next_work_of_all(t);
}

}  // namespace sare
