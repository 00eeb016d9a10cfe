// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// In place of sare_arbiter in the allocators' proofs: picks any of the requests. That the true ones pick so is proved
/// by arbiter.sv; what holds with this one then holds with either, in any state.
module sare_arbiter #(
  parameter int unsigned Inputs = 4,
  parameter int unsigned Kind = sare_pkg::RoundRobin
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [Inputs-1:0] req_i,
  input  logic              served_i,
  output logic [Inputs-1:0] pick_o
);

  (* anyseq *) logic [Inputs-1:0] choice;
  assign pick_o = choice;

  `SARE_ASSUME(one_at_most, (pick_o & (pick_o - 1'b1)) == '0)
  `SARE_ASSUME(only_requests, (pick_o & ~req_i) == '0)
  `SARE_ASSUME(one_if_any, (pick_o != '0) == (req_i != '0))
  // What arbiter.sv takes for granted.
  `SARE_ASSERT(serves_a_pick, !(served_i && pick_o == '0))

endmodule
