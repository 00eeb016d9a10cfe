// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// VC allocator of a router in which packets fork, separable, input first: an input VC (row) picks a VC of each output
/// port that a branch of its packet asks for, an output VC (column) one of the rows that picked it. The picks of a row
/// take turns together. Synchronous: a row gets all that it picked or nothing.
module sare_fork_vc_allocator #(
  /// Ports of the router, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Virtual channels a port, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// sare_pkg::Asynchronous or Synchronous.
  parameter int unsigned Forking = sare_pkg::Asynchronous,
  localparam int unsigned Rows = Ports * Vcs
) (
  /// Clock.
  input  logic                 clk_i,
  /// Asynchronous reset, active low.
  input  logic                 rst_ni,
  /// Synchronous: input ports that come first in this cycle.
  input  logic [Ports-1:0]     first_i,
  /// Output VCs that each input VC asks for; free ones only.
  input  logic [Rows*Rows-1:0] req_i,
  /// Those that each input VC gets, at most one a port.
  output logic [Rows*Rows-1:0] gnt_o,
  /// Output VCs given away.
  output logic [Rows-1:0]      taken_o
);

  logic [Rows*Rows-1:0] row_pick, offer;  // by input VC
  logic [Rows-1:0]      several, first;   // by input VC

  for (genvar i = 0; i < Rows; i++) begin : gen_row
    logic [Vcs-1:0]       above_q, above;  // VCs after the one got last
    logic [Ports*Vcs-1:0] after;
    logic [Ports-1:0]     asks;

    for (genvar p = 0; p < Ports; p++) begin : gen_port
      sare_rr_pick #(.Inputs(Vcs)) u_pick (
        .req_i(req_i[i*Rows + p*Vcs +: Vcs]), .above_i(above_q), .pick_o(row_pick[i*Rows + p*Vcs +: Vcs]),
        .after_o(after[p*Vcs +: Vcs])
      );
      assign asks[p] = req_i[i*Rows + p*Vcs +: Vcs] != '0;
    end
    always_comb begin
      above = above_q;
      for (int p = 0; p < Ports; p++) begin
        if (gnt_o[i*Rows + p*Vcs +: Vcs] != '0) above = after[p*Vcs +: Vcs];
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) above_q <= '0;
      else above_q <= above;
    end
    assign several[i] = (asks & (asks - 1'b1)) != '0;
    assign first[i]   = first_i[i / Vcs];
    assign gnt_o[i*Rows +: Rows] = Forking == sare_pkg::Synchronous && offer[i*Rows +: Rows] != row_pick[i*Rows +: Rows]
                                   ? '0 : offer[i*Rows +: Rows];
  end

  for (genvar o = 0; o < Rows; o++) begin : gen_column
    logic [Rows-1:0] column_req, column_pick, column_gnt;
    for (genvar i = 0; i < Rows; i++) begin : gen_transpose
      assign column_req[i]     = row_pick[i*Rows + o];
      assign column_gnt[i]     = gnt_o[i*Rows + o];
      assign offer[i*Rows + o] = column_pick[i];
    end
    assign taken_o[o] = column_gnt != '0;
    sare_fork_arbiter #(.Inputs(Rows), .Forking(Forking)) u_arbiter (
      .clk_i, .rst_ni, .req_i(column_req), .several_i(several), .first_i(first), .served_i(taken_o[o]),
      .pick_o(column_pick)
    );
  end

  `SARE_ASSERT(no_grant_without_request, (gnt_o & ~req_i) == '0)
  `SARE_ASSERT(as_many_taken_as_given, $countones(gnt_o) == $countones(taken_o))

endmodule
