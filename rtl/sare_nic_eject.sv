// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// The ejecting half of a NIC: takes every flit in the cycle in which it comes, hands it on, and gives its
/// place back: the credit is on the pins CreditDelay + 1 cycles later.
module sare_nic_eject #(
  /// Virtual channels, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// Data bits of a flit, 16 to 512.
  parameter int unsigned FlitWidth = 64,
  /// Cycles that a credit takes before the register at credit_o, 0 to 255.
  parameter int unsigned CreditDelay = 1,
  localparam int unsigned VcWidth = sare_pkg::idx_width(Vcs)
) (
  /// Clock.
  input  logic                 clk_i,
  /// Asynchronous reset, active low.
  input  logic                 rst_ni,
  /// From an output port of a router: a flit comes in,
  input  logic                 flit_valid_i,
  /// the first of its packet,
  input  logic                 flit_head_i,
  /// the last of its packet,
  input  logic                 flit_tail_i,
  /// on this VC,
  input  logic [VcWidth-1:0]   flit_vc_i,
  /// with this data.
  input  logic [FlitWidth-1:0] flit_data_i,
  /// Places that are free again, by VC.
  output logic [Vcs-1:0]       credit_o,
  /// To the node, in the same cycle: a flit of the packet of VC vc_o,
  output logic                 valid_o,
  /// its first,
  output logic                 head_o,
  /// its last,
  output logic                 tail_o,
  /// VC,
  output logic [VcWidth-1:0]   vc_o,
  /// data.
  output logic [FlitWidth-1:0] data_o,
  /// A packet stands open on this VC: begun in an earlier cycle and not complete.
  output logic [Vcs-1:0]       open_o
);

  logic [Vcs-1:0] vc, freed, open_q;
  logic           freed_valid;

  assign vc      = Vcs'(flit_valid_i) << flit_vc_i;
  assign valid_o = flit_valid_i;
  assign head_o  = flit_head_i;
  assign tail_o  = flit_tail_i;
  assign vc_o    = flit_vc_i;
  assign data_o  = flit_data_i;
  assign open_o  = open_q;

  sare_link_register #(.Stages(CreditDelay + 1), .Width(Vcs)) u_credit (
    .clk_i, .rst_ni, .valid_i(flit_valid_i), .data_i(vc), .valid_o(freed_valid), .data_o(freed)
  );
  assign credit_o = freed_valid ? freed : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) open_q <= '0;
    else open_q <= flit_tail_i ? open_q & ~vc : open_q | vc;
  end

  `SARE_ASSERT(packets_are_whole, !flit_valid_i || flit_head_i == ((open_q & vc) == '0))

endmodule
