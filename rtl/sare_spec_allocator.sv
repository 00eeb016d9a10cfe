// SPDX-License-Identifier: Apache-2.0

/// Switch allocation with speculation: a second allocator for heads that bid for a VC in the same cycle. Its
/// grants count only at ports that the first one leaves free, and only if the head gets a VC with credits.
module sare_spec_allocator #(
  /// Ports of the router, 2 to 16.
  parameter int unsigned Ports = 5,
  /// Virtual channels a port, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// sare_pkg::InputFirst, OutputFirst or Wavefront.
  parameter int unsigned Allocator = sare_pkg::InputFirst,
  /// sare_pkg::RoundRobin or Matrix.
  parameter int unsigned Arbiter = sare_pkg::RoundRobin,
  /// 0: no speculation.
  parameter bit Speculative = 1
) (
  /// Clock.
  input  logic                       clk_i,
  /// Asynchronous reset, active low.
  input  logic                       rst_ni,
  /// Input VCs that ask, by port and VC.
  input  logic [Ports*Vcs-1:0]       req_i,
  /// Those that ask speculatively.
  input  logic [Ports*Vcs-1:0]       spec_req_i,
  /// Those that get a VC with credits in this cycle.
  input  logic [Ports*Vcs-1:0]       spec_ok_i,
  /// Output port of each input VC, one bit.
  input  logic [Ports*Vcs*Ports-1:0] port_i,
  /// Input VCs that have won, at most one a port.
  output logic [Ports*Vcs-1:0]       gnt_o,
  /// Input port of each output port, one bit or none: [output * Ports + input].
  output logic [Ports*Ports-1:0]     sel_o
);

  logic [Ports*Vcs-1:0]   plain_gnt;
  logic [Ports*Ports-1:0] plain_sel;

  sare_any_switch_allocator #(.Ports(Ports), .Vcs(Vcs), .Allocator(Allocator), .Arbiter(Arbiter)) u_plain (
    .clk_i, .rst_ni, .req_i, .port_i, .gnt_o(plain_gnt), .sel_o(plain_sel)
  );

  if (Speculative) begin : gen_speculative
    logic [Ports*Vcs-1:0]   spec_gnt, keep_gnt;
    logic [Ports*Ports-1:0] spec_sel, keep_sel;

    sare_any_switch_allocator #(.Ports(Ports), .Vcs(Vcs), .Allocator(Allocator), .Arbiter(Arbiter)) u_spec (
      .clk_i, .rst_ni, .req_i(spec_req_i), .port_i, .gnt_o(spec_gnt), .sel_o(spec_sel)
    );

    for (genvar x = 0; x < Ports; x++) begin : gen_input
      logic             ok;
      logic [Ports-1:0] kept;
      assign ok = plain_gnt[x*Vcs +: Vcs] == '0 && (spec_gnt[x*Vcs +: Vcs] & spec_ok_i[x*Vcs +: Vcs]) != '0;
      for (genvar y = 0; y < Ports; y++) begin : gen_output
        assign kept[y] = ok & spec_sel[y*Ports + x] & (plain_sel[y*Ports +: Ports] == '0);
        assign keep_sel[y*Ports + x] = kept[y];
      end
      assign keep_gnt[x*Vcs +: Vcs] = kept != '0 ? spec_gnt[x*Vcs +: Vcs] : '0;
    end
    assign gnt_o = plain_gnt | keep_gnt;
    assign sel_o = plain_sel | keep_sel;
  end else begin : gen_plain
    logic unused;
    assign unused = ^{spec_req_i, spec_ok_i};
    assign gnt_o  = plain_gnt;
    assign sel_o  = plain_sel;
  end

endmodule
