// SPDX-License-Identifier: Apache-2.0
#include "cosim/scoreboard/lockstep.h"

#include "cosim/pins/bits.h"

#include <algorithm>

namespace sare::cosim {

std::string divergence::text() const {
    std::string all = "cycle " + std::to_string(cycle) + ", " + instance;
    if (model == rtl) return all + ": " + pin;
    if (!place.empty()) all += ", " + place;
    all += ": " + pin + " is " + hex(model) + (of_old_rtl ? " in the old RTL and " : " in the model and ") +
           hex(rtl) + (of_old_rtl ? " in the new" : " in the RTL");
    return flit.empty() ? all : all + " (" + flit + ")";
}

void comparison::compare(const trial& first, const trial& second) {
    compare_pins(first.pins, second.pins);
    if (first.problem == second.problem) return;
    const bool of_second = !second.problem.empty();
    divergence found;
    found.pin = m_old       ? of_second ? "the new RTL alone: " : "the old RTL alone: "
                : of_second ? ""
                            : "the model alone: ";
    found.pin += of_second ? second.problem : first.problem;
    if (m_old && of_second && !first.problem.empty())
        found.pin = "the old RTL: " + first.problem + "; the new RTL: " + second.problem;
    note(std::move(found), pin_list::none);
}

/// Compares pins; a machine that threw has listed only some of its pins.
void comparison::compare_pins(const pin_list& first, const pin_list& second) {
    const std::size_t n = std::min(first.pins().size(), second.pins().size());
    for (std::size_t k = 0; k < n && !m_divergence; ++k) {
        const pin_list::pin &was = first.pins()[k], &is = second.pins()[k];
        if (was.value == is.value) continue;
        divergence found;
        found.pin = std::string(was.name) + was.rest;
        if (was.bit != pin_list::none) found.pin += " from bit " + std::to_string(was.bit);
        if (was.at.number != pin_list::none)
            found.place = was.at.kind + (" " + std::to_string(was.at.number));
        found.model = was.value;
        found.rtl = is.value;
        if (const auto& shown = was.at.what ? was.at.what : is.at.what; shown && m_history)
            found.flit = m_history->text_of(*shown);
        note(std::move(found), was.at.number);
    }
}

void comparison::note(divergence found, std::uint32_t port) {
    if (m_divergence) return;
    found.cycle = m_cycle;
    found.instance = m_name;
    found.of_old_rtl = m_old;
    if (m_history) found.history = port == pin_list::none ? m_history->everywhere() : m_history->at(port);
    m_divergence = std::move(found);
}

}  // namespace sare::cosim
