// SPDX-License-Identifier: Apache-2.0

/// A register that keeps what it has until it loads. Not reset.
module sare_load_register #(
  /// Bits, from 1.
  parameter int unsigned Width = 1,
  /// 1: it gets a clock only to load, 0: it has an enable.
  parameter bit ClockGating = 0
) (
  /// Clock.
  input  logic             clk_i,
  /// Take data_i at the end of this cycle.
  input  logic             load_i,
  /// That.
  input  logic [Width-1:0] data_i,
  /// What was taken last.
  output logic [Width-1:0] data_o
);

  logic [Width-1:0] data_q;

  assign data_o = data_q;

  if (ClockGating) begin : gen_gated
    logic clk;
    sare_clock_gate u_gate (.clk_i, .enable_i(load_i), .clk_o(clk));
    always_ff @(posedge clk) data_q <= data_i;
  end else begin : gen_enabled
    always_ff @(posedge clk_i) begin
      if (load_i) data_q <= data_i;
    end
  end

endmodule
