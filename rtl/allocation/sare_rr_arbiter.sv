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

  logic [Inputs-1:0] above_q, above;          // requests after the one served last
  logic [Inputs:0]   after_above, after_all;  // bits after the first of above, of all; highest bit: there is a first one
  logic [Inputs-1:0] after;                   // bits after the pick

  /// Bit i: any bit below i is set. A tree of prefixes: as many ORs in a row as a number has bits.
  function automatic [Inputs:0] after_first(input [Inputs-1:0] bits);
    after_first = {bits, 1'b0};
    for (int span = 1; span < Inputs; span *= 2) begin
      for (int i = span; i < Inputs; i++) begin
        if ((i & span) != 0) after_first[i+1] |= after_first[i & ~(span - 1)];
      end
    end
  endfunction

  logic unused;
  assign unused = after_all[Inputs];

  assign above       = req_i & above_q;
  assign after_above = after_first(above);
  assign after_all   = after_first(req_i);
  assign after       = after_above[Inputs] ? after_above[Inputs-1:0] : after_all[Inputs-1:0];
  assign pick_o      = (after_above[Inputs] ? above : req_i) & ~after;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) above_q <= ~(((Inputs)'(2) << ServedAtReset) - 1'b1);
    else if (served_i) above_q <= after;
  end

endmodule
