// SPDX-License-Identifier: Apache-2.0

/// AND-OR multiplexer: the selected input, or 0 if none is.
module sare_onehot_mux #(
  /// Inputs, from 1.
  parameter int unsigned Inputs = 2,
  /// Bits of each, from 1.
  parameter int unsigned Width = 1
) (
  /// Which one; at most one bit is set.
  input  logic [Inputs-1:0]       sel_i,
  /// All inputs.
  input  logic [Inputs*Width-1:0] data_i,
  /// The selected one.
  output logic [Width-1:0]        data_o
);

  always_comb begin
    data_o = '0;
    for (int i = 0; i < Inputs; i++) data_o |= data_i[i*Width +: Width] & {Width{sel_i[i]}};
  end

endmodule
