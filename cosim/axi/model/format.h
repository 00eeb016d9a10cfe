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
    std::uint32_t addr_width = 32;      ///< bits of an address, 12 to 64
    std::uint32_t data_width = 64;      ///< bits of data of a beat, a power of 2 from 32 to 512
    std::uint32_t id_width = 4;         ///< bits of a manager's IDs, 1 to 16
    std::uint32_t user_width = 1;       ///< user bits of AR and AW, 1 to 64
    std::uint32_t flit_width = 64;      ///< data bits of a flit, 16 to 512
    std::uint32_t node_width = 4;       ///< bits of a node's number, 1 to 16
    std::uint32_t request_classes = 1;  ///< message classes of requests, 1 to 15; responses have one more

    /// @name Bits of parts of packets
    /// @{
    std::uint32_t strobes() const { return data_width / 8; }
    std::uint32_t address_bits() const { return id_width + addr_width + 29 + user_width; }
    std::uint32_t request_header_bits() const { return 1 + node_width + address_bits(); }
    std::uint32_t response_header_bits() const { return 3 + id_width; }
    std::uint32_t write_beat_bits() const { return data_width + strobes(); }
    std::uint32_t read_beat_bits() const { return data_width + 2; }
    /// @}
    /// Returns the number of flits that carry `bits` bits.
    std::uint32_t flits_for(std::uint32_t bits) const { return (bits + flit_width - 1) / flit_width; }
    /// @name Numbers of flits of whole packets
    /// @{
    std::uint32_t read_request() const { return flits_for(request_header_bits()); }
    std::uint32_t write_request(std::uint32_t beats) const {
        return flits_for(request_header_bits()) + beats * flits_for(write_beat_bits());
    }
    std::uint32_t read_response(std::uint32_t beats) const {
        return flits_for(response_header_bits()) + beats * flits_for(read_beat_bits());
    }
    std::uint32_t write_response() const { return flits_for(response_header_bits()); }
    /// @}
    /// Returns the message class of a request by its QoS, 0 to 15: QoS * request_classes / 16.
    std::uint32_t class_of(const address& a) const { return a.qos * request_classes >> 4; }

    /// Returns the header of a request of node `source`: a write or a read.
    wide request_header(bool write, std::uint32_t source, const address& a) const;
    /// Returns the header of the response to a write or a read of an ID.
    wide response_header(bool write, response resp, std::uint64_t id) const;
    /// Returns the request of a request_header(); its ID is {source, the manager's ID}.
    address address_of(const wide& header) const;

    /// Returns the parameters of the RTL that have these widths.
    rtl_parameters parameters() const;
};

/// Addresses of a node, from `first` to `last`, both included.
struct region {
    std::uint64_t first = 0, last = ~std::uint64_t{0};
    std::uint32_t node = 0;
};

/// Parameters of sare_axi_manager_bridge.
struct manager_params {
    format widths;
    std::uint32_t reads = 8, writes = 8;  ///< most open reads, and writes
    std::uint32_t per_id = 8;             ///< most open reads, and writes, of one ID; 1 unless keeps_order
    bool keeps_order = false;             ///< the network keeps packets of a class in order between two nodes
    std::uint32_t max_beats = 16;         ///< beats of the longest burst, 1 to 256
    std::uint32_t read_beats = 32, write_beats = 32;  ///< places for beats of data, max_beats or more each
    std::vector<region> map{{}};  ///< regions of addresses; an address of none is answered with DECERR

    /// Returns the region that has an address; null: none.
    const region* owner(std::uint64_t addr) const;
    /// Returns the request for the library of the RTL with these parameters.
    cosim::rtl_request request() const;
};

/// Parameters of sare_axi_subordinate_bridge.
struct subordinate_params {
    format widths;
    std::uint32_t reads = 8, writes = 8;  ///< most open reads, and writes
    std::uint32_t max_beats = 16;         ///< beats of the longest burst, 1 to 256
    std::uint32_t read_beats = 32;        ///< places for beats of read data, max_beats or more

    /// Returns the request for the library of the RTL with these parameters.
    cosim::rtl_request request() const;
};

}  // namespace sare::axi
