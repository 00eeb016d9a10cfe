// SPDX-License-Identifier: Apache-2.0

/// A NIC as one block: what a node sends, and what comes for it.
module sare_nic #(
  parameter int unsigned Vcs = 4,
  parameter int unsigned Depth = 4,
  parameter int unsigned FlitWidth = 32,
  parameter int unsigned Ports = 5,
  parameter int unsigned Dims = 2,
  parameter int unsigned CoordWidth = 3,
  parameter bit [Dims-1:0] Wrap = '0,
  parameter int unsigned Switching = sare_pkg::Wormhole,
  parameter bit Lookahead = 0,
  localparam int unsigned PortWidth = sare_pkg::idx_width(Ports),
  localparam int unsigned CountWidth = sare_pkg::count_width(Switching),
  localparam int unsigned VcWidth = sare_pkg::idx_width(Vcs),
  localparam int unsigned DestWidth = sare_pkg::dest_width(sare_pkg::Dor, Ports, Dims, CoordWidth, 16)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [Dims*CoordWidth-1:0] here_i,
  input  logic [Dims*CoordWidth-1:0] last_i,
  input  logic                 valid_i,
  input  logic                 tail_i,
  input  logic [FlitWidth-1:0] data_i,
  input  logic [DestWidth-1:0] dest_i,
  input  logic [2*Dims-1:0]    ways_i,
  input  logic [CountWidth-1:0] length_i,
  output logic                 ready_o,
  output logic                 flit_valid_o,
  output logic                 flit_head_o,
  output logic                 flit_tail_o,
  output logic [VcWidth-1:0]   flit_vc_o,
  output logic [FlitWidth-1:0] flit_data_o,
  output logic [DestWidth-1:0] flit_dest_o,
  output logic [2*Dims-1:0]    flit_ways_o,
  output logic [CountWidth-1:0] flit_length_o,
  output logic [PortWidth-1:0] flit_port_o,
  output logic [Vcs-1:0]       flit_vcs_o,
  input  logic [Vcs-1:0]       credit_i,
  input  logic                 flit_valid_i,
  input  logic                 flit_head_i,
  input  logic                 flit_tail_i,
  input  logic [VcWidth-1:0]   flit_vc_i,
  input  logic [FlitWidth-1:0] flit_data_i,
  output logic [Vcs-1:0]       credit_o,
  output logic                 valid_o,
  output logic                 head_o,
  output logic                 tail_o,
  output logic [VcWidth-1:0]   vc_o,
  output logic [FlitWidth-1:0] data_o,
  output logic [Vcs-1:0]       open_o
);

  sare_nic_inject #(
    .Vcs(Vcs), .Depth(Depth), .FlitWidth(FlitWidth), .Ports(Ports), .Dims(Dims),
    .CoordWidth(CoordWidth), .Wrap(Wrap), .Switching(Switching), .Lookahead(Lookahead)
  ) u_inject (
    .clk_i, .rst_ni, .here_i, .last_i, .cfg_valid_i(1'b0), .cfg_node_i('0), .cfg_port_i('0), .valid_i, .tail_i, .data_i,
    .dest_i, .ways_i, .length_i(Switching == sare_pkg::CutThrough ? length_i : '0), .ready_o, .flit_valid_o, .flit_head_o, .flit_tail_o, .flit_vc_o, .flit_data_o,
    .flit_dest_o, .flit_ways_o, .flit_vc_base_o(), .flit_length_o, .flit_port_o, .flit_vcs_o, .credit_i
  );
  sare_nic_eject #(.Vcs(Vcs), .FlitWidth(FlitWidth)) u_eject (
    .clk_i, .rst_ni, .flit_valid_i, .flit_head_i, .flit_tail_i, .flit_vc_i, .flit_data_i, .credit_o, .valid_o, .head_o, .tail_o,
    .vc_o, .data_o, .open_o
  );

endmodule
