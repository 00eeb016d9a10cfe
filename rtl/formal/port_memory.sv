// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// The memory of an input port, with the FIFOs' places of its VCs: an arbitrary flit comes out in the cycle after it left,
/// as it came in. No word is read in the cycle in which it is written (an assertion within).
module port_memory #(
  parameter int unsigned Vcs = 2,
  parameter int unsigned Depth = 3,
  localparam int unsigned Width = 2,
  localparam int unsigned VcWidth = sare_pkg::idx_width(Vcs),
  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Depth)
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

  logic [Vcs-1:0]            push, pop;
  logic [Vcs*PlaceWidth-1:0] read_place, write_place;
  logic [Vcs*8-1:0]          held;
  logic                      valid;
  logic [Width-1:0]          data;

  assign push = (Vcs)'(valid_i) << vc_i;
  assign pop  = (Vcs)'(leave_i) << leave_vc_i;

  sare_port_memory #(.Vcs(Vcs), .Depth(Depth), .Width(Width)) u_dut (
    .clk_i, .rst_ni, .push_i(push), .write_place_i(write_place), .data_i, .pop_i(pop), .read_place_i(read_place),
    .valid_o(valid), .data_o(data)
  );

  // The places, as sare_vc_buffer has them (proved there).
  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [PlaceWidth-1:0] read_q, write_q;
    logic [7:0]            held_q;
    assign read_place[v*PlaceWidth +: PlaceWidth]  = read_q;
    assign write_place[v*PlaceWidth +: PlaceWidth] = write_q;
    assign held[v*8 +: 8]                          = held_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        read_q  <= '0;
        write_q <= '0;
        held_q  <= '0;
      end else begin
        if (pop[v]) read_q <= 32'(read_q) == Depth - 1 ? '0 : read_q + 1'b1;
        if (push[v]) write_q <= 32'(write_q) == Depth - 1 ? '0 : write_q + 1'b1;
        held_q <= held_q + 8'(push[v]) - 8'(pop[v]);
      end
    end
    `SARE_ASSUME(sender_keeps_to_credits, !(push[v] && held_q == Depth))
    `SARE_ASSUME(pops_what_is_there, !(pop[v] && held_q == '0 && !push[v]))
  end

  // Reference: any flit of VC 0 (they are alike), how many of its VC are before it, and that it left in the last cycle.
  logic [7:0]       ahead_q;
  logic [Width-1:0] value_q;
  logic             followed_q, left_q, take, passes, leaves;

  assign take   = push[0] && follow_i && !followed_q;
  assign passes = take && pop[0] && held[7:0] == '0;
  assign leaves = followed_q && pop[0] && ahead_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      followed_q <= 1'b0;
      left_q     <= 1'b0;
    end else begin
      followed_q <= (followed_q | (take & ~passes)) & ~leaves;
      left_q     <= passes | leaves;
    end
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
  `SARE_ASSERT(comes_out_as_it_came, !left_q || (valid && data == value_q))
  `SARE_COVER(full, held[7:0] == Depth)
  `SARE_COVER(passed, passes)
  `SARE_COVER(last_left, leaves && held[7:0] == 8'd1)

endmodule
