// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// Cuts a header and the beats behind it into flits: the header's lowest bits first, then each beat the same
/// way. Header and beats begin with a flit of their own. A multiplexer and two counters: what is cut stands
/// still outside until its last flit is taken.
module sare_packetizer #(
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
  /// There is a packet; stays until done_o, as do the next two.
  input  logic                   valid_i,
  /// Its header,
  input  logic [HeaderWidth-1:0] header_i,
  /// and how many beats follow, 0 to 256. All of them are there, one after the other, at beat_i.
  input  logic [8:0]             beats_i,
  /// The next beat.
  input  logic [BeatWidth-1:0]   beat_i,
  /// It is not needed any more.
  output logic                   beat_taken_o,
  /// The last flit is taken.
  output logic                   done_o,
  /// A flit,
  output logic                   valid_o,
  /// the last of its packet,
  output logic                   tail_o,
  /// its data.
  output logic [FlitWidth-1:0]   data_o,
  /// Flits of the packet.
  output logic [15:0]            length_o,
  /// The flit is taken.
  input  logic                   ready_i
);

  localparam int unsigned HeaderFlits = (HeaderWidth + FlitWidth - 1) / FlitWidth;
  localparam int unsigned BeatFlits   = (BeatWidth + FlitWidth - 1) / FlitWidth;
  localparam int unsigned Parts       = HeaderFlits > BeatFlits ? HeaderFlits : BeatFlits;
  localparam int unsigned PartWidth   = sare_pkg::idx_width(Parts);

  logic [Parts*FlitWidth-1:0] what;
  logic [PartWidth-1:0]       part_q;   // flit of the header, or of the beat
  logic [8:0]                 place_q;  // 0: the header, else the number of the beat from 1
  logic                       in_header, last_part, taken;

  assign in_header    = place_q == '0;
  assign what         = in_header ? (Parts*FlitWidth)'(header_i) : (Parts*FlitWidth)'(beat_i);
  assign last_part    = part_q == (in_header ? PartWidth'(HeaderFlits - 1) : PartWidth'(BeatFlits - 1));
  assign valid_o      = valid_i;
  assign tail_o       = last_part & place_q == beats_i;
  assign data_o       = what[part_q*FlitWidth +: FlitWidth];
  assign length_o     = 16'(HeaderFlits) + 16'(beats_i) * 16'(BeatFlits);
  assign taken        = valid_i & ready_i;
  assign beat_taken_o = taken & last_part & ~in_header;
  assign done_o       = taken & tail_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q  <= '0;
      place_q <= '0;
    end else if (taken) begin
      part_q <= last_part ? '0 : part_q + 1'b1;
      if (last_part) place_q <= tail_o ? '0 : place_q + 1'b1;
    end
  end

  `SARE_ASSERT(beats_as_many_as_said, place_q <= beats_i || !valid_i)

endmodule
