// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/rtl/pins.h"
#include "cosim/rtl/rtl_library.h"

#include <string>
#include <utility>
#include <vector>

namespace sare::axi {

using cosim::rtl_parameters;

/// Widths of AXI ports, and the form of the packets that carry their channels (docs/axi-rtl.md). All bridges
/// of a network have the same format.
struct format {
    std::uint32_t addr_width = 32;  ///< bits of an address, 12 to 64
    std::uint32_t data_width = 64;  ///< bits of data of a beat: 32, 64, 128, 256 or 512
    std::uint32_t id_width = 4;     ///< bits of the IDs of managers, 1 to 16
    std::uint32_t user_width = 1;   ///< bits of ARUSER and AWUSER, 1 to 64
    std::uint32_t flit_width = 64;  ///< bits of data of a flit, 16 to 512
    std::uint32_t node_width = 4;   ///< bits of the number of a node, 1 to 16
    /// Number of message classes of requests, 1 to 15. The class after these, of that number, is for all
    /// responses.
    std::uint32_t request_classes = 1;

    /// @name Numbers of bits, in this order: strobes of a beat; AR or AW channel without handshake; headers
    /// of requests and responses; beats of write and read data in packets
    std::uint32_t strobes() const { return data_width / 8; }
    std::uint32_t address_bits() const { return id_width + addr_width + 29 + user_width; }
    std::uint32_t request_header_bits() const { return 1 + node_width + address_bits(); }
    std::uint32_t response_header_bits() const { return 3 + id_width; }
    std::uint32_t write_beat_bits() const { return data_width + strobes(); }
    std::uint32_t read_beat_bits() const { return data_width + 2; }
    /// Returns the number of flits that `bits` bits of data need.
    std::uint32_t flits_for(std::uint32_t bits) const { return (bits + flit_width - 1) / flit_width; }
    /// @name Numbers of flits of whole packets, one for each kind; `beats`: number of beats of data
    std::uint32_t read_request() const { return flits_for(request_header_bits()); }
    std::uint32_t write_request(std::uint32_t beats) const {
        return flits_for(request_header_bits()) + beats * flits_for(write_beat_bits());
    }
    std::uint32_t read_response(std::uint32_t beats) const {
        return flits_for(response_header_bits()) + beats * flits_for(read_beat_bits());
    }
    std::uint32_t write_response() const { return flits_for(response_header_bits()); }
    /// Returns the message class, from 0, of a request: its QoS (0 to 15) * request_classes / 16, rounded
    /// down.
    std::uint32_t class_of(const address& a) const { return a.qos * request_classes >> 4; }

    /// Returns the header of the packet of a request from node `source`. `write`: it is a write, not a read.
    wide request_header(bool write, std::uint32_t source, const address& a) const;
    /// Returns the header of the packet of a response with the manager's ID `id`. `write`: it answers a
    /// write, not a read.
    wide response_header(bool write, response resp, std::uint64_t id) const;
    /// Returns the request in a header that request_header() has made; its ID has `source` in the upper bits
    /// and the manager's ID below.
    address address_of(const wide& header) const;

    /// Returns these widths as parameters that the RTL of both kinds of bridges has.
    rtl_parameters parameters() const;
};

/// The addresses of a node: from `first` to `last`, both included.
struct region {
    std::uint64_t first = 0, last = ~std::uint64_t{0};
    std::uint32_t node = 0;  ///< number of the node
};

/// Parameters of a manager's bridge, sare_axi_manager_bridge.
struct manager_params {
    format widths;                        ///< widths of the AXI port, flits and headers
    std::uint32_t reads = 8, writes = 8;  ///< largest number of open reads, and of open writes
    /// Largest number of open reads, and of open writes, of one ID; without keeps_order at most one is open,
    /// whatever this number.
    std::uint32_t per_id = 8;
    bool keeps_order = false;  ///< true: the network keeps the order of packets of a message class between
                               ///< two nodes
    std::uint32_t max_beats = 16;                     ///< largest number of beats of a burst, 1 to 256
    std::uint32_t read_beats = 32, write_beats = 32;  ///< places for beats of read data, and of write data;
                                                      ///< at least max_beats each
    /// Addresses of the subordinates' nodes; a request to an address in none of these regions is answered
    /// with DECERR. Default: all addresses are those of node 0.
    std::vector<region> map{{}};

    /// Returns the first region of `map` that contains address `addr`, valid as long as `map` is not changed;
    /// null if none does.
    const region* owner(std::uint64_t addr) const;
    /// Returns the request, for rtl_library::get(), for the RTL of the bridge with these parameters.
    cosim::rtl_request request() const;
};

/// Parameters of a subordinate's bridge, sare_axi_subordinate_bridge.
struct subordinate_params {
    format widths;
    std::uint32_t reads = 8, writes = 8;  ///< largest number of open reads, and of open writes
    std::uint32_t max_beats = 16;         ///< largest number of beats of a burst, 1 to 256
    std::uint32_t read_beats = 32;        ///< places for beats of read data, at least max_beats

    /// Returns the request, for rtl_library::get(), for the RTL of the bridge with these parameters.
    cosim::rtl_request request() const;
};

}  // namespace sare::axi
