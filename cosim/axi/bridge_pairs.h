// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/bridge.h"
#include "cosim/axi/node_nic.h"
#include "cosim/scoreboard/lockstep.h"

namespace sare::axi {

using cosim::pin_list;

/// Appends to `pins` the output pins in `out` that have a meaning: valid and ready pins always, the other
/// pins of a channel or flit only if it is valid.
void list(pin_list& pins, const manager_bridge::outputs& out);
void list(pin_list& pins, const subordinate_bridge::outputs& out);

/// Model and RTL of a bridge in lock step (lockstep.h); the outputs are the model's, and after a difference
/// the model runs alone. `Bridge`: manager_bridge or subordinate_bridge.
template <class Bridge>
class bridge_pair final : public cosim::lockstep<Bridge> {
  public:
    /// `name`: becomes divergence::instance.
    bridge_pair(std::string name, std::unique_ptr<Bridge> model, std::unique_ptr<Bridge> rtl)
        : cosim::lockstep<Bridge>(std::move(name), std::move(model), std::move(rtl),
                                  cosim::compared_machines::model_and_rtl) {}

    typename Bridge::outputs out() const override { return this->first().out(); }
    void clock(const typename Bridge::inputs& in) override {
        this->both([&](Bridge& bridge, pin_list& pins) {
            list(pins, bridge.out());
            bridge.clock(in);
            return true;
        });
        this->end_cycle();
    }
};

/// Model and RTL of an AXI node's NIC in lock step (lockstep.h); the outputs are the model's.
class node_nic_pair final : public cosim::lockstep<node_nic> {
  public:
    node_nic_pair(std::string name, std::unique_ptr<node_nic> model, std::unique_ptr<node_nic> rtl)
        : lockstep(std::move(name), std::move(model), std::move(rtl),
                   cosim::compared_machines::model_and_rtl) {}

    void arrives(const link_flit& f) override;
    std::uint32_t send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) override;
    stream_flit received(std::uint32_t message_class) const override {
        return first().received(message_class);
    }
    void clock(std::uint32_t taken) override;
    std::optional<link_flit> sent() const override { return first().sent(); }
    std::uint32_t credits() const override { return first().credits(); }

  private:
    std::uint32_t m_classes = 0;  ///< number of message classes, known after the first send()
};

}  // namespace sare::axi
