// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// The transactions of one direction, reads or writes, that a manager waits for, and whether one more may go
/// without getting out of order. The network may overtake: then one of an ID waits until the one before it is
/// done. Where the network keeps order, it waits only for those of its ID that have another key (another
/// subordinate, another class).
module sare_axi_order #(
  /// Transactions at once, from 1.
  parameter int unsigned Slots = 8,
  /// The same of one ID (KeepsOrder).
  parameter int unsigned PerId = 8,
  /// Bits of an ID.
  parameter int unsigned IdWidth = 4,
  /// Bits of a key.
  parameter int unsigned KeyWidth = 4,
  /// What has the same source and key stays in order on its way there and back.
  parameter bit KeepsOrder = 0
) (
  /// Clock.
  input  logic                clk_i,
  /// Asynchronous reset, active low.
  input  logic                rst_ni,
  /// May one of this ID go
  input  logic [IdWidth-1:0]  id_i,
  /// with this key?
  input  logic [KeyWidth-1:0] key_i,
  /// Yes.
  output logic                may_o,
  /// It goes.
  input  logic                take_i,
  /// One is done,
  input  logic                done_i,
  /// of this ID.
  input  logic [IdWidth-1:0]  done_id_i
);

  localparam int unsigned CountWidth = $clog2(Slots + 1);

  logic [Slots-1:0]      valid_q, same, other, ending, free_one, end_one;
  logic [CountWidth-1:0] count;

  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    logic [IdWidth-1:0]  id_q;
    logic [KeyWidth-1:0] key_q;
    always_ff @(posedge clk_i) begin
      if (take_i && free_one[s]) begin
        id_q  <= id_i;
        key_q <= key_i;
      end
    end
    assign same[s]   = valid_q[s] & id_q == id_i;
    assign other[s]  = same[s] & (!KeepsOrder || key_q != key_i);
    assign ending[s] = valid_q[s] & id_q == done_id_i;
  end

  always_comb begin
    count = '0;
    for (int s = 0; s < Slots; s++) count += CountWidth'(same[s]);
  end

  // Those of an ID that are open at once are alike, so any may be the one that is done: the lowest.
  assign free_one = ~valid_q & (valid_q + 1'b1);
  assign end_one  = ending & (~ending + 1'b1);
  assign may_o    = valid_q != '1 && other == '0 && 32'(count) < PerId;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= (valid_q | (take_i ? free_one : '0)) & ~(done_i ? end_one : '0);
  end

  `SARE_ASSERT(taken_when_it_may, !(take_i && !may_o))
  `SARE_ASSERT(done_is_open, !(done_i && ending == '0))

endmodule
