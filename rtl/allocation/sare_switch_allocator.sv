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
  /// sare_pkg::RoundRobin, Matrix, Priority or Weighted.
  parameter int unsigned Arbiter = sare_pkg::RoundRobin,
  /// Message classes, a divisor of Vcs, which they share out evenly.
  parameter int unsigned Classes = 1,
  /// Weighted: weights of the classes, 16 bits each, from 1.
  parameter bit [Classes*16-1:0] Weights = {Classes{16'd1}}
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
  /// The VC of each input port that wins if any of its VCs does, one bit or none. Known sooner than gnt_o.
  output logic [Ports*Vcs-1:0]       pick_o,
  /// Input ports with a grant.
  output logic [Ports-1:0]           in_o,
  /// Output ports with a grant.
  output logic [Ports-1:0]           out_o,
  /// Input port of each output port, one bit or none: [output * Ports + input].
  output logic [Ports*Ports-1:0]     sel_o
);

  localparam bit OutputFirst = Allocator == sare_pkg::OutputFirst;

  logic [Ports*Ports-1:0] column_req, column_pick;       // by output port, then input port
  logic [Ports*Ports*Classes-1:0] column_class;          // of what an input port has for an output port
  logic [Vcs*Classes-1:0] vc_class;                      // of each VC of a port

  for (genvar v = 0; v < Vcs; v++) begin : gen_class
    assign vc_class[v*Classes +: Classes] = Classes'(1) << (v / (Vcs / Classes));
  end

  for (genvar x = 0; x < Ports; x++) begin : gen_row
    logic [Vcs-1:0]   vc_req;
    logic [Ports-1:0] want, offer, won;  // output ports asked for; offered; won
    logic [Ports*Classes-1:0] want_class;  // for each output port

    for (genvar y = 0; y < Ports; y++) begin : gen_transpose
      assign column_req[y*Ports + x] = want[y];
      assign offer[y]                = column_pick[y*Ports + x];
      assign sel_o[y*Ports + x]      = won[y];
      assign column_class[(y*Ports + x)*Classes +: Classes] = want_class[y*Classes +: Classes];
    end
    // Input first, of the VC that is picked; output first, of all VCs that want the output port.
    always_comb begin
      want_class = '0;
      for (int v = 0; v < Vcs; v++) begin
        for (int y = 0; y < Ports; y++) begin
          if ((OutputFirst ? req_i[x*Vcs + v] : pick_o[x*Vcs + v]) && port_i[(x*Vcs + v)*Ports + y]) begin
            want_class[y*Classes +: Classes] |= vc_class[v*Classes +: Classes];
          end
        end
      end
    end
    sare_class_arbiter #(.Inputs(Vcs), .Kind(Arbiter), .Classes(Classes), .Weights(Weights)) u_vc (
      .clk_i, .rst_ni, .req_i(vc_req), .class_i(vc_class), .served_i(in_o[x]), .pick_o(pick_o[x*Vcs +: Vcs])
    );
    assign in_o[x]             = offer != '0;
    assign gnt_o[x*Vcs +: Vcs] = pick_o[x*Vcs +: Vcs] & {Vcs{in_o[x]}};

    if (OutputFirst) begin : gen_output_first
      sare_class_arbiter #(.Inputs(Ports), .Kind(Arbiter), .Classes(Classes), .Weights(Weights)) u_offers (
        .clk_i, .rst_ni, .req_i(offer), .class_i(want_class), .served_i(in_o[x]), .pick_o(won)
      );
      sare_onehot_mux #(.Inputs(Vcs), .Width(Ports)) u_want (
        .sel_i(req_i[x*Vcs +: Vcs]), .data_i(port_i[x*Vcs*Ports +: Vcs*Ports]), .data_o(want)
      );
      for (genvar v = 0; v < Vcs; v++) begin : gen_vc
        assign vc_req[v] = req_i[x*Vcs + v] & ((port_i[(x*Vcs + v)*Ports +: Ports] & won) != '0);
      end
    end else begin : gen_input_first
      sare_onehot_mux #(.Inputs(Vcs), .Width(Ports)) u_want (
        .sel_i(pick_o[x*Vcs +: Vcs]), .data_i(port_i[x*Vcs*Ports +: Vcs*Ports]), .data_o(want)
      );
      assign vc_req = req_i[x*Vcs +: Vcs];
      assign won    = offer;
    end
  end

  for (genvar y = 0; y < Ports; y++) begin : gen_column
    // Input first: the one input port that an output picks has picked it, too.
    assign out_o[y] = OutputFirst ? sel_o[y*Ports +: Ports] != '0 : column_req[y*Ports +: Ports] != '0;
    sare_class_arbiter #(.Inputs(Ports), .Kind(Arbiter), .Classes(Classes), .Weights(Weights)) u_arbiter (
      .clk_i, .rst_ni, .req_i(column_req[y*Ports +: Ports]),
      .class_i(column_class[y*Ports*Classes +: Ports*Classes]), .served_i(out_o[y]),
      .pick_o(column_pick[y*Ports +: Ports])
    );
    `SARE_ASSERT(one_input_an_output, (sel_o[y*Ports +: Ports] & (sel_o[y*Ports +: Ports] - 1'b1)) == '0)
    `SARE_ASSERT(one_vc_a_port, (gnt_o[y*Vcs +: Vcs] & (gnt_o[y*Vcs +: Vcs] - 1'b1)) == '0)
  end
  `SARE_ASSERT(no_grant_without_request, (gnt_o & ~req_i) == '0)
  `SARE_ASSERT(an_output_for_each_grant, $countones(gnt_o) == $countones(sel_o))

endmodule
