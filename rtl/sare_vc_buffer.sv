// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// The FIFO of one virtual channel. What comes in to an empty one is at its front at once. With Skips entries behind the
/// front can be read before it leaves.
module sare_vc_buffer #(
  /// Bits of an entry, from 1.
  parameter int unsigned Width = 32,
  /// Entries, 2 to 64.
  parameter int unsigned Depth = 4,
  /// 1: an entry gets a clock only when it is written, 0: it has an enable.
  parameter bit ClockGating = 0,
  /// skip_i has a meaning.
  parameter bit Skips = 0,
  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Depth),
  localparam int unsigned CountWidth = $clog2(Depth + 1)
) (
  /// Clock.
  input  logic                   clk_i,
  /// Asynchronous reset, active low.
  input  logic                   rst_ni,
  /// An entry comes in; the sender knows by its credits that there is room.
  input  logic                   push_i,
  /// That entry.
  input  logic [Width-1:0]       data_i,
  /// The front leaves.
  input  logic                   pop_i,
  /// Skips: which entry is read, counted from the front: 0 to the number stored, which is what comes in.
  input  logic [CountWidth-1:0]  skip_i,
  /// There is a front.
  output logic                   valid_o,
  /// What is read, without Skips the front: from memory, or just coming in.
  output logic [Width-1:0]       data_o,
  /// There is a front in memory.
  output logic                   stored_valid_o,
  /// The front in memory: does not depend on data_i.
  output logic [Width-1:0]       stored_o,
  /// Entries in memory.
  output logic [CountWidth-1:0]  count_o,
  /// The place of what is read, from 0,
  output logic [PlaceWidth-1:0]  read_place_o,
  /// and that of what comes in.
  output logic [PlaceWidth-1:0]  write_place_o
);

  localparam bit [PlaceWidth-1:0] Last = PlaceWidth'(Depth - 1);

  logic [Width-1:0]      mem_q [Depth];
  logic [PlaceWidth-1:0] read_q, write_q;
  logic [CountWidth-1:0] count_q;

  assign write_place_o  = write_q;
  assign stored_valid_o = count_q != '0;
  assign stored_o       = mem_q[read_q];
  assign valid_o        = stored_valid_o | push_i;
  assign count_o        = count_q;

  if (Skips) begin : gen_any
    logic [PlaceWidth:0] at;
    assign at           = (PlaceWidth+1)'(read_q) + (PlaceWidth+1)'(skip_i);
    assign read_place_o = PlaceWidth'(at > (PlaceWidth+1)'(Last) ? at - (PlaceWidth+1)'(Depth) : at);
    assign data_o       = skip_i == count_q ? data_i : mem_q[read_place_o];
  end else begin : gen_front
    logic unused;
    assign unused       = ^skip_i;
    assign read_place_o = read_q;
    assign data_o       = stored_valid_o ? stored_o : data_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      if (pop_i) read_q <= read_q == Last ? '0 : read_q + 1'b1;
      if (push_i) write_q <= write_q == Last ? '0 : write_q + 1'b1;
      // pop_i comes last of all: the number waits for it ready made.
      if (push_i != pop_i) count_q <= push_i ? count_q + 1'b1 : count_q - 1'b1;
    end
  end

  if (ClockGating) begin : gen_gated
    for (genvar k = 0; k < Depth; k++) begin : gen_entry
      sare_load_register #(.Width(Width), .ClockGating(1)) u_word (
        .clk_i, .load_i(push_i && write_q == PlaceWidth'(k)), .data_i, .data_o(mem_q[k])
      );
    end
  end else begin : gen_enabled
    always_ff @(posedge clk_i) begin
      if (push_i) mem_q[write_q] <= data_i;
    end
  end

  // A place is the sender's again only when its credit is back, so a full buffer gets nothing even when
  // something leaves.
  `SARE_ASSERT(no_overflow, !(push_i && count_q == CountWidth'(Depth)))
  `SARE_ASSERT(no_underflow, !(pop_i && !valid_o))

endmodule
