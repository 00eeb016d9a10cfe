// SPDX-License-Identifier: Apache-2.0

/// The rules of a link of each kind of flow control, of which one is in use: for link_rules_test.
module links (
  input logic       clk, rst_n,
  input logic [2:0] which,  // credits, ready, on_off: one-hot
  input logic       valid, head, tail,
  input logic [1:0] vc,
  input logic [2:0] back
);
  sare_link_rules #(.Flow(0), .Vcs(3), .Places(2), .Longest(3)) credits (
    .valid(valid & which[0]), .back(back & {3{which[0]}}), .*);
  sare_link_rules #(.Flow(1), .Vcs(3)) ready (.valid(valid & which[1]), .*);
  sare_link_rules #(.Flow(2), .Vcs(3), .Reaction(2)) on_off (.valid(valid & which[2]), .*);
endmodule
