// SPDX-License-Identifier: Apache-2.0

/// Matrix arbiter: the requester served longest ago; at first the lowest number.
module sare_matrix_arbiter #(
  /// Requesters, from 2.
  parameter int unsigned Inputs = 4
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// Who asks.
  input  logic [Inputs-1:0] req_i,
  /// The one picked is served; only then does it go to the end of the order.
  input  logic              served_i,
  /// The pick, one bit, if anybody asks.
  output logic [Inputs-1:0] pick_o
);

  // One bit for each pair i < j, pairs of i in a row: i goes before j.
  localparam int unsigned Pairs = Inputs * (Inputs - 1) / 2;

  logic [Pairs-1:0]  before_q, before_d;
  logic [Inputs-1:0] beaten;

  always_comb begin
    beaten = '0;
    for (int i = 0; i < Inputs - 1; i++) begin
      for (int j = i + 1; j < Inputs; j++) begin
        beaten[i] |= req_i[j] & ~before_q[i*(2*Inputs-i-1)/2 + j-i-1];
        beaten[j] |= req_i[i] & before_q[i*(2*Inputs-i-1)/2 + j-i-1];
      end
    end
  end
  assign pick_o = req_i & ~beaten;

  always_comb begin
    before_d = before_q;
    for (int i = 0; i < Inputs - 1; i++) begin
      for (int j = i + 1; j < Inputs; j++) begin
        if (pick_o[i]) before_d[i*(2*Inputs-i-1)/2 + j-i-1] = 1'b0;
        if (pick_o[j]) before_d[i*(2*Inputs-i-1)/2 + j-i-1] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) before_q <= '1;
    else if (served_i) before_q <= before_d;
  end

endmodule
