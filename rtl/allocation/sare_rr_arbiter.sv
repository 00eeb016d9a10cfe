// SPDX-License-Identifier: Apache-2.0

/// Round robin: the first requester after the one served last, going round.
module sare_rr_arbiter #(
  /// Requesters, from 2.
  parameter int unsigned Inputs = 4,
  /// Taken as served last after reset; the highest makes number 0 the first.
  parameter int unsigned ServedAtReset = Inputs - 1
) (
  /// Clock.
  input  logic              clk_i,
  /// Asynchronous reset, active low.
  input  logic              rst_ni,
  /// Requests.
  input  logic [Inputs-1:0] req_i,
  /// The one picked is served; only then does the turn move on.
  input  logic              served_i,
  /// The pick, one bit, if there is a request.
  output logic [Inputs-1:0] pick_o
);

  logic [Inputs-1:0] above_q, after;  // numbers after the one served last; after the pick

  sare_rr_pick #(.Inputs(Inputs)) u_pick (.req_i, .above_i(above_q), .pick_o, .after_o(after));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_q <= ~(((Inputs)'(2) << ServedAtReset) - 1'b1);
    else if (served_i) above_q <= after;
  end

endmodule
