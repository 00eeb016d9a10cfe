// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/attach.h"
#include "cosim/axi/axi_params.h"
#include "cosim/axi/random/end_modules.h"
#include "cosim/axi/rtl_end.h"

namespace sare::axi {

/// The AXI nodes of an experiment, with the managers and memories at their pins and their clock; made by
/// attach(). Must live as long as the network.
class axi_parts final : public cosim::attached_parts {
  public:
    /// `e`, which must outlive the object, `speed` and `collect`: see attach().
    axi_parts(const experiment& e, cosim::rtl_speed speed, bool collect);
    ~axi_parts() override;

    foreign_maker maker(foreign_maker others) override;
    bool empty() const override { return m_ends.empty(); }
    std::optional<cosim::divergence> first_divergence() const override;
    std::vector<std::string> done() const override;
    std::string libraries() const override;

  private:
    struct end;
    cosim::rtl_request request_of(const axi_end_params& p) const;
    void prepare(const block_context& context);
    void measure(end& one, format& all) const;
    void check_ends(const format& all) const;
    void add_to_network();
    std::unique_ptr<foreign_block> make(const sc_core::sc_module_name& name, const block_context& context);
    void attach(end& one);
    template <class Module, class Node>
    void connect(std::unique_ptr<Module> module, Node& node, end& one);
    template <class Module>
    std::unique_ptr<Module> make_rtl(const std::string& name, end& one, std::uint32_t id_width);
    cosim::violation_handler collector(std::uint32_t node);

    const experiment& m_experiment;
    const cosim::rtl_speed m_speed;
    const bool m_collect;
    network_parts m_parts;
    std::vector<std::unique_ptr<end>> m_ends;
    manager_params m_manager;  ///< parameters that all nodes have in common: widths, longest burst, addresses
    std::unique_ptr<sc_core::sc_clock> m_clock;
    std::optional<cosim::divergence> m_first;
};

}  // namespace sare::axi
