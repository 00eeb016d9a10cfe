// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// Free places in the buffer at the other end of a link, of one virtual channel. At first, all of them.
module sare_credit_counter #(
  /// Places, 1 to 255.
  parameter int unsigned Depth = 4
) (
  /// Clock.
  input  logic       clk_i,
  /// Asynchronous reset, active low.
  input  logic       rst_ni,
  /// A credit has come back; it counts in this cycle already.
  input  logic       credit_i,
  /// A flit is sent there.
  input  logic       spend_i,
  /// Free places, with the credit that comes in and without the flit that goes out.
  output logic [7:0] credits_o,
  /// There is one.
  output logic       any_o,
  /// All places are free.
  output logic       all_o
);

  localparam int unsigned Width = $clog2(Depth + 1);

  logic [Width-1:0] credits_q, credits;
  logic             any_q;  // credits_q is not 0

  assign credits   = credits_q + Width'(credit_i);
  assign credits_o = 8'(credits);
  assign any_o     = any_q | credit_i;
  assign all_o     = credits == Width'(Depth);

  // spend_i comes last of all: the numbers wait for it ready made.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      credits_q <= Width'(Depth);
      any_q     <= 1'b1;
    end else if (credit_i != spend_i) begin
      credits_q <= credit_i ? credits_q + 1'b1 : credits_q - 1'b1;
      any_q     <= credit_i || credits_q != Width'(1);
    end
  end

  `SARE_ASSERT(no_credit_overflow, !(credit_i && credits_q == Width'(Depth)))
  `SARE_ASSERT(no_credit_underflow, !(spend_i && !any_o))

endmodule
