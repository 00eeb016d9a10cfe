// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// Invariant of a matrix arbiter's state: bits (i, j), i < j, describe an order, so there is no cycle; the others
/// are 0.
module total_order #(
  parameter int unsigned Inputs = 4
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [Inputs*Inputs-1:0] before_i
);

  logic no_order;

  always_comb begin
    no_order = 1'b0;
    for (int i = 0; i < Inputs; i++) begin
      for (int j = 0; j <= i; j++) if (before_i[i*Inputs+j]) no_order = 1'b1;
      for (int j = i + 1; j < Inputs; j++) begin
        for (int k = j + 1; k < Inputs; k++) begin
          if (before_i[i*Inputs+j] == before_i[j*Inputs+k] && before_i[i*Inputs+k] != before_i[i*Inputs+j]) no_order = 1'b1;
        end
      end
    end
  end
  `SARE_INVARIANT(is_order, !no_order)

endmodule
