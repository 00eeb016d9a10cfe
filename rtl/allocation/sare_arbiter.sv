// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// An arbiter of either kind.
module sare_arbiter #(
  /// Requesters, from 1.
  parameter int unsigned Inputs = 4,
  /// sare_pkg::RoundRobin or Matrix.
  parameter int unsigned Kind = sare_pkg::RoundRobin
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// Requests.
  input  logic [Inputs-1:0] req_i,
  /// The one picked is served: its priority drops.
  input  logic              served_i,
  /// The pick, one bit, if there is a request.
  output logic [Inputs-1:0] pick_o
);

  if (Inputs == 1) begin : gen_single
    assign pick_o = req_i;
  end else if (Kind == sare_pkg::RoundRobin) begin : gen_round_robin
    sare_rr_arbiter #(.Inputs(Inputs)) u_arbiter (.clk_i, .rst_ni, .req_i, .served_i, .pick_o);
  end else begin : gen_matrix
    sare_matrix_arbiter #(.Inputs(Inputs)) u_arbiter (.clk_i, .rst_ni, .req_i, .served_i, .pick_o);
  end

  `SARE_ASSERT(one_pick, (pick_o & (pick_o - 1'b1)) == '0)
  `SARE_ASSERT(no_pick_without_request, (pick_o & ~req_i) == '0)
  `SARE_ASSERT(someone_is_picked, (pick_o != '0) == (req_i != '0))
  `SARE_ASSERT(served_is_picked, !(served_i && pick_o == '0))

endmodule
