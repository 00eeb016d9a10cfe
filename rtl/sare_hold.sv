// SPDX-License-Identifier: Apache-2.0

/// Whether something has been so for some cycles on end.
module sare_hold #(
  /// Cycles, from 1.
  parameter int unsigned Cycles = 1
) (
  /// Clock.
  input  logic clk_i,
  /// Asynchronous reset, active low.
  input  logic rst_ni,
  /// It is so now.
  input  logic on_i,
  /// It was so in each of the last Cycles cycles; this one does not count.
  output logic held_o
);

  logic [Cycles-1:0] held_q;  // bit k: for more than k cycles

  assign held_o = held_q[Cycles-1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else held_q <= on_i ? Cycles'({held_q, 1'b1}) : '0;
  end

endmodule
