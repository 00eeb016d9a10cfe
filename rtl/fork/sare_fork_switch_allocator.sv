// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// Switch allocator of a router in which packets fork, separable, input first: an input port (row) picks a VC, whose flit
/// asks for any number of output ports (columns). Synchronous: it gets all of them or none.
module sare_fork_switch_allocator #(
  /// Ports of the router, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Virtual channels a port, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// sare_pkg::Asynchronous or Synchronous.
  parameter int unsigned Forking = sare_pkg::Asynchronous
) (
  /// Clock.
  input  logic                       clk_i,
  /// Asynchronous reset, active low.
  input  logic                       rst_ni,
  /// Synchronous: input ports that come first in this cycle.
  input  logic [Ports-1:0]           first_i,
  /// Output ports that each input VC asks for.
  input  logic [Ports*Vcs*Ports-1:0] ports_i,
  /// The VC of each input port that wins if any of its VCs does, one bit or none.
  output logic [Ports*Vcs-1:0]       pick_o,
  /// Input port of each output port, one bit or none: [output * Ports + input].
  output logic [Ports*Ports-1:0]     sel_o
);

  logic [Ports*Ports-1:0] column_req, column_pick;  // by output port, then input port
  logic [Ports-1:0]       several;                  // by input port

  for (genvar x = 0; x < Ports; x++) begin : gen_row
    logic [Vcs-1:0]   asks;
    logic [Ports-1:0] want, offer, won;

    for (genvar v = 0; v < Vcs; v++) begin : gen_vc
      assign asks[v] = ports_i[(x*Vcs + v)*Ports +: Ports] != '0;
    end
    sare_arbiter #(.Inputs(Vcs)) u_vc (
      .clk_i, .rst_ni, .req_i(asks), .served_i(won != '0), .pick_o(pick_o[x*Vcs +: Vcs])
    );
    sare_onehot_mux #(.Inputs(Vcs), .Width(Ports)) u_want (
      .sel_i(pick_o[x*Vcs +: Vcs]), .data_i(ports_i[x*Vcs*Ports +: Vcs*Ports]), .data_o(want)
    );
    for (genvar y = 0; y < Ports; y++) begin : gen_transpose
      assign column_req[y*Ports + x] = want[y];
      assign offer[y]                = column_pick[y*Ports + x];
      assign sel_o[y*Ports + x]      = won[y];
    end
    assign several[x] = (want & (want - 1'b1)) != '0;
    assign won        = Forking == sare_pkg::Synchronous && offer != want ? '0 : offer;
  end

  for (genvar y = 0; y < Ports; y++) begin : gen_column
    sare_fork_arbiter #(.Inputs(Ports), .Forking(Forking)) u_arbiter (
      .clk_i, .rst_ni, .req_i(column_req[y*Ports +: Ports]), .several_i(several), .first_i,
      .served_i(sel_o[y*Ports +: Ports] != '0), .pick_o(column_pick[y*Ports +: Ports])
    );
    `SARE_ASSERT(one_input_an_output, (sel_o[y*Ports +: Ports] & (sel_o[y*Ports +: Ports] - 1'b1)) == '0)
    `SARE_ASSERT(one_vc_a_port, (pick_o[y*Vcs +: Vcs] & (pick_o[y*Vcs +: Vcs] - 1'b1)) == '0)
  end
  `SARE_ASSERT(no_grant_without_request, (sel_o & ~column_req) == '0)

endmodule
