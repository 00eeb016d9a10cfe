// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// Arbiter, of either kind: what the allocators' proofs take for granted (see any_arbiter.sv). One pick or
/// none, none without a request, one if there is any.
module arbiter #(
  parameter int unsigned Inputs = 4,
  parameter int unsigned Kind = sare_pkg::RoundRobin
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic [Inputs-1:0] req_i,
  input logic              served_i
);

  logic [Inputs-1:0] pick;

  sare_arbiter #(.Inputs(Inputs), .Kind(Kind)) u_dut (.clk_i, .rst_ni, .req_i, .served_i, .pick_o(pick));

  `SARE_RESET_FIRST
  `SARE_ASSUME(serves_a_pick, !(served_i && pick == '0))

  `SARE_ASSERT(one_at_most, $countones(pick) <= 1)
  `SARE_ASSERT(only_requests, (pick & ~req_i) == '0)
  `SARE_ASSERT(one_if_any, (pick != '0) == (req_i != '0))
  `SARE_COVER(last_of_all, req_i == '1 && pick[Inputs-1])

  // Invariant of the state. (Yosys nests the branches of `else if`.)
  `SARE_PEEK [Inputs*Inputs-1:0] \u_dut.genblk1.gen_matrix.u_arbiter.before_q ;
  logic [Inputs*Inputs-1:0] before;
  assign before = \u_dut.genblk1.gen_matrix.u_arbiter.before_q ;
  if (Inputs > 1 && Kind == sare_pkg::Matrix) begin : gen_order
    total_order #(.Inputs(Inputs)) u_order (.clk_i, .rst_ni, .before_i(before));
  end

endmodule
