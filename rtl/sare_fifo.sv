// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// A queue. What comes in is at its front in the next cycle at the earliest: no path from inputs to outputs.
module sare_fifo #(
  /// Bits of an entry, from 1.
  parameter int unsigned Width = 32,
  /// Entries, from 1.
  parameter int unsigned Depth = 4
) (
  /// Clock.
  input  logic             clk_i,
  /// Asynchronous reset, active low.
  input  logic             rst_ni,
  /// An entry comes in; only when there is room.
  input  logic             push_i,
  /// That entry.
  input  logic [Width-1:0] data_i,
  /// There is room.
  output logic             room_o,
  /// The front leaves; only when there is one.
  input  logic             pop_i,
  /// There is a front.
  output logic             valid_o,
  /// The front.
  output logic [Width-1:0] data_o
);

  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Depth);
  localparam int unsigned CountWidth = $clog2(Depth + 1);
  localparam bit [PlaceWidth-1:0] Last = PlaceWidth'(Depth - 1);

  logic [Width-1:0]      mem_q [Depth];
  logic [PlaceWidth-1:0] read_q, write_q;
  logic [CountWidth-1:0] count_q;

  assign valid_o = count_q != '0;
  assign room_o  = count_q != CountWidth'(Depth);
  assign data_o  = mem_q[read_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      if (pop_i) read_q <= read_q == Last ? '0 : read_q + 1'b1;
      if (push_i) write_q <= write_q == Last ? '0 : write_q + 1'b1;
      if (push_i != pop_i) count_q <= push_i ? count_q + 1'b1 : count_q - 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (push_i) mem_q[write_q] <= data_i;
  end

  `SARE_ASSERT(no_overflow, !(push_i && !room_o))
  `SARE_ASSERT(no_underflow, !(pop_i && !valid_o))

endmodule
