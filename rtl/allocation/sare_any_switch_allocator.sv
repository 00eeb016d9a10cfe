// SPDX-License-Identifier: Apache-2.0

/// A switch allocator of any kind: input ports are the rows, output ports the columns; a row asks for as many columns
/// as its VCs want. Of those of its VCs that want the column it gets, an arbiter picks one.
module sare_any_switch_allocator #(
  /// Ports of the router, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Virtual channels a port, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// sare_pkg::InputFirst, OutputFirst or Wavefront.
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

  if (Allocator == sare_pkg::Wavefront) begin : gen_wavefront
    logic [Ports*Ports-1:0] want, won;     // by input port, then output port
    logic [Vcs*Classes-1:0] vc_class;      // of each VC of a port

    for (genvar v = 0; v < Vcs; v++) begin : gen_class
      assign vc_class[v*Classes +: Classes] = Classes'(1) << (v / (Vcs / Classes));
    end

    sare_wavefront #(.Size(Ports)) u_wavefront (.clk_i, .rst_ni, .req_i(want), .gnt_o(won));

    for (genvar x = 0; x < Ports; x++) begin : gen_row
      logic [Ports-1:0] asked;
      logic [Vcs-1:0]   fit;  // VCs that want the output port won

      always_comb begin
        asked = '0;
        for (int v = 0; v < Vcs; v++) begin
          asked |= port_i[(x*Vcs + v)*Ports +: Ports] & {Ports{req_i[x*Vcs + v]}};
          fit[v] = req_i[x*Vcs + v] & ((port_i[(x*Vcs + v)*Ports +: Ports] & won[x*Ports +: Ports]) != '0);
        end
      end
      assign want[x*Ports +: Ports] = asked;
      sare_class_arbiter #(.Inputs(Vcs), .Kind(Arbiter), .Classes(Classes), .Weights(Weights)) u_vc (
        .clk_i, .rst_ni, .req_i(fit), .class_i(vc_class), .served_i(in_o[x]), .pick_o(gnt_o[x*Vcs +: Vcs])
      );
      assign in_o[x] = won[x*Ports +: Ports] != '0;
      for (genvar y = 0; y < Ports; y++) begin : gen_transpose
        assign sel_o[y*Ports + x] = won[x*Ports + y];
      end
    end
    for (genvar y = 0; y < Ports; y++) begin : gen_column
      assign out_o[y] = sel_o[y*Ports +: Ports] != '0;
    end
    assign pick_o = gnt_o;
  end else begin : gen_separable
    sare_switch_allocator #(
      .Ports(Ports), .Vcs(Vcs), .Allocator(Allocator), .Arbiter(Arbiter), .Classes(Classes), .Weights(Weights)
    ) u_separable (
      .clk_i, .rst_ni, .req_i, .port_i, .gnt_o, .pick_o, .in_o, .out_o, .sel_o
    );
  end

endmodule
