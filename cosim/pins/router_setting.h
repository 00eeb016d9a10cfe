// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/hardware_params.h"
#include "cosim/pins/routing_context.h"
#include "tlm/router/vc/params.h"

#include <string>
#include <vector>

namespace sare {
struct experiment;
class router_plan;
}  // namespace sare

namespace sare::cosim {

/// A router as hardware. Each parameter of rtl/sare_router.sv is a field here, of the hardware_params or of
/// the model's parameters, declared there with its name and range; all that needs them goes by fields() and
/// the parameters that the RTL declares. Default: the 5-port router of a mesh.
struct router_setting : hardware_params {
    router_params model;  ///< stage delays, allocators, ...; its credit_delay is both delays below together
    std::uint32_t ports = 5;
    std::vector<std::uint32_t>
        out_depth;  ///< places beyond each output port, 1 to 255; empty: as deep as its own
    std::uint32_t classes = 1;
    std::uint32_t credit_out_delay = 0, credit_in_delay = 1;  ///< cycles: before credit_o, after credit_i

    bool table = false;                      ///< routing by table; else by dimension order
    std::uint32_t nodes = 16;                ///< table: destinations
    std::vector<std::uint32_t> sizes{8, 8};  ///< dimension order: of the grid
    std::uint32_t coord_width = 3;           ///< bits
    std::uint32_t wrap = 0;                  ///< dimensions that are rings, a bit each
    bool one_way = false;                    ///< the rings have + links only
    std::uint32_t concentration = 1;         ///< nodes a router
    std::uint32_t dateline = 0;              ///< as sare_pkg numbers them

    std::uint32_t dims() const { return static_cast<std::uint32_t>(sizes.size()); }
    std::uint32_t depth_beyond(std::uint32_t port) const {
        return port < out_depth.size() ? out_depth[port] : model.depth;
    }
    bool cut_through() const { return model.switching == switching_mode::cut_through; }
    bool atomic() const { return model.reallocation == reallocation_rule::atomic; }

    /// @name Widths of pins, in bits; see the parameters of rtl/sare_router.sv
    /// @{
    std::uint32_t port_bits() const;
    std::uint32_t vc_bits() const;
    std::uint32_t count_bits() const { return cut_through() ? 8 : 1; }
    std::uint32_t node_bits() const;
    std::uint32_t dest_bits() const;
    /// @}

    /// Those of its own, and hardware_params.
    static config::schema<router_setting> fields();
    /// All fields, the model's too, for rtl_module; null where the RTL's default holds.
    config::value values() const;
    /// Takes values of fields by name, the model's too; others keep theirs. Throws config::error.
    void take(const config::value& some);
    /// What of it is not in RTL: a sentence; "" if all is. Grids, tables and neighbours are not looked at.
    std::string problem() const;
};

/// The fields that are parameters of sare_router, documented; choices are those that it has.
std::vector<config::parameter_doc> documented_parameters();

/// Flits that a VC's buffer at the other end of a link holds, where a port of `router` leads to `to`; 0: no
/// link.
std::uint32_t downstream_depth(const experiment& e, const router_plan& plan, std::uint32_t router,
                               const port_peer& to);

/// Bits of a number below n; at least one.
std::uint32_t index_bits(std::uint32_t n);

/// The hardware of one router of an experiment's network. Throws config::error, placed at the section cosim,
/// for what the RTL does not have.
router_setting setting_of(const experiment& e, const router_plan& plan, std::uint32_t classes,
                          const routing_context& at);

}  // namespace sare::cosim
