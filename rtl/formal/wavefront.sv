// SPDX-License-Identifier: Apache-2.0
`include "sare_formal.svh"

/// Wavefront: at most one grant a row and one a column, only what was asked for, and no request that could be granted
/// as well is left; a request on the first diagonal always is granted, and the first diagonal moves on by one each cycle.
module wavefront #(
  parameter int unsigned Size = 4,
  localparam int unsigned Width = sare_pkg::idx_width(Size)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [Size*Size-1:0] req_i
);

  logic [Size*Size-1:0] gnt;

  sare_wavefront #(.Size(Size)) u_dut (.clk_i, .rst_ni, .req_i, .gnt_o(gnt));

  // Reference: cycles since reset.
  logic [Width-1:0] first_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) first_q <= '0;
    else first_q <= 32'(first_q) + 1 == Size ? '0 : first_q + 1'b1;
  end

  `SARE_RESET_FIRST
  `SARE_ASSERT(who_asks, (gnt & ~req_i) == '0)
  `SARE_COVER(all_at_once, $countones(gnt) == Size && first_q == '0)

  for (genvar i = 0; i < Size; i++) begin : gen_line
    logic [Size-1:0] column;
    for (genvar k = 0; k < Size; k++) begin : gen_row
      assign column[k] = gnt[k*Size + i];
    end
    `SARE_ASSERT(one_a_row, $countones(gnt[i*Size +: Size]) <= 1)
    `SARE_ASSERT(one_a_column, $countones(column) <= 1)
    for (genvar o = 0; o < Size; o++) begin : gen_request
      logic [Size-1:0] others;  // grants of column o
      for (genvar k = 0; k < Size; k++) begin : gen_row
        assign others[k] = gnt[k*Size + o];
      end
      `SARE_ASSERT(maximal, !req_i[i*Size + o] || gnt[i*Size +: Size] != '0 || others != '0)
      `SARE_ASSERT(first_diagonal_wins, !req_i[i*Size + o] || 32'(first_q) != (i + o) % Size || gnt[i*Size + o])
    end
  end

  // Invariant of the state.
  `SARE_PEEK [Width-1:0] \u_dut.first_q ;
  logic [Width-1:0] first;
  assign first = \u_dut.first_q ;
  `SARE_INVARIANT(counts_along, first == first_q && 32'(first) < Size)

endmodule
