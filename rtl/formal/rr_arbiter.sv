// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// Round robin: picks the first requester after the one served last, in a ring; the turn moves only when
/// a pick is served; a request that stays is served after at most Inputs - 1 others.
module rr_arbiter #(
  parameter int unsigned Inputs = 4
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic [Inputs-1:0] req_i,
  input logic              served_i
);

  logic [Inputs-1:0] pick;

  sare_rr_arbiter #(.Inputs(Inputs)) u_dut (.clk_i, .rst_ni, .req_i, .served_i, .pick_o(pick));

  // Reference: the one served last; any requester, and how many were served since it asks; any
  // other.
  logic [3:0] last_q, waited_q;
  (* anyconst *) logic [3:0] one, other;
  logic       waits;

  assign waits = req_i[one] && !pick[one];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_q   <= 4'(Inputs - 1);
      waited_q <= '0;
    end else begin
      if (served_i) last_q <= sare_pkg::encode(16'(pick));
      waited_q <= waits ? waited_q + 4'(served_i) : '0;
    end
  end

  /// Others that have their turn before number i, if all ask.
  function automatic [4:0] turn(input [3:0] i);
    turn = i > last_q ? 5'(i) - 5'(last_q) - 5'd1 : 5'(i) + 5'(Inputs) - 5'(last_q) - 5'd1;
  endfunction

  `SARE_RESET_FIRST
  `SARE_ASSUME(any_two, one < Inputs && other < Inputs)
  `SARE_ASSUME(serves_a_pick, !(served_i && pick == '0))

  `SARE_ASSERT(one_at_most, $countones(pick) <= 1)
  `SARE_ASSERT(only_requests, (pick & ~req_i) == '0)
  `SARE_ASSERT(one_if_any, (pick != '0) == (req_i != '0))
  `SARE_ASSERT(first_after_last, !(pick[one] && req_i[other] && turn(other) < turn(one)))
  `SARE_ASSERT(fair, waited_q < Inputs)
  `SARE_COVER(waits_longest, waited_q == 4'(Inputs - 1) && served_i)

  // Invariants of the state: the mask is of those after the one served last, and moves with it alone.
  `SARE_PEEK [Inputs-1:0] \u_dut.above_q ;
  `SARE_INVARIANT(mask, \u_dut.above_q == (Inputs)'(~((32'd2 << last_q) - 32'd1)) && last_q < Inputs)
  `SARE_INVARIANT(turns_left, 5'(waited_q) + turn(one) < Inputs)

endmodule
