// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// Switch allocator, separable: input ports are the rows, output ports the columns; a row asks for as many
/// columns as its VCs want. Input first: every row picks a VC and with it a column, every column one of the
/// rows that picked it. Output first: every column offers itself to one row that wants it, every row takes
/// one offer, then picks a VC for it.
module sare_switch_allocator #(
  /// Ports of the router, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Virtual channels a port, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// sare_pkg::InputFirst or OutputFirst.
  parameter int unsigned Allocator = sare_pkg::InputFirst,
  /// sare_pkg::RoundRobin or Matrix.
  parameter int unsigned Arbiter = sare_pkg::RoundRobin
) (
  /// Clock.
  input  logic                       clk_i,
  /// Asynchronous reset, active low.
  input  logic                       rst_ni,
  /// Input VCs that ask, by port and VC.
  input  logic [Ports*Vcs-1:0]       req_i,
  /// Output port of each input VC, one bit.
  input  logic [Ports*Vcs*Ports-1:0] port_i,
  /// Input VCs that have won, at most one a port.
  output logic [Ports*Vcs-1:0]       gnt_o,
  /// Input port of each output port, one bit or none: [output * Ports + input].
  output logic [Ports*Ports-1:0]     sel_o
);

  localparam bit OutputFirst = Allocator == sare_pkg::OutputFirst;

  logic [Ports*Ports-1:0] want, won;                // by input port, then output port
  logic [Ports*Ports-1:0] column_req, column_pick;  // by output port, then input port

  for (genvar x = 0; x < Ports; x++) begin : gen_row
    logic [Vcs-1:0]   vc_req, vc_pick;
    logic [Ports-1:0] offer, to_req, to_pick;  // output ports offered; wanted by all requests; by the pick

    for (genvar y = 0; y < Ports; y++) begin : gen_transpose
      assign column_req[y*Ports + x] = want[x*Ports + y];
      assign offer[y]                = column_pick[y*Ports + x];
      assign sel_o[y*Ports + x]      = won[x*Ports + y];
    end
    sare_arbiter #(.Inputs(Vcs), .Kind(Arbiter)) u_vc (
      .clk_i, .rst_ni, .req_i(vc_req), .served_i(offer != '0), .pick_o(vc_pick)
    );
    sare_onehot_mux #(.Inputs(Vcs), .Width(Ports)) u_to_pick (
      .sel_i(vc_pick), .data_i(port_i[x*Vcs*Ports +: Vcs*Ports]), .data_o(to_pick)
    );
    assign gnt_o[x*Vcs +: Vcs] = offer != '0 ? vc_pick : '0;
    assign won[x*Ports +: Ports] = offer != '0 ? to_pick : '0;

    if (OutputFirst) begin : gen_output_first
      logic [Ports-1:0] taken;
      sare_arbiter #(.Inputs(Ports), .Kind(Arbiter)) u_column (
        .clk_i, .rst_ni, .req_i(offer), .served_i(offer != '0), .pick_o(taken)
      );
      always_comb begin
        to_req = '0;
        for (int v = 0; v < Vcs; v++) begin
          to_req    |= port_i[(x*Vcs + v)*Ports +: Ports] & {Ports{req_i[x*Vcs + v]}};
          vc_req[v] = req_i[x*Vcs + v] & ((port_i[(x*Vcs + v)*Ports +: Ports] & taken) != '0);
        end
      end
      assign want[x*Ports +: Ports] = to_req;
    end else begin : gen_input_first
      assign to_req = to_pick;
      assign vc_req = req_i[x*Vcs +: Vcs];
      assign want[x*Ports +: Ports] = to_req;
    end
  end

  for (genvar y = 0; y < Ports; y++) begin : gen_column
    sare_arbiter #(.Inputs(Ports), .Kind(Arbiter)) u_arbiter (
      .clk_i, .rst_ni, .req_i(column_req[y*Ports +: Ports]), .served_i(sel_o[y*Ports +: Ports] != '0),
      .pick_o(column_pick[y*Ports +: Ports])
    );
    `SARE_ASSERT(one_input_an_output, (sel_o[y*Ports +: Ports] & (sel_o[y*Ports +: Ports] - 1'b1)) == '0)
    `SARE_ASSERT(one_vc_a_port, (gnt_o[y*Vcs +: Vcs] & (gnt_o[y*Vcs +: Vcs] - 1'b1)) == '0)
  end
  `SARE_ASSERT(no_grant_without_request, (gnt_o & ~req_i) == '0)
  `SARE_ASSERT(an_output_for_each_grant, $countones(gnt_o) == $countones(sel_o))

endmodule
