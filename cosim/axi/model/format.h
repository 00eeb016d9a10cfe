// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"
#include "cosim/rtl/rtl_library.h"

#include <string>
#include <utility>
#include <vector>

namespace sare::axi {

using cosim::rtl_parameters;

/// Widths of the AXI ports, and the form of packets that carry their channels (docs/axi-rtl.md). Both ends of
/// a network have the same.
struct format {
    std::uint32_t addr_width = 32, data_width = 64, id_width = 4, user_width = 1;
    std::uint32_t flit_width = 64, node_width = 4, request_classes = 1;

    std::uint32_t strobes() const { return data_width / 8; }
    std::uint32_t address_bits() const { return id_width + addr_width + 29 + user_width; }
    std::uint32_t request_header_bits() const { return 1 + node_width + address_bits(); }
    std::uint32_t response_header_bits() const { return 3 + id_width; }
    std::uint32_t write_beat_bits() const { return data_width + strobes(); }
    std::uint32_t read_beat_bits() const { return data_width + 2; }
    std::uint32_t flits_for(std::uint32_t bits) const { return (bits + flit_width - 1) / flit_width; }
    /// Number of flits of whole packets.
    std::uint32_t read_request() const { return flits_for(request_header_bits()); }
    std::uint32_t write_request(std::uint32_t beats) const {
        return flits_for(request_header_bits()) + beats * flits_for(write_beat_bits());
    }
    std::uint32_t read_response(std::uint32_t beats) const {
        return flits_for(response_header_bits()) + beats * flits_for(read_beat_bits());
    }
    std::uint32_t write_response() const { return flits_for(response_header_bits()); }
    /// Returns the message class of a request, by its QoS.
    std::uint32_t class_of(const address& a) const { return a.qos * request_classes >> 4; }

    wide request_header(bool write, std::uint32_t source, const address& a) const;
    wide response_header(bool write, response resp, std::uint64_t id) const;
    /// Returns the request of a request_header(); its ID is {source, ID}.
    address address_of(const wide& header) const;

    rtl_parameters parameters() const;
};

/// Addresses of a node, from `first` to `last`.
struct region {
    std::uint64_t first = 0, last = ~std::uint64_t{0};
    std::uint32_t node = 0;
};

/// Parameters of sare_axi_manager_bridge.
struct manager_params {
    format widths;
    std::uint32_t reads = 8, writes = 8, per_id = 8;
    bool keeps_order = false;
    std::uint32_t max_beats = 16, read_beats = 32, write_beats = 32;
    std::vector<region> map{{}};

    const region* owner(std::uint64_t addr) const;
    cosim::rtl_request request() const;
};

/// Parameters of sare_axi_subordinate_bridge.
struct subordinate_params {
    format widths;
    std::uint32_t reads = 8, writes = 8, max_beats = 16, read_beats = 32;

    cosim::rtl_request request() const;
};

}  // namespace sare::axi
