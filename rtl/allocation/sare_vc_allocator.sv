// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// VC allocator, separable: input VCs (rows) ask for VCs of one output port each, output VCs are the columns.
/// Input first: every row picks one of the VCs it asks for, every column one of the rows that picked it.
/// Output first: every column offers itself to one row that asks, every row takes one offer. An output VC is of one
/// message class, so arbiters by class are round robin here.
module sare_vc_allocator #(
  /// Ports of the router, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Virtual channels a port, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// sare_pkg::InputFirst or OutputFirst.
  parameter int unsigned Allocator = sare_pkg::InputFirst,
  /// sare_pkg::RoundRobin, Matrix, Priority or Weighted.
  parameter int unsigned Arbiter = sare_pkg::RoundRobin,
  localparam int unsigned Rows = Ports * Vcs
) (
  /// Clock.
  input  logic                  clk_i,
  /// Asynchronous reset, active low.
  input  logic                  rst_ni,
  /// VCs that each input VC asks for; free ones only.
  input  logic [Rows*Vcs-1:0]   req_i,
  /// Output port of each input VC, one bit.
  input  logic [Rows*Ports-1:0] port_i,
  /// The VC that each input VC gets.
  output logic [Rows*Vcs-1:0]   gnt_o,
  /// Output VCs given away.
  output logic [Rows-1:0]       taken_o
);

  localparam int unsigned Kind = Arbiter == sare_pkg::Matrix ? sare_pkg::Matrix : sare_pkg::RoundRobin;
  localparam bit OutputFirst = Allocator == sare_pkg::OutputFirst;

  logic [Rows*Vcs-1:0]   row_req, row_pick, offer, asked;  // by input VC, then VC of its port
  logic [Ports*Rows-1:0] to_port;                          // by output port, then input VC
  logic [Vcs*Rows-1:0]   asks, gets;                       // by VC of a port, then input VC

  assign row_req = OutputFirst ? offer : req_i;
  assign asked   = OutputFirst ? req_i : row_pick;
  assign gnt_o   = OutputFirst ? row_pick : offer;

  for (genvar i = 0; i < Rows; i++) begin : gen_row
    sare_arbiter #(.Inputs(Vcs), .Kind(Kind)) u_arbiter (
      .clk_i, .rst_ni, .req_i(row_req[i*Vcs +: Vcs]), .served_i(gnt_o[i*Vcs +: Vcs] != '0),
      .pick_o(row_pick[i*Vcs +: Vcs])
    );
    for (genvar p = 0; p < Ports; p++) begin : gen_port
      assign to_port[p*Rows + i] = port_i[i*Ports + p];
    end
  end

  for (genvar v = 0; v < Vcs; v++) begin : gen_vc
    logic [Ports*Rows-1:0] vc_picks;  // by output port, then input VC
    logic [Rows-1:0]       offered;   // a row asks at one port only

    for (genvar i = 0; i < Rows; i++) begin : gen_transpose
      assign asks[v*Rows + i] = asked[i*Vcs + v];
      assign gets[v*Rows + i] = gnt_o[i*Vcs + v];
      assign offer[i*Vcs + v] = offered[i];
    end
    sare_onehot_mux #(.Inputs(Ports), .Width(Rows)) u_offered (
      .sel_i('1), .data_i(vc_picks), .data_o(offered)
    );
    for (genvar p = 0; p < Ports; p++) begin : gen_column
      logic [Rows-1:0] column_req, column_pick;
      assign column_req               = asks[v*Rows +: Rows] & to_port[p*Rows +: Rows];
      assign vc_picks[p*Rows +: Rows] = column_pick;
      // Input first: the one row that a column picks has picked it, too.
      assign taken_o[p*Vcs + v] = OutputFirst ? (column_pick & gets[v*Rows +: Rows]) != '0 : column_req != '0;
      sare_arbiter #(.Inputs(Rows), .Kind(Kind)) u_arbiter (
        .clk_i, .rst_ni, .req_i(column_req), .served_i(taken_o[p*Vcs + v]), .pick_o(column_pick)
      );
    end
  end

  for (genvar i = 0; i < Rows; i++) begin : gen_check
    `SARE_ASSERT(one_grant, (gnt_o[i*Vcs +: Vcs] & (gnt_o[i*Vcs +: Vcs] - 1'b1)) == '0)
  end
  `SARE_ASSERT(no_grant_without_request, (gnt_o & ~req_i) == '0)
  `SARE_ASSERT(as_many_taken_as_given, $countones(gnt_o) == $countones(taken_o))

endmodule
