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
  /// Requests.
  input  logic [Inputs-1:0] req_i,
  /// The one picked is served; only then does it go to the end of the order.
  input  logic              served_i,
  /// The pick, one bit, if there is a request.
  output logic [Inputs-1:0] pick_o
);

  // Row i has a bit for each j > i: i goes before j. The other bits stay 0.
  logic [Inputs*Inputs-1:0] before_q, before_d, initial_order;
  logic [Inputs-1:0]        by_lower, by_higher;  // beaten by a lower, a higher number

  sare_onehot_mux #(.Inputs(Inputs), .Width(Inputs)) u_by_lower (
    .sel_i(req_i), .data_i(before_q), .data_o(by_lower)
  );
  always_comb begin
    for (int i = 0; i < Inputs; i++) begin
      initial_order[i*Inputs +: Inputs] = {Inputs{1'b1}} << (i + 1);
      by_higher[i] = (req_i & initial_order[i*Inputs +: Inputs] & ~before_q[i*Inputs +: Inputs]) != '0;
    end
  end
  assign pick_o = req_i & ~by_lower & ~by_higher;

  always_comb begin
    for (int i = 0; i < Inputs; i++) begin
      before_d[i*Inputs +: Inputs] =
          pick_o[i] ? '0 : before_q[i*Inputs +: Inputs] | (pick_o & initial_order[i*Inputs +: Inputs]);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) before_q <= initial_order;
    else if (served_i) before_q <= before_d;
  end

endmodule
