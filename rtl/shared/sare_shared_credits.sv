// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// Free places in a buffer at the other end of a link whose VCs share it, as the sender counts them. Each VC has some for
/// itself; a flit that finds none of these left takes one of the pool. At first, all are free.
module sare_shared_credits #(
  /// Virtual channels, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// Places that each VC has for itself, 0 to 255.
  parameter int unsigned Reserved = 1,
  /// Places that all VCs share, 1 to 65535.
  parameter int unsigned Pool = 12
) (
  /// Clock.
  input  logic           clk_i,
  /// Asynchronous reset, active low.
  input  logic           rst_ni,
  /// By VC: a credit has come back; it counts in this cycle already.
  input  logic [Vcs-1:0] credit_i,
  /// By VC: a flit is sent there; at most one bit.
  input  logic [Vcs-1:0] spend_i,
  /// By VC: there is a place, with the credits that come in and without the flit that goes out.
  output logic [Vcs-1:0] any_o
);

  localparam int unsigned HeldWidth = $clog2(Reserved + Pool + 1);
  localparam int unsigned PoolWidth = $clog2(Pool + 1);

  logic [PoolWidth-1:0] left_q, left;  // places of the pool: left_q, and with the credits that come in
  logic                 any_left_q;    // left_q is not 0
  logic [Vcs-1:0]       own_q, over_q;  // VCs with a place of their own; with places of the pool
  logic [Vcs-1:0]       back, needs;    // a credit is for the pool; a flit would take a place of the pool
  logic                 takes;

  assign back  = credit_i & over_q;
  assign needs = back | ~(credit_i | own_q);
  assign any_o = own_q | credit_i | {Vcs{any_left_q | (back != '0)}};
  assign takes = (spend_i & needs) != '0;

  always_comb begin
    left = left_q;
    for (int v = 0; v < Vcs; v++) left += PoolWidth'(back[v]);
  end

  // spend_i comes last of all: what follows from it waits ready made.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q     <= PoolWidth'(Pool);
      any_left_q <= 1'b1;
    end else begin
      left_q     <= takes ? left - 1'b1 : left;
      any_left_q <= left != PoolWidth'(takes);
    end
  end

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [HeldWidth-1:0] held_q;  // flits whose credit is to come

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        held_q    <= '0;
        own_q[v]  <= Reserved != 0;
        over_q[v] <= 1'b0;
      end else if (credit_i[v] != spend_i[v]) begin
        held_q    <= credit_i[v] ? held_q - 1'b1 : held_q + 1'b1;
        own_q[v]  <= credit_i[v] ? 32'(held_q) <= Reserved : 32'(held_q) + 2 <= Reserved;
        over_q[v] <= credit_i[v] ? over_q[v] && 32'(held_q) != Reserved + 1 : 32'(held_q) + 1 > Reserved;
      end
    end

    `SARE_ASSERT(no_credit_overflow, !(credit_i[v] && held_q == '0))
  end

  `SARE_ASSERT(no_credit_underflow, (spend_i & ~any_o) == '0)
  `SARE_ASSERT(one_is_sent, (spend_i & (spend_i - 1'b1)) == '0)
  `SARE_ASSERT(pool_is_bounded, 32'(left) <= Pool)

endmodule
