// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/forwarding.h"

#include <memory>
#include <utility>

namespace sare::test {

/// A workload whose messages go to all classes in turn, whatever class it gives them.
class spread_classes final : public forwarding_workload, private forwarding_port {
  public:
    explicit spread_classes(std::unique_ptr<workload> inside)
        : forwarding_workload(*inside), m_inside(std::move(inside)) {}

    void start(traffic_port& port) override {
        m_port = &port;
        m_inside->start(*this);
    }
    std::uint32_t classes_needed() const override { return 1; }

  private:
    void send(const message& m) override {
        message spread = m;
        spread.message_class = m_next++ % m_port->classes();
        m_port->send(spread);
    }

    std::unique_ptr<workload> m_inside;
    std::uint32_t m_next = 0;
};

}  // namespace sare::test
