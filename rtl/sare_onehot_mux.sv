// SPDX-License-Identifier: Apache-2.0

/// AND-OR multiplexer: the selected input, or 0 if none is; of several, all their bits. The ORs are a tree.
module sare_onehot_mux #(
  /// Inputs, from 1.
  parameter int unsigned Inputs = 2,
  /// Bits of each, from 1.
  parameter int unsigned Width = 1
) (
  /// Which one.
  input  logic [Inputs-1:0]       sel_i,
  /// All inputs.
  input  logic [Inputs*Width-1:0] data_i,
  /// The selected one.
  output logic [Width-1:0]        data_o
);

  /// The OR of all: neighbours are joined until one is left.
  function automatic [Width-1:0] join_all(input [Inputs*Width-1:0] selected);
    logic [Inputs*Width-1:0] left;
    left = selected;
    for (int span = 1; span < Inputs; span *= 2) begin
      for (int i = 0; i + span < Inputs; i += 2 * span) left[i*Width +: Width] |= left[(i+span)*Width +: Width];
    end
    join_all = left[Width-1:0];
  endfunction

  logic [Inputs*Width-1:0] selected;

  for (genvar i = 0; i < Inputs; i++) begin : gen_input
    assign selected[i*Width +: Width] = data_i[i*Width +: Width] & {Width{sel_i[i]}};
  end
  assign data_o = join_all(selected);

endmodule
