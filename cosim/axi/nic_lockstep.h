// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/node_nic.h"

#include <memory>
#include <string>

namespace sare::axi {

/// Model and RTL of a NIC, the same in, everything that comes out compared; as lockstep does for bridges.
class nic_lockstep final : public node_nic {
  public:
    nic_lockstep(std::string name, std::unique_ptr<node_nic> model, std::unique_ptr<node_nic> rtl)
        : m_name(std::move(name)), m_model(std::move(model)), m_rtl(std::move(rtl)) {}

    void arrives(const link_flit& f) override;
    std::uint32_t send(const std::vector<std::optional<offer>>& flits, std::uint32_t credits) override;
    stream_flit received(std::uint32_t message_class) const override {
        return m_model->received(message_class);
    }
    void clock(std::uint32_t taken) override;
    std::optional<link_flit> sent() const override { return m_model->sent(); }
    std::uint32_t credits() const override { return m_model->credits(); }
    void finish() override;

    /// "" while both agree; else cycle, name, pin and what it is in both.
    const std::string& first_difference() const { return m_difference; }

  private:
    void note(const std::string& line);
    void differ(const char* pin, std::uint64_t model, std::uint64_t rtl);
    void differ(const char* pin, const wide& model, const wide& rtl);
    template <class Does>
    void of_rtl(const Does& does);
    void compare_received();
    void compare_sent(const std::optional<link_flit>& model, const std::optional<link_flit>& rtl);

    std::string m_name;
    std::unique_ptr<node_nic> m_model, m_rtl;
    std::string m_difference;
    std::uint32_t m_classes = 0;
    std::uint64_t m_cycle = 1;  ///< that is under way
};

}  // namespace sare::axi
