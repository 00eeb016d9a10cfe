// SPDX-License-Identifier: Apache-2.0

/// A memory with a port to write and a port to read, as macros are: what is read is there a cycle later, and stays
/// until the next read. Not reset. A word must not be read in the cycle in which it is written.
module sare_ram #(
  /// Words, from 2.
  parameter int unsigned Words = 16,
  /// Bits of each.
  parameter int unsigned Width = 32,
  localparam int unsigned AddressWidth = sare_pkg::idx_width(Words)
) (
  /// Clock.
  input  logic                    clk_i,
  /// Write
  input  logic                    write_i,
  /// to this word
  input  logic [AddressWidth-1:0] write_address_i,
  /// this.
  input  logic [Width-1:0]        data_i,
  /// Read
  input  logic                    read_i,
  /// this word.
  input  logic [AddressWidth-1:0] read_address_i,
  /// What was read last.
  output logic [Width-1:0]        data_o
);

  logic [Width-1:0] mem_q [Words];

  always_ff @(posedge clk_i) begin
    if (write_i) mem_q[write_address_i] <= data_i;
    if (read_i) data_o <= mem_q[read_address_i];
  end

endmodule
