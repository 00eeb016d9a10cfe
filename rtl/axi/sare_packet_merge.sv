// SPDX-License-Identifier: Apache-2.0

/// Several streams of flits into one, a packet at a time, in turn. With more than one stream the pick is
/// registered: a cycle before each packet.
module sare_packet_merge #(
  /// Streams, from 1.
  parameter int unsigned Inputs = 2,
  /// Bits of a flit.
  parameter int unsigned FlitWidth = 64
) (
  /// Clock.
  input  logic                        clk_i,
  /// Asynchronous reset, active low.
  input  logic                        rst_ni,
  /// By stream: a flit,
  input  logic [Inputs-1:0]           valid_i,
  /// the last of its packet,
  input  logic [Inputs-1:0]           tail_i,
  /// its data.
  input  logic [Inputs*FlitWidth-1:0] data_i,
  /// It is taken.
  output logic [Inputs-1:0]           ready_o,
  /// The same of the one stream.
  output logic                        valid_o,
  /// Last of its packet.
  output logic                        tail_o,
  /// Data.
  output logic [FlitWidth-1:0]        data_o,
  /// It is taken.
  input  logic                        ready_i
);

  if (Inputs == 1) begin : gen_wires
    logic unused;
    assign unused  = ^{clk_i, rst_ni};
    assign ready_o = ready_i;
    assign valid_o = valid_i;
    assign tail_o  = tail_i;
    assign data_o  = data_i;
  end else begin : gen_pick
    logic [Inputs-1:0] pick, from_q;  // the stream whose packet is on its way; none: 0
    logic              begins;

    assign begins = from_q == '0 && valid_i != '0;
    sare_arbiter #(.Inputs(Inputs)) u_arbiter (
      .clk_i, .rst_ni, .req_i(valid_i), .served_i(begins), .pick_o(pick)
    );
    assign ready_o = from_q & {Inputs{ready_i}};
    assign valid_o = (from_q & valid_i) != '0;
    assign tail_o  = (from_q & tail_i) != '0;
    sare_onehot_mux #(.Inputs(Inputs), .Width(FlitWidth)) u_data (.sel_i(from_q), .data_i, .data_o);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) from_q <= '0;
      else if (begins) from_q <= pick;
      else if (valid_o && ready_i && tail_o) from_q <= '0;
    end
  end

endmodule
