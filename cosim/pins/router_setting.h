// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/routing_context.h"
#include "tlm/router/vc/params.h"

#include <string>
#include <utility>
#include <vector>

namespace sare {
struct experiment;
class router_plan;
}  // namespace sare

namespace sare::cosim {

/// A router as hardware: what rtl/sare_router.sv has as parameters. Default: the 5-port router of a mesh.
struct router_setting {
    router_params model;  ///< stage delays, allocators, ...; its credit_delay is both delays below together
    std::uint32_t ports = 5;
    std::vector<std::uint32_t>
        out_depth;                  ///< places beyond each output port, 1 to 255; empty: as deep as its own
    std::uint32_t flit_width = 64;  ///< bits
    std::uint32_t classes = 1;
    std::uint32_t credit_out_delay = 0, credit_in_delay = 1;  ///< cycles: before credit_o, after credit_i

    bool memory_buffers = false;  ///< data wait in a memory a port, not in flip-flops
    bool clock_gating = false;

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

    /// @name Widths of pins, in bits; see the parameters of rtl/sare_router.sv
    /// @{
    std::uint32_t port_bits() const;
    std::uint32_t vc_bits() const;
    std::uint32_t count_bits() const { return cut_through() ? 8 : 1; }
    std::uint32_t node_bits() const;
    std::uint32_t dest_bits() const;
    /// @}

    /// Name and value, as SystemVerilog text, of every parameter of sare_router.
    std::vector<std::pair<std::string, std::string>> rtl_parameters() const;
    /// The same in one line, for people.
    std::string text() const;
};

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
