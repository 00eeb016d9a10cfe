// SPDX-License-Identifier: Apache-2.0

/// The pick of a round robin: the first request above a number, or if there is none there, the first of all.
module sare_rr_pick #(
  /// Requesters, from 1.
  parameter int unsigned Inputs = 4
) (
  /// Requests.
  input  logic [Inputs-1:0] req_i,
  /// Bits of the numbers that come first.
  input  logic [Inputs-1:0] above_i,
  /// The pick, one bit, if there is a request.
  output logic [Inputs-1:0] pick_o,
  /// Bits of the numbers above it.
  output logic [Inputs-1:0] after_o
);

  logic [Inputs-1:0] above;                   // requests that come first
  logic [Inputs:0]   after_above, after_all;  // bits after the first of above, of all; highest bit: there is a first one

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

  assign above       = req_i & above_i;
  assign after_above = after_first(above);
  assign after_all   = after_first(req_i);
  assign after_o     = after_above[Inputs] ? after_above[Inputs-1:0] : after_all[Inputs-1:0];
  assign pick_o      = (after_above[Inputs] ? above : req_i) & ~after_o;

endmodule
