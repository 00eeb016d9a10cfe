// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/pins/buffer_places.h"
#include "cosim/pins/hardware_params.h"
#include "cosim/pins/pin_adapter.h"
#include "cosim/pins/routing_context.h"
#include "tlm/router/vc/params.h"

#include <string>
#include <vector>

namespace sare {
struct experiment;
class router_plan;
}  // namespace sare

namespace sare::cosim {

/// A router as hardware. Each parameter of rtl/sare_router.sv is a field of this struct, of hardware_params
/// or of the model's router_params, whose schemas have its name and range, except that Dims follows from
/// `sizes`, and SaWeights from the model's sa_arbiter. The default is the 5-port router of a mesh.
struct router_setting : hardware_params {
    /// Parameters that the model's router has, too, such as delays of stages, allocators, VCs and depth.
    /// model.credit_delay must equal credit_in_delay below; credit_out_delay is added outside of the model's
    /// router.
    router_params model;
    std::uint32_t ports = 5;  ///< number of ports, 2 to 16
    /// Places of the buffers beyond each output port, in flits, by port: those of each VC for itself (0 to
    /// 255), and those that its VCs share (0 to 65535). A port behind the end of a list has the places of the
    /// router's own input ports.
    std::vector<std::uint32_t> out_depth, out_pool;
    /// Number of message classes, 1 to 16, which have model.vcs / classes VCs each.
    std::uint32_t classes = 1;
    /// Cycles that a credit takes: `credit_out_delay` from the freed place to the register at the pin
    /// credit_o; `credit_in_delay` from the pin credit_i to the counter of credits. 0 to 255 each.
    std::uint32_t credit_out_delay = 0, credit_in_delay = 1;

    bool table = false;  ///< true: routing by table; false: in dimension order
    /// Number of destinations in the table, 2 to 1024: one for each node; with routing that forks, a second
    /// one for each node, which stands for all its targets (route_table).
    std::uint32_t nodes = 16;
    /// Dimension order: number of routers of the grid in each dimension.
    std::vector<std::uint32_t> sizes{8, 8};
    std::uint32_t coord_width = 3;  ///< dimension order: bits of a coordinate, 1 to 16
    std::uint32_t wrap = 0;  ///< dimension order: mask of the dimensions that are rings, dimension 0 in bit 0
    bool one_way = false;    ///< dimension order, true: rings have links in the + direction only
    std::uint32_t concentration = 1;  ///< dimension order: number of nodes at each router of the grid
    /// Dimension order: rule by which VCs change at the dateline of a ring: 0: trc; 1: basic; 3: none.
    std::uint32_t dateline = 0;

    /// Free places that the senders of a test's random traffic (router_bench.h) wait for before they send a
    /// head. Other rules than one_place are for a router of one's own that needs them; Sare's RTL must do
    /// with one_place.
    pins::head_credits room = pins::head_credits::one_place;
    std::uint32_t longest = ~0u;  ///< largest number of flits of a packet of random traffic

    /// Returns whether a sender of random traffic may send a flit to VC `vc` of an input port whose free
    /// places are `here`. `head`: it is a head; `flits`: number of flits of its packet, used only for a head.
    bool has_room(const buffer_places& here, std::uint32_t vc, bool head, std::uint32_t flits) const {
        if (head && room == pins::head_credits::empty_buffer && here.held(vc) != 0) return false;
        return here.free(vc) >= (head && room == pins::head_credits::whole_packet ? flits : 1);
    }

    /// Number of dimensions of the grid; has no meaning for routing by table.
    std::uint32_t dims() const { return static_cast<std::uint32_t>(sizes.size()); }
    /// Returns the number of places, in flits, that each VC has for itself in the buffer beyond output port
    /// `port`, from 0 (not checked).
    std::uint32_t own_beyond(std::uint32_t port) const {
        return port < out_depth.size() ? out_depth[port] : model.most_flits() - model.pool();
    }
    /// Returns the number of places, in flits, beyond output port `port` that its VCs share; 0: none.
    std::uint32_t pool_beyond(std::uint32_t port) const {
        return port < out_pool.size() ? out_pool[port] : model.pool();
    }
    /// Returns the largest number of flits of a VC that fit into the buffer beyond an output port.
    std::uint32_t depth_beyond(std::uint32_t port) const { return own_beyond(port) + pool_beyond(port); }
    /// Returns the places of an input port, all free; places_beyond() those of the buffer beyond output port
    /// `port`.
    buffer_places places() const { return {model.vcs, model.most_flits() - model.pool(), model.pool()}; }
    buffer_places places_beyond(std::uint32_t port) const {
        return {model.vcs, own_beyond(port), pool_beyond(port)};
    }
    /// Returns true if switching is cut-through; false if it is wormhole.
    bool cut_through() const { return model.switching == switching_mode::cut_through; }
    /// Returns true if an output VC gets a new packet only when the buffer beyond is empty (reallocation
    /// atomic).
    bool atomic() const { return model.reallocation == reallocation_rule::atomic; }

    bool forks() const { return model.forking != forking_rule::none; }  ///< true: packets may fork

    /// @name Widths in bits, in this order: a port's number, an entry of a table, a VC's number, a count of
    /// flits, a node's number, the pin flit_dest of one port
    std::uint32_t port_bits() const;
    std::uint32_t route_bits() const { return forks() ? ports : port_bits(); }
    std::uint32_t vc_bits() const;
    std::uint32_t count_bits() const { return cut_through() ? 8 : 1; }
    std::uint32_t node_bits() const;
    std::uint32_t dest_bits() const;
    /// @}

    /// Returns the schema of the fields of this struct and of hardware_params; the model's are not in it.
    static config::schema<router_setting> fields();
    /// Returns a map of the values of all fields, those of the model included, by name, from which rtl_module
    /// makes the RTL's parameters. The value is null for a field that the RTL must leave at its default.
    config::value values() const;
    /// Sets the fields that the map `some` names, those of the model included; all other fields keep their
    /// values. Throws config::error for an unknown field or a value out of range; some fields may be set
    /// then.
    void take(const config::value& some);
    /// Returns the first demand of rtl/sare_router.sv that a value breaks, such as "router.wake must be 0";
    /// empty if the RTL supports all values. Does not check grids, tables and neighbours.
    std::string problem() const;
};

/// Returns the documentation (name, range, unit, sentence) of all fields that are parameters of sare_router;
/// of a choice only the words that the RTL has.
std::vector<config::parameter_doc> documented_parameters();

/// Returns the number of flits of one VC that fit into the buffer at the end of a link from router `router`
/// to `to`. `e`, `plan`: the network. That is a router's input buffer, or the receive buffer of a node's NIC.
/// 0 if `to` is nothing.
std::uint32_t downstream_depth(const experiment& e, const router_plan& plan, std::uint32_t router,
                               const port_peer& to);

/// Returns the parameters in hardware of router at.router() in the network of experiment `e`. `plan`:
/// parameters of all its routers; `classes`: number of message classes. Throws config::error if
/// rtl/sare_router.sv does not support the router, its links or its routing.
router_setting setting_of(const experiment& e, const router_plan& plan, std::uint32_t classes,
                          const routing_context& at);

}  // namespace sare::cosim
