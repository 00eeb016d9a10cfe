// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// FIFO: no overflow nor underflow while the sender keeps to its credits; count right; an arbitrary entry is
/// followed: it leaves whole, after those that came before it and before all others. So none is lost, doubled
/// or overtaken.
module vc_buffer #(
  parameter int unsigned Width = 4,
  parameter int unsigned Depth = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             push_i,
  input logic [Width-1:0] data_i,
  input logic             pop_i,
  input logic             follow_i
);

  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Depth);
  localparam int unsigned CountWidth = $clog2(Depth + 1);

  logic             valid, stored_valid;
  logic [Width-1:0] data, stored;

  sare_vc_buffer #(.Width(Width), .Depth(Depth)) u_dut (
    .clk_i, .rst_ni, .push_i, .data_i, .pop_i, .skip_i('0), .valid_o(valid), .data_o(data), .stored_valid_o(stored_valid),
    .stored_o(stored)
  );

  // Reference: how many there are, how many of them before the one followed.
  logic [7:0]       held_q, ahead_q;
  logic             followed_q;
  logic [Width-1:0] value_q;
  logic             take, leaves;

  assign take   = push_i && follow_i && !followed_q && !(pop_i && held_q == '0);
  assign leaves = followed_q && pop_i && ahead_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q     <= '0;
      followed_q <= 1'b0;
    end else begin
      held_q     <= held_q + 8'(push_i) - 8'(pop_i);
      followed_q <= (followed_q | take) & ~leaves;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      ahead_q <= held_q - 8'(pop_i);
      value_q <= data_i;
    end else if (pop_i) begin
      ahead_q <= ahead_q - 1'b1;
    end
  end

  function automatic [7:0] wrap(input [7:0] place);
    wrap = place >= Depth ? place - 8'(Depth) : place;
  endfunction

  `SARE_RESET_FIRST
  `SARE_ASSUME(sender_keeps_to_credits, !(push_i && held_q == Depth))
  `SARE_ASSUME(pops_what_is_there, !(pop_i && held_q == '0 && !push_i))

  `SARE_ASSERT(valid_when_held, valid == (push_i || held_q != '0))
  `SARE_ASSERT(stored_when_held, stored_valid == (held_q != '0))
  `SARE_ASSERT(in_at_once, !(push_i && held_q == '0) || data == data_i)
  `SARE_ASSERT(out_in_turn, !(followed_q && ahead_q == '0) || (stored == value_q && data == value_q))
  `SARE_COVER(full, held_q == Depth)
  `SARE_COVER(followed_left, leaves && held_q == 8'd2)

  // Invariants of the state.
  `SARE_PEEK [PlaceWidth-1:0] \u_dut.read_q , \u_dut.write_q ;
  `SARE_PEEK [CountWidth-1:0] \u_dut.count_q ;
  `SARE_PEEK [Width-1:0] \u_dut.mem_q[0] , \u_dut.mem_q[1] , \u_dut.mem_q[2] , \u_dut.mem_q[3] ;
  `SARE_PEEK [Width-1:0] \u_dut.mem_q[4] , \u_dut.mem_q[5] , \u_dut.mem_q[6] , \u_dut.mem_q[7] ;
  logic [8*Width-1:0] words;
  logic [7:0]         place, last;

  assign words = {\u_dut.mem_q[7] , \u_dut.mem_q[6] , \u_dut.mem_q[5] , \u_dut.mem_q[4] ,
                  \u_dut.mem_q[3] , \u_dut.mem_q[2] , \u_dut.mem_q[1] , \u_dut.mem_q[0] };
  assign place = wrap(8'(\u_dut.read_q ) + ahead_q);
  assign last  = wrap(8'(\u_dut.read_q ) + held_q);
  `SARE_INVARIANT(count_right, \u_dut.count_q == held_q && held_q <= Depth)
  `SARE_INVARIANT(places_right, \u_dut.read_q < Depth && \u_dut.write_q == last)
  `SARE_INVARIANT(kept, !followed_q || (ahead_q < held_q && words[place*Width +: Width] == value_q))

endmodule
