// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// Matrix arbiter: of any two that ask, the one served longer ago (at first: the lower number) goes before the
/// other; the order changes only when a pick is served; a request that stays is served after at most Inputs - 1
/// others.
module matrix_arbiter #(
  parameter int unsigned Inputs = 4
) (
  input logic              clk_i,
  input logic              rst_ni,
  input logic [Inputs-1:0] req_i,
  input logic              served_i
);

  logic [Inputs-1:0] pick;

  sare_matrix_arbiter #(.Inputs(Inputs)) u_dut (.clk_i, .rst_ni, .req_i, .served_i, .pick_o(pick));

  // Reference: any two, and whether the lower one was served after the higher one; any one, and how many were
  // served since it asks.
  (* anyconst *) logic [3:0] low, high, one;
  logic       low_later_q;
  logic [3:0] waited_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      low_later_q <= 1'b0;
      waited_q    <= '0;
    end else begin
      if (served_i && pick[low]) low_later_q <= 1'b1;
      else if (served_i && pick[high]) low_later_q <= 1'b0;
      waited_q <= req_i[one] && !pick[one] ? waited_q + 4'(served_i) : '0;
    end
  end

  `SARE_RESET_FIRST
  `SARE_ASSUME(any_numbers, low < high && high < Inputs && one < Inputs)
  `SARE_ASSUME(serves_a_pick, !(served_i && pick == '0))

  `SARE_ASSERT(one_at_most, $countones(pick) <= 1)
  `SARE_ASSERT(only_requests, (pick & ~req_i) == '0)
  `SARE_ASSERT(one_if_any, (pick != '0) == (req_i != '0))
  `SARE_ASSERT(longest_ago, !(req_i[low] && req_i[high]) || !pick[low_later_q ? low : high])
  `SARE_ASSERT(fair, waited_q < Inputs)
  `SARE_COVER(waits_longest, waited_q == 4'(Inputs - 1) && served_i)

  // Invariants of the state: an order, that of last service, and few enough before one that waits.
  `SARE_PEEK [Inputs*Inputs-1:0] \u_dut.before_q ;
  total_order #(.Inputs(Inputs)) u_order (.clk_i, .rst_ni, .before_i(\u_dut.before_q ));

  logic [Inputs*Inputs-1:0] before;
  logic                     low_first;  // low goes before high
  logic [Inputs-1:0]        ahead;      // those that go before one
  assign before = \u_dut.before_q ;

  // All indices are constants: several times faster.
  always_comb begin
    low_first = 1'b0;
    ahead     = '0;
    for (int i = 0; i < Inputs; i++) begin
      for (int j = i + 1; j < Inputs; j++) begin
        if (i == low && j == high) low_first = before[i*Inputs + j];
        if (j == one) ahead[i] = before[i*Inputs + j];
        if (i == one) ahead[j] = !before[i*Inputs + j];
      end
    end
  end

  `SARE_INVARIANT(order_of_service, low_first == !low_later_q)
  `SARE_INVARIANT(turns_left, waited_q + $countones(ahead) < Inputs)

endmodule
