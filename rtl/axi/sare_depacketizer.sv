// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// Makes a header and beats of the flits that sare_packetizer cut. The header is there in the cycle after its
/// last flit, a beat in the cycle after its own. The next packet may begin when done_i has ended this one.
module sare_depacketizer #(
  /// Bits of the header, from 1.
  parameter int unsigned HeaderWidth = 64,
  /// Bits of a beat, from 1.
  parameter int unsigned BeatWidth = 72,
  /// Bits of a flit.
  parameter int unsigned FlitWidth = 64
) (
  /// Clock.
  input  logic                   clk_i,
  /// Asynchronous reset, active low.
  input  logic                   rst_ni,
  /// A flit,
  input  logic                   valid_i,
  /// the last of its packet,
  input  logic                   tail_i,
  /// its data.
  input  logic [FlitWidth-1:0]   data_i,
  /// It is taken.
  output logic                   ready_o,
  /// There is a whole header; stays until done_i.
  output logic                   valid_o,
  /// That.
  output logic [HeaderWidth-1:0] header_o,
  /// All of the packet has been used: its beats, too.
  input  logic                   done_i,
  /// There is a whole beat,
  output logic                   beat_valid_o,
  /// the packet's last,
  output logic                   beat_last_o,
  /// this.
  output logic [BeatWidth-1:0]   beat_o,
  /// It is taken.
  input  logic                   beat_taken_i
);

  localparam int unsigned HeaderFlits = (HeaderWidth + FlitWidth - 1) / FlitWidth;
  localparam int unsigned BeatFlits   = (BeatWidth + FlitWidth - 1) / FlitWidth;
  localparam int unsigned Parts       = HeaderFlits > BeatFlits ? HeaderFlits : BeatFlits;
  localparam int unsigned PartWidth   = sare_pkg::idx_width(Parts);

  logic [HeaderFlits*FlitWidth-1:0] header_q;
  logic [BeatFlits*FlitWidth-1:0]   beat;     // what has come of a beat, with the flit that comes
  logic [PartWidth-1:0]             part_q;
  logic                             open_q;   // the header is whole
  logic                             more_q;   // beats are still to come
  logic                             last_part, room, taken, push;

  assign last_part = part_q == (open_q ? PartWidth'(BeatFlits - 1) : PartWidth'(HeaderFlits - 1));
  assign ready_o   = ~open_q | (more_q & room);
  assign taken     = valid_i & ready_o;
  assign push      = taken & open_q & last_part;
  assign valid_o   = open_q;
  assign header_o  = header_q[HeaderWidth-1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q <= '0;
      open_q <= 1'b0;
      more_q <= 1'b0;
    end else begin
      if (taken) part_q <= last_part ? '0 : part_q + 1'b1;
      if (taken && last_part) more_q <= ~tail_i;
      if (taken && last_part && !open_q) open_q <= 1'b1;
      else if (done_i) open_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (taken && !open_q) header_q[part_q*FlitWidth +: FlitWidth] <= data_i;
  end

  if (BeatFlits == 1) begin : gen_whole
    assign beat = data_i;
  end else begin : gen_parts
    logic [(BeatFlits-1)*FlitWidth-1:0] parts_q;
    always_ff @(posedge clk_i) begin
      if (taken && open_q && !last_part) parts_q[part_q*FlitWidth +: FlitWidth] <= data_i;
    end
    assign beat = {data_i, parts_q};
  end

  // Two places: a beat a cycle, with no path from beat_taken_i to ready_o.
  sare_fifo #(.Width(BeatWidth + 1), .Depth(2)) u_beats (
    .clk_i, .rst_ni, .push_i(push), .data_i({tail_i, beat[BeatWidth-1:0]}), .room_o(room),
    .pop_i(beat_taken_i), .valid_o(beat_valid_o), .data_o({beat_last_o, beat_o})
  );

  logic unused;
  assign unused = ^{header_q, beat};

  `SARE_ASSERT(tail_at_an_end, !(taken && tail_i && !last_part))
  `SARE_ASSERT(done_with_all, !(done_i && (!open_q || more_q || (beat_valid_o && !(beat_taken_i && beat_last_o)))))

endmodule
