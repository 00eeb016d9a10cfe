// SPDX-License-Identifier: Apache-2.0

/// Crossbar: each output gets the input that is selected for it.
module sare_crossbar #(
  /// Inputs and outputs, from 2.
  parameter int unsigned Ports = 5,
  /// Bits of each, from 1.
  parameter int unsigned Width = 64
) (
  /// [output * Ports + input]; at most one bit for each output.
  input  logic [Ports*Ports-1:0] sel_i,
  /// By input.
  input  logic [Ports*Width-1:0] data_i,
  /// By output; 0 where nothing is selected.
  output logic [Ports*Width-1:0] data_o
);

  for (genvar y = 0; y < Ports; y++) begin : gen_output
    sare_onehot_mux #(.Inputs(Ports), .Width(Width)) u_mux (
      .sel_i(sel_i[y*Ports +: Ports]), .data_i, .data_o(data_o[y*Width +: Width])
    );
  end

endmodule
