// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// An output virtual channel: whether a packet has it, and the credits of the buffer it leads to.
module sare_output_vc #(
  /// Places in that buffer, 1 to 255.
  parameter int unsigned Depth = 8,
  /// sare_pkg::Wormhole or CutThrough.
  parameter int unsigned Switching = sare_pkg::Wormhole,
  /// When it is free again: sare_pkg::Tail (the tail has left) or Atomic (the buffer has drained, too).
  parameter int unsigned Reallocation = sare_pkg::Tail,
  /// VCs share the places of that buffer, and sare_shared_credits counts them: Wormhole and Tail.
  parameter bit Pooled = 0,
  localparam int unsigned CountWidth = sare_pkg::count_width(Switching)
) (
  /// Clock.
  input  logic                  clk_i,
  /// Asynchronous reset, active low.
  input  logic                  rst_ni,
  /// A credit has come back.
  input  logic                  credit_i,
  /// Pooled: there is a place.
  input  logic                  any_i,
  /// A packet gets this VC.
  input  logic                  take_i,
  /// A flit leaves by it.
  input  logic                  send_i,
  /// The flit is a tail.
  input  logic                  tail_i,
  /// It is free.
  output logic                  free_o,
  /// Credits; with wormhole switching, whether there are any.
  output logic [CountWidth-1:0] credits_o
);

  logic       owned_q;
  logic       any, all;
  logic [7:0] credits;

  if (Pooled) begin : gen_pooled
    logic unused_credit;
    assign unused_credit  = credit_i;
    assign any            = any_i;
    assign {credits, all} = '0;
  end else begin : gen_own
    logic unused_any;
    assign unused_any = any_i;
    sare_credit_counter #(.Depth(Depth)) u_credits (
      .clk_i, .rst_ni, .credit_i, .spend_i(send_i), .credits_o(credits), .any_o(any), .all_o(all)
    );
  end

  logic unused;
  assign unused = ^credits;

  assign credits_o = Switching == sare_pkg::CutThrough ? CountWidth'(credits) : CountWidth'(any);
  assign free_o    = ~owned_q & (all | (Reallocation == sare_pkg::Tail));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) owned_q <= 1'b0;
    else owned_q <= (owned_q | take_i) & ~(send_i & tail_i);
  end

  `SARE_ASSERT(not_owned_twice, !(take_i && !free_o))
  `SARE_ASSERT(sent_by_owner, !(send_i && !owned_q && !take_i))

endmodule
