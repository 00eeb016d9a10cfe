// SPDX-License-Identifier: Apache-2.0

/// An output, or output VC, of a router in which packets fork: round robin; but if packets leave by all their outputs at
/// once, and one with several asks, by an order that is the same at all outputs: the first one gets all that it wants.
module sare_fork_arbiter #(
  /// Requesters, from 1.
  parameter int unsigned Inputs = 4,
  /// sare_pkg::Asynchronous or Synchronous.
  parameter int unsigned Forking = sare_pkg::Asynchronous
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// Requests.
  input  logic [Inputs-1:0] req_i,
  /// Synchronous: those that ask for several outputs.
  input  logic [Inputs-1:0] several_i,
  /// Synchronous: bits of the numbers that come first in this cycle.
  input  logic [Inputs-1:0] first_i,
  /// The one picked is served.
  input  logic              served_i,
  /// The pick, one bit, if there is a request.
  output logic [Inputs-1:0] pick_o
);

  logic [Inputs-1:0] above_q, after;  // numbers after the one served last; after the pick
  logic              in_order;

  assign in_order = Forking == sare_pkg::Synchronous && (req_i & several_i) != '0;

  sare_rr_pick #(.Inputs(Inputs)) u_pick (
    .req_i, .above_i(in_order ? first_i : above_q), .pick_o, .after_o(after)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_q <= '0;
    else if (served_i) above_q <= after;
  end

endmodule
