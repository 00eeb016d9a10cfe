// SPDX-License-Identifier: Apache-2.0

/// A row of registers: of a link, of a pipeline stage, of a credit's way. Only `valid` is reset.
module sare_link_register #(
  /// Registers one after the other, from 0 (a wire).
  parameter int unsigned Stages = 1,
  /// Bits of the data, from 1.
  parameter int unsigned Width = 1,
  /// 1: the data have a gated clock, 0: an enable.
  parameter bit ClockGating = 0
) (
  /// Clock.
  input  logic             clk_i,
  /// Asynchronous reset, active low.
  input  logic             rst_ni,
  /// There is something to pass on.
  input  logic             valid_i,
  /// What.
  input  logic [Width-1:0] data_i,
  /// Stages cycles later.
  output logic             valid_o,
  /// Means nothing unless valid_o.
  output logic [Width-1:0] data_o
);

  if (Stages == 0) begin : gen_wire
    logic unused;
    assign unused  = ^{clk_i, rst_ni};
    assign valid_o = valid_i;
    assign data_o  = data_i;
  end else begin : gen_registers
    logic [Stages:0]           valid;
    logic [(Stages+1)*Width-1:0] data;

    assign valid[0]         = valid_i;
    assign data[Width-1:0]  = data_i;
    assign valid_o          = valid[Stages];
    assign data_o           = data[Stages*Width +: Width];

    for (genvar k = 0; k < Stages; k++) begin : gen_stage
      logic             valid_q;
      logic [Width-1:0] data_q;  // of u_data

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) valid_q <= 1'b0;
        else valid_q <= valid[k];
      end
      sare_load_register #(.Width(Width), .ClockGating(ClockGating)) u_data (
        .clk_i, .load_i(valid[k]), .data_i(data[k*Width +: Width]), .data_o(data_q)
      );
      assign valid[k+1]                  = valid_q;
      assign data[(k+1)*Width +: Width]  = data_q;
    end
  end

endmodule
