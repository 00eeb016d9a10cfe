// SPDX-License-Identifier: Apache-2.0

/// A clock that may leave out cycles: behaves as the integrated clock gate of a cell library, which is to take its
/// place (with its pin for scan tests tied or wired as the design has it).
module sare_clock_gate (
  /// Clock.
  input  logic clk_i,
  /// The next rising edge goes through. Looked at while the clock is low; it may settle until that edge.
  input  logic enable_i,
  /// The clock, or low.
  output logic clk_o
);

  logic open_q;

  always_latch begin
    if (!clk_i) open_q = enable_i;
  end
  assign clk_o = clk_i & open_q;

endmodule
