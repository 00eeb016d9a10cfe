// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// Credit counter: agrees with a reference of the flits whose credits are out, never below 0 nor above the
/// depth, as long as credits are spent only when there and come back only for flits sent.
module credit_counter #(
  parameter int unsigned Depth = 4
) (
  input logic clk_i,
  input logic rst_ni,
  input logic credit_i,
  input logic spend_i
);

  localparam int unsigned Width = $clog2(Depth + 1);

  logic [7:0] credits;
  logic       any, all;
  logic [7:0] out_q;  // flits sent whose credit has not come back

  sare_credit_counter #(.Depth(Depth)) u_dut (
    .clk_i, .rst_ni, .credit_i, .spend_i, .credits_o(credits), .any_o(any),
    .all_o(all)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) out_q <= '0;
    else out_q <= out_q + 8'(spend_i) - 8'(credit_i);
  end

  `SARE_RESET_FIRST
  `SARE_ASSUME(credits_of_flits_sent, !(credit_i && out_q == '0))
  `SARE_ASSUME(spends_what_is_there, !(spend_i && credits == '0))

  `SARE_ASSERT(in_range, credits <= Depth)
  `SARE_ASSERT(agrees, credits == 8'(Depth) - out_q + 8'(credit_i))
  `SARE_ASSERT(any_when_not_0, any == (credits != '0))
  `SARE_ASSERT(all_when_none_out, all == (out_q == 8'(credit_i)))
  `SARE_COVER(none_left, out_q == Depth)
  `SARE_COVER(back_again, credit_i && out_q == 8'd1)

  // Invariant of the state.
  `SARE_PEEK [Width-1:0] \u_dut.credits_q ;
  `SARE_PEEK \u_dut.any_q ;
  `SARE_INVARIANT(counts, out_q <= Depth && \u_dut.credits_q == Depth - out_q)
  `SARE_INVARIANT(any_of_them, \u_dut.any_q == (\u_dut.credits_q != '0))

endmodule
