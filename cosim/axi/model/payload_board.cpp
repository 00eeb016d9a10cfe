// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/model/payload_board.h"

#include "tlm/fabric/fabric.h"
#include "tlm/systemc/reports.h"

#include <fmt/format.h>

#include <stdexcept>

namespace sare::axi {

payload_board::payload_board(cycle_engine& engine) : m_engine(engine) {
    engine.set_bridge(*this);
}

void payload_board::begin(std::uint32_t from, std::uint32_t to, std::uint32_t flits,
                          std::uint32_t message_class) {
    if (m_engine.finished())
        throw std::runtime_error(
            fmt::format("a packet for node {} in cycle {}, after the traffic had finished "
                        "(stop_when_finished); the engine runs no further",
                        to, m_engine.cycle()));
    message m;
    m.source = from;
    m.destination = to;
    m.flits = flits;
    m.message_class = message_class;
    m.generated = m_engine.cycle();
    m.tag = cycle_engine::bridge_tag;
    ++m_open;
    m_engine.net().port().send(m);
    m_engine.work_at(m.generated + 1);
}

wide payload_board::take(std::uint32_t id) {
    const auto packet = m_data.find(id);
    if (packet == m_data.end())
        throw std::runtime_error("a packet comes to an AXI node that no AXI node has sent");
    const wide data = packet->second.front();
    packet->second.pop_front();
    if (packet->second.empty()) m_data.erase(packet);
    return data;
}

/// Reports a lost packet: its transaction would never end, for which AXI has no word.
void payload_board::dropped(const message& m, const std::string& cause) {
    const std::string text =
        fmt::format("a packet from AXI node {} to {} was dropped: {}", m.source, m.destination, cause);
    SC_REPORT_ERROR("/sare/cosim", text.c_str());
}

}  // namespace sare::axi
