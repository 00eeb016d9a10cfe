// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// Wavefront allocator of as many columns as rows: diagonal by diagonal, a request is granted if its row and its
/// column have nothing yet. The first diagonal moves on by one every cycle; in the first one after reset it is that of
/// row 0 and column 0. Grants are maximal: none could be added.
/// (Dally & Towles, section 19.4. The wave does not go round, which would be a combinational loop: requests are
/// turned so that the first diagonal is number 0, and the grants back.)
module sare_wavefront #(
  /// Rows, and columns, from 2.
  parameter int unsigned Size = 4
) (
  /// Clock.
  input  logic                 clk_i,
  /// Asynchronous reset, active low.
  input  logic                 rst_ni,
  /// [row * Size + column]
  input  logic [Size*Size-1:0] req_i,
  /// The same; at most one bit a row and one a column.
  output logic [Size*Size-1:0] gnt_o
);

  localparam int unsigned Width = sare_pkg::idx_width(Size);
  localparam int unsigned Bits = Size * Size;

  // [diagonal * Size + row]; row + column = diagonal, modulo Size.
  logic [Bits-1:0]  asked, turned, won, given;
  logic [Width-1:0] first_q;

  for (genvar i = 0; i < Size; i++) begin : gen_row
    for (genvar o = 0; o < Size; o++) begin : gen_column
      localparam int unsigned Place = ((i + o) % Size) * Size + i;
      assign asked[Place]      = req_i[i*Size + o];
      assign gnt_o[i*Size + o] = given[Place];
    end
  end

  always_comb begin
    turned = asked;
    for (int b = 0; b < Width; b++) begin
      if (first_q[b]) turned = (turned >> (Size << b)) | (turned << (Bits - (Size << b)));
    end
  end

  always_comb begin
    logic [Size-1:0] rows, columns;  // still without a grant; bit i: row i, and its column on this diagonal
    rows    = '1;
    columns = '1;
    for (int d = 0; d < Size; d++) begin
      logic [Size-1:0] asks;
      asks    = turned[d*Size +: Size];
      won[d*Size +: Size] = asks & rows & columns;
      {rows, columns} = {rows & ~(asks & columns), columns & ~(asks & rows)};
      columns = {columns[Size-2:0], columns[Size-1]};
    end
  end

  always_comb begin
    given = won;
    for (int b = 0; b < Width; b++) begin
      if (first_q[b]) given = (given << (Size << b)) | (given >> (Bits - (Size << b)));
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) first_q <= '0;
    else first_q <= first_q == Width'(Size - 1) ? '0 : first_q + 1'b1;
  end

  `SARE_ASSERT(no_grant_without_request, (gnt_o & ~req_i) == '0)
  `SARE_ASSERT(one_if_any, (gnt_o != '0) == (req_i != '0))

endmodule
