// SPDX-License-Identifier: Apache-2.0

/// Switch allocation with speculation: a second allocator for heads that bid for a VC in the same cycle, beside
/// the first one. Its grants count only at ports that the first one leaves free, and only if the head gets a VC
/// with credits: all of that masks what it has picked, nothing of it is waited for.
module sare_spec_allocator #(
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
  parameter bit [Classes*16-1:0] Weights = {Classes{16'd1}},
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
  /// The same of those that ask speculatively.
  input  logic [Ports*Vcs*Ports-1:0] spec_port_i,
  /// Input VCs that have won, at most one a port.
  output logic [Ports*Vcs-1:0]       gnt_o,
  /// The VC of each input port that wins if any of its VCs does, one bit or none. Known sooner than gnt_o.
  output logic [Ports*Vcs-1:0]       pick_o,
  /// Input port of each output port, one bit or none: [output * Ports + input].
  output logic [Ports*Ports-1:0]     sel_o
);

  logic [Ports*Vcs-1:0]   plain_gnt, plain_pick;
  logic [Ports*Ports-1:0] plain_sel;
  logic [Ports-1:0]       plain_in, plain_out;  // ports with a plain grant

  sare_any_switch_allocator #(
    .Ports(Ports), .Vcs(Vcs), .Allocator(Allocator), .Arbiter(Arbiter), .Classes(Classes), .Weights(Weights)
  ) u_plain (
    .clk_i, .rst_ni, .req_i, .port_i, .gnt_o(plain_gnt), .pick_o(plain_pick), .in_o(plain_in), .out_o(plain_out),
    .sel_o(plain_sel)
  );

  if (Speculative) begin : gen_speculative
    logic [Ports*Vcs-1:0]   spec_gnt, spec_pick;
    logic [Ports*Ports-1:0] spec_sel;
    logic [Ports-1:0]       unused_in, unused_out;

    sare_any_switch_allocator #(
    .Ports(Ports), .Vcs(Vcs), .Allocator(Allocator), .Arbiter(Arbiter), .Classes(Classes), .Weights(Weights)
  ) u_spec (
      .clk_i, .rst_ni, .req_i(spec_req_i), .port_i(spec_port_i), .gnt_o(spec_gnt), .pick_o(spec_pick),
      .in_o(unused_in), .out_o(unused_out), .sel_o(spec_sel)
    );

    for (genvar x = 0; x < Ports; x++) begin : gen_input
      logic             ok;
      logic [Ports-1:0] kept;

      assign ok = (spec_gnt[x*Vcs +: Vcs] & spec_ok_i[x*Vcs +: Vcs]) != '0;
      for (genvar y = 0; y < Ports; y++) begin : gen_output
        assign kept[y]            = spec_sel[y*Ports + x] & ~plain_out[y] & ~plain_in[x];
        assign sel_o[y*Ports + x] = plain_sel[y*Ports + x] | (kept[y] & ok);
      end
      assign pick_o[x*Vcs +: Vcs] = plain_in[x] ? plain_pick[x*Vcs +: Vcs] : spec_pick[x*Vcs +: Vcs];
      assign gnt_o[x*Vcs +: Vcs]  = plain_gnt[x*Vcs +: Vcs]
                                    | (spec_pick[x*Vcs +: Vcs] & {Vcs{kept != '0}} & spec_ok_i[x*Vcs +: Vcs]);
    end
  end else begin : gen_plain
    logic unused;
    assign unused = ^{spec_req_i, spec_ok_i, spec_port_i, plain_in, plain_out};
    assign gnt_o  = plain_gnt;
    assign pick_o = plain_pick;
    assign sel_o  = plain_sel;
  end

endmodule
