// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// A link of one VC: credit counter, flits on their way, buffer, credits on their way back. The sender looks at its
/// credits alone, the receiver takes what it likes; places are conserved, the buffer never overflows and no flit is
/// lost on the way.
module link #(
  parameter int unsigned Depth = 4,
  parameter int unsigned FlitStages = 1,
  parameter int unsigned CreditStages = 2,
  localparam int unsigned Width = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             wants_i,
  input logic [Width-1:0] data_i,
  input logic             takes_i
);

  logic [7:0]       credits;
  logic             any, all, spend, flit_valid, pop, valid, stored_valid, credit, unused;
  logic [Width-1:0] flit, front, stored;

  assign spend = wants_i && any;
  assign pop   = takes_i && valid;

  sare_credit_counter #(.Depth(Depth)) u_credits (
    .clk_i, .rst_ni, .credit_i(credit), .spend_i(spend), .credits_o(credits), .any_o(any), .all_o(all)
  );
  sare_link_register #(.Stages(FlitStages), .Width(Width)) u_flits (
    .clk_i, .rst_ni, .valid_i(spend), .data_i, .valid_o(flit_valid), .data_o(flit)
  );
  sare_vc_buffer #(.Width(Width), .Depth(Depth)) u_buffer (
    .clk_i, .rst_ni, .push_i(flit_valid), .data_i(flit), .pop_i(pop), .skip_i('0), .valid_o(valid), .data_o(front),
    .stored_valid_o(stored_valid), .stored_o(stored)
  );
  sare_link_register #(.Stages(CreditStages), .Width(1)) u_credits_back (
    .clk_i, .rst_ni, .valid_i(pop), .data_i(1'b0), .valid_o(credit), .data_o(unused)
  );

  // Reference: flits sent and not taken yet; credits on their way back.
  logic [7:0] sent_q, freed_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sent_q  <= '0;
      freed_q <= '0;
    end else begin
      sent_q  <= sent_q + 8'(spend) - 8'(pop);
      freed_q <= freed_q + 8'(pop) - 8'(credit);
    end
  end

  `SARE_RESET_FIRST
  `SARE_ASSERT(places_conserved, credits + sent_q + freed_q - 8'(credit) == 8'(Depth))
  `SARE_ASSERT(all_free, all == (sent_q + freed_q == 8'(credit)))
  `SARE_COVER(no_credit_left, credits == '0 && sent_q == Depth)
  `SARE_COVER(all_back, all && credit)

  // Invariants of the state: what is on the way is counted.
  `SARE_PEEK [$clog2(Depth+1)-1:0] \u_buffer.count_q , \u_credits.credits_q ;
  `SARE_PEEK \u_credits.any_q ;
  `SARE_INVARIANT(any_of_them, \u_credits.any_q == (\u_credits.credits_q != '0))
  `SARE_PEEK [$clog2(Depth)-1:0] \u_buffer.read_q , \u_buffer.write_q ;
  `SARE_PEEK [FlitStages:0] \u_flits.gen_registers.valid ;
  `SARE_PEEK [CreditStages:0] \u_credits_back.gen_registers.valid ;
  logic [7:0] held, places, flits, backs;
  assign held   = 8'(\u_buffer.count_q );
  assign places = 8'(\u_credits.credits_q );
  assign flits  = $countones(\u_flits.gen_registers.valid >> 1);
  assign backs  = $countones(\u_credits_back.gen_registers.valid >> 1);
  `SARE_INVARIANT(counted, sent_q == held + flits && freed_q == backs && places + sent_q + freed_q == Depth)
  `SARE_INVARIANT(in_range, sent_q <= Depth && freed_q <= Depth && held <= Depth && places <= Depth)

endmodule
