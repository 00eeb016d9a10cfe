// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// The memory of an input port: one flit comes in a cycle and one leaves, so all its VCs share one, Depth words each, or,
/// if Shared, any of Vcs * Depth. Which place is whose front the buffers know. A flit that leaves in the cycle in which it comes in goes past it.
module sare_port_memory #(
  /// Virtual channels, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// Flits in the buffer of a VC, 2 to 64.
  parameter int unsigned Depth = 8,
  /// Bits of what is kept of a flit, from 1.
  parameter int unsigned Width = 64,
  /// See sare_load_register.
  parameter bit ClockGating = 0,
  /// Places are those of sare_shared_buffer.
  parameter bit Shared = 0,
  /// A flit may be read several times: what goes past the memory is written, too.
  parameter bit Forks = 0,
  localparam int unsigned PlaceWidth = sare_pkg::idx_width(Shared ? Vcs * Depth : Depth)
) (
  /// Clock.
  input  logic                      clk_i,
  /// Asynchronous reset, active low.
  input  logic                      rst_ni,
  /// A flit comes in on this VC; at most one bit.
  input  logic [Vcs-1:0]            push_i,
  /// By VC: where the next one goes.
  input  logic [Vcs*PlaceWidth-1:0] write_place_i,
  /// The flit.
  input  logic [Width-1:0]          data_i,
  /// The front of this VC leaves, or with Forks any flit of it; at most one bit.
  input  logic [Vcs-1:0]            pop_i,
  /// By VC: where that is.
  input  logic [Vcs*PlaceWidth-1:0] read_place_i,
  /// In the cycle before one left.
  output logic                      valid_o,
  /// That one.
  output logic [Width-1:0]          data_o
);

  localparam int unsigned Words = Vcs * Depth;
  localparam int unsigned AddressWidth = sare_pkg::idx_width(Words);
  localparam int unsigned Each = Shared ? 0 : Depth;  // words between the first ones of two VCs

  logic [AddressWidth-1:0] write_address, read_address;
  logic [Vcs-1:0]          passes;  // what comes in is the front
  logic                    pass, pass_q, valid_q;
  logic [Width-1:0]        passed, stored;

  always_comb begin
    write_address = '0;
    read_address  = '0;
    for (int v = 0; v < Vcs; v++) begin
      if (push_i[v]) write_address |= AddressWidth'(v * Each) + AddressWidth'(write_place_i[v*PlaceWidth +: PlaceWidth]);
      if (pop_i[v]) read_address |= AddressWidth'(v * Each) + AddressWidth'(read_place_i[v*PlaceWidth +: PlaceWidth]);
      passes[v] = push_i[v] & (write_place_i[v*PlaceWidth +: PlaceWidth] == read_place_i[v*PlaceWidth +: PlaceWidth]);
    end
  end
  assign pass = (pop_i & passes) != '0;

  sare_ram #(.Words(Words), .Width(Width)) u_ram (
    .clk_i, .write_i(push_i != '0 && (Forks || !pass)), .write_address_i(write_address), .data_i,
    .read_i(pop_i != '0 && !pass), .read_address_i(read_address), .data_o(stored)
  );
  sare_load_register #(.Width(Width), .ClockGating(ClockGating)) u_passed (
    .clk_i, .load_i(pass), .data_i, .data_o(passed)
  );
  assign data_o  = pass_q ? passed : stored;
  assign valid_o = valid_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      pass_q  <= 1'b0;
    end else begin
      valid_q <= pop_i != '0;
      pass_q  <= pass;
    end
  end

  // A macro may give anything then.
  `SARE_ASSERT(not_read_while_written, push_i == '0 || pop_i == '0 || pass || read_address != write_address)

endmodule
