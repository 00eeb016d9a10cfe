// SPDX-License-Identifier: Apache-2.0

/// A VC allocator of any kind: input VCs (rows) ask for VCs of one output port each, output VCs are the columns.
module sare_any_vc_allocator #(
  /// Ports of the router, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Virtual channels a port, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// sare_pkg::InputFirst, OutputFirst or Wavefront.
  parameter int unsigned Allocator = sare_pkg::InputFirst,
  /// sare_pkg::RoundRobin, Matrix, Priority or Weighted (InputFirst, OutputFirst).
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

  if (Allocator == sare_pkg::Wavefront) begin : gen_wavefront
    logic [Rows*Rows-1:0] want, won;  // by input VC, then output VC

    sare_wavefront #(.Size(Rows)) u_wavefront (.clk_i, .rst_ni, .req_i(want), .gnt_o(won));

    for (genvar i = 0; i < Rows; i++) begin : gen_row
      for (genvar p = 0; p < Ports; p++) begin : gen_port
        assign want[i*Rows + p*Vcs +: Vcs] = req_i[i*Vcs +: Vcs] & {Vcs{port_i[i*Ports + p]}};
      end
    end
    always_comb begin
      gnt_o   = '0;
      taken_o = '0;
      for (int i = 0; i < Rows; i++) begin
        taken_o |= won[i*Rows +: Rows];
        for (int p = 0; p < Ports; p++) gnt_o[i*Vcs +: Vcs] |= won[i*Rows + p*Vcs +: Vcs];
      end
    end
  end else begin : gen_separable
    sare_vc_allocator #(.Ports(Ports), .Vcs(Vcs), .Allocator(Allocator), .Arbiter(Arbiter)) u_separable (
      .clk_i, .rst_ni, .req_i, .port_i, .gnt_o, .taken_o
    );
  end

endmodule
