// SPDX-License-Identifier: Apache-2.0

/// The ejecting half of a NIC for a node that may say no: a buffer for each VC, and out of them a stream of
/// flits for each message class, packet by packet, as sare_nic_inject takes them. The credit of a flit goes
/// back when the node has taken it: it is on the pins CreditDelay + 1 cycles later. A class that is not taken
/// stops its own VCs and no others.
module sare_nic_receive #(
  /// Virtual channels, 1 to 16.
  parameter int unsigned Vcs = 4,
  /// Message classes, 1 to Vcs; a divisor of Vcs.
  parameter int unsigned Classes = 2,
  /// Flits in the buffer of a VC, 2 to 64: what the router before it counts on.
  parameter int unsigned Depth = 8,
  /// Data bits of a flit, 16 to 512.
  parameter int unsigned FlitWidth = 64,
  /// Cycles that a credit takes before the register at credit_o, 0 to 255.
  parameter int unsigned CreditDelay = 0,
  localparam int unsigned VcWidth = sare_pkg::idx_width(Vcs)
) (
  /// Clock.
  input  logic                         clk_i,
  /// Asynchronous reset, active low.
  input  logic                         rst_ni,
  /// From an output port of a router: a flit comes in,
  input  logic                         flit_valid_i,
  /// the first of its packet,
  input  logic                         flit_head_i,
  /// the last of its packet,
  input  logic                         flit_tail_i,
  /// on this VC,
  input  logic [VcWidth-1:0]           flit_vc_i,
  /// with this data.
  input  logic [FlitWidth-1:0]         flit_data_i,
  /// Places that are free again, by VC.
  output logic [Vcs-1:0]               credit_o,
  /// By class: a flit,
  output logic [Classes-1:0]           valid_o,
  /// the first of its packet,
  output logic [Classes-1:0]           head_o,
  /// the last of its packet,
  output logic [Classes-1:0]           tail_o,
  /// its data.
  output logic [Classes*FlitWidth-1:0] data_o,
  /// It is taken.
  input  logic [Classes-1:0]           ready_i
);

  localparam int unsigned ClassVcs = Vcs / Classes;
  localparam int unsigned FlitBits = 2 + FlitWidth;

  logic [Vcs-1:0] pop, freed;
  logic           freed_valid;

  for (genvar c = 0; c < Classes; c++) begin : gen_class
    logic [ClassVcs-1:0]          stored, from, pick, from_q;  // from_q: VC of the packet on its way; 0: none
    logic [ClassVcs*FlitBits-1:0] flits;

    for (genvar v = 0; v < ClassVcs; v++) begin : gen_vc
      localparam int unsigned V = c * ClassVcs + v;
      localparam int unsigned PlaceWidth = sare_pkg::idx_width(Depth);
      logic                  unused_valid;
      logic [FlitBits-1:0]   unused_data;
      logic [PlaceWidth-1:0] unused_read, unused_write;
      logic [$clog2(Depth+1)-1:0] unused_count;
      sare_vc_buffer #(.Width(FlitBits), .Depth(Depth)) u_buffer (
        .clk_i, .rst_ni, .push_i(flit_valid_i && flit_vc_i == VcWidth'(V)),
        .data_i({flit_head_i, flit_tail_i, flit_data_i}), .pop_i(pop[V]), .skip_i('0), .valid_o(unused_valid),
        .data_o(unused_data), .stored_valid_o(stored[v]), .stored_o(flits[v*FlitBits +: FlitBits]),
        .count_o(unused_count), .read_place_o(unused_read), .write_place_o(unused_write)
      );
      logic unused;
      assign unused = ^{unused_valid, unused_data, unused_count, unused_read, unused_write};
    end

    sare_arbiter #(.Inputs(ClassVcs)) u_arbiter (
      .clk_i, .rst_ni, .req_i(stored), .served_i(from_q == '0 && stored != '0), .pick_o(pick)
    );
    assign from       = from_q != '0 ? from_q : pick;
    assign valid_o[c] = (from & stored) != '0;
    sare_onehot_mux #(.Inputs(ClassVcs), .Width(FlitBits)) u_flit (
      .sel_i(from), .data_i(flits), .data_o({head_o[c], tail_o[c], data_o[c*FlitWidth +: FlitWidth]})
    );
    assign pop[c*ClassVcs +: ClassVcs] = from & stored & {ClassVcs{ready_i[c]}};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) from_q <= '0;
      else if (valid_o[c]) from_q <= ready_i[c] && tail_o[c] ? '0 : from;
    end
  end

  sare_link_register #(.Stages(CreditDelay + 1), .Width(Vcs)) u_credit (
    .clk_i, .rst_ni, .valid_i(pop != '0), .data_i(pop), .valid_o(freed_valid), .data_o(freed)
  );
  assign credit_o = freed_valid ? freed : '0;

endmodule
