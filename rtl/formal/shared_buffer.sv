// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// A buffer that VCs share, with a sender that sends while any place is free: an arbitrary flit comes out of its VC as it
/// came in, after those before it there. Places that are held are never more than there are (an assertion within).
module shared_buffer #(
  parameter int unsigned Vcs = 2,
  parameter int unsigned Places = 3,
  localparam int unsigned Width = 2,
  localparam int unsigned VcWidth = sare_pkg::idx_width(Vcs),
  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Places)
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               valid_i,
  input logic [VcWidth-1:0] vc_i,
  input logic [Width-1:0]   data_i,
  input logic               leave_i,
  input logic [VcWidth-1:0] leave_vc_i,
  input logic               follow_i
);

  logic [Vcs-1:0]            push, pop, stored_valid;
  logic [Vcs*Width-1:0]      stored;
  logic [Vcs*PlaceWidth-1:0] read_place;
  logic [PlaceWidth-1:0]     write_place;
  logic [Vcs*8-1:0]          held;
  logic [7:0]                all;

  assign push = (Vcs)'(valid_i) << vc_i;
  assign pop  = (Vcs)'(leave_i) << leave_vc_i;

  sare_shared_buffer #(.Vcs(Vcs), .Places(Places), .Width(Width)) u_dut (
    .clk_i, .rst_ni, .push_i(push), .data_i, .pop_i(pop), .stored_valid_o(stored_valid), .stored_o(stored),
    .read_place_o(read_place), .write_place_o(write_place)
  );

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [7:0] held_q;
    assign held[v*8 +: 8] = held_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) held_q <= '0;
      else held_q <= held_q + 8'(push[v]) - 8'(pop[v]);
    end
    `SARE_ASSUME(pops_what_is_there, !(pop[v] && held_q == '0 && !push[v]))
    `SARE_ASSERT(stored_if_held, stored_valid[v] == (held_q != '0))
    `SARE_ASSERT(read_where_it_is_written, held_q != '0 || read_place[v*PlaceWidth +: PlaceWidth] == write_place)
  end
  always_comb begin
    all = '0;
    for (int v = 0; v < Vcs; v++) all += held[v*8 +: 8];
  end
  `SARE_ASSUME(sender_keeps_to_places, !(valid_i && all == Places))

  // Reference: any flit of VC 0 (they are alike), and how many of its VC are before it.
  logic [7:0]       ahead_q;
  logic [Width-1:0] value_q;
  logic             followed_q, take, leaves;

  assign take   = push[0] && follow_i && !followed_q && !(pop[0] && held[7:0] == '0);
  assign leaves = followed_q && pop[0] && ahead_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) followed_q <= 1'b0;
    else followed_q <= (followed_q | take) & ~leaves;
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      ahead_q <= held[7:0] - 8'(pop[0]);
      value_q <= data_i;
    end else if (pop[0]) begin
      ahead_q <= ahead_q - 1'b1;
    end
  end

  `SARE_RESET_FIRST
  `SARE_ASSERT(at_the_front_as_it_came, !(followed_q && ahead_q == '0) || stored[Width-1:0] == value_q)
  `SARE_ASSERT(never_more_than_places, all <= Places)
  `SARE_COVER(one_has_all, held[7:0] == Places)
  `SARE_COVER(last_left, leaves && held[7:0] == 8'd1)

endmodule
