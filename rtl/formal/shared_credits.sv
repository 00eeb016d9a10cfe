// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// Credits of a buffer that VCs share: agree with a reference that counts the flits whose credits are out and nothing else.
/// There are never more of them than places, nor more than all can take beyond their own than there are in the pool.
module shared_credits #(
  parameter int unsigned Vcs = 2,
  parameter int unsigned Reserved = 1,
  parameter int unsigned Pool = 2
) (
  input logic           clk_i,
  input logic           rst_ni,
  input logic [Vcs-1:0] credit_i,
  input logic [Vcs-1:0] spend_i
);

  localparam int unsigned HeldWidth = $clog2(Reserved + Pool + 1);

  logic [Vcs-1:0]   any;
  logic [Vcs*8-1:0] out;  // by VC: flits sent whose credit has not come back
  logic [7:0]       all, beyond, beyond_now, free;  // of all VCs: flits; those beyond their own places, without credits that come in

  sare_shared_credits #(.Vcs(Vcs), .Reserved(Reserved), .Pool(Pool)) u_dut (
    .clk_i, .rst_ni, .credit_i, .spend_i, .any_o(any)
  );

  function automatic [7:0] over(input [7:0] flits);
    over = flits > Reserved ? flits - 8'(Reserved) : '0;
  endfunction

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [7:0] out_q;
    assign out[v*8 +: 8] = out_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) out_q <= '0;
      else out_q <= out_q + 8'(spend_i[v]) - 8'(credit_i[v]);
    end
    `SARE_ASSUME(credits_of_flits_sent, !(credit_i[v] && out_q == '0))
    `SARE_ASSERT(place_if_there_is_one, any[v] == (8'(out_q - 8'(credit_i[v])) < Reserved || free != '0))
    `SARE_COVER(all_beyond_its_own, out_q == Reserved + Pool)

  end
  always_comb begin
    all        = '0;
    beyond     = '0;
    beyond_now = '0;
    for (int v = 0; v < Vcs; v++) begin
      all += out[v*8 +: 8];
      beyond += over(out[v*8 +: 8]);
      beyond_now += over(out[v*8 +: 8] - 8'(credit_i[v]));
    end
  end
  assign free = 8'(Pool) - beyond_now;

  `SARE_RESET_FIRST
  `SARE_ASSUME(spends_what_is_there, (spend_i & ~any) == '0 && $countones(spend_i) <= 1)
  `SARE_ASSERT(never_more_than_places, all <= Vcs * Reserved + Pool)
  `SARE_ASSERT(pool_is_never_overdrawn, beyond <= Pool)

  // Invariants of the state.
  `SARE_PEEK [$clog2(Pool+1)-1:0] \u_dut.left_q ;
  `SARE_PEEK \u_dut.any_left_q ;
  `SARE_PEEK [Vcs-1:0] \u_dut.own_q , \u_dut.over_q ;
  `SARE_PEEK [HeldWidth-1:0] \u_dut.gen_vc[0].held_q , \u_dut.gen_vc[1].held_q ;
  logic [1:0] own, over_own;
  logic [7:0] first, second;
  assign own      = \u_dut.own_q ;
  assign over_own = \u_dut.over_q ;
  assign first    = 8'(\u_dut.gen_vc[0].held_q );
  assign second   = 8'(\u_dut.gen_vc[1].held_q );
  `SARE_INVARIANT(pool_counted, 8'(\u_dut.left_q ) + beyond == Pool && \u_dut.any_left_q == (beyond != Pool))
  `SARE_INVARIANT(flits_counted, {second, first} == out)
  `SARE_INVARIANT(flags, own == {second < Reserved, first < Reserved} && over_own == {second > Reserved, first > Reserved})
  `SARE_COVER(full, all == Vcs * Reserved + Pool)
  `SARE_COVER(spent_as_it_comes, (spend_i & credit_i) != '0 && beyond == Pool)

endmodule
