// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// An AXI4 manager's place on a network: its transactions become request packets for sare_nic_inject, and the
/// response packets from the NIC its answers. The far end is sare_axi_subordinate_bridge. All outputs come from
/// registers and what is decoded of them.
///
/// A read waits until there is room for all of its data, so a response is always taken, in the cycle in which it
/// comes or the next, whatever the manager does. A write goes when all of its data is there, so that a slow
/// manager holds no virtual channel.
module sare_axi_manager_bridge #(
  /// Bits of an address, 12 to 64.
  parameter int unsigned AddrWidth = 32,
  /// Bits of data of a beat: 32, 64, 128, 256, 512.
  parameter int unsigned DataWidth = 64,
  /// Bits of the manager's IDs, 1 to 16.
  parameter int unsigned IdWidth = 4,
  /// User bits of AR and AW, 1 to 64; nothing is lost if they are not used.
  parameter int unsigned UserWidth = 1,
  /// Data bits of a flit, 16 to 512.
  parameter int unsigned FlitWidth = 64,
  /// Bits of a node's number, 1 to 16.
  parameter int unsigned NodeWidth = 4,
  /// Message classes of requests, 1 to 15: all of the network's but the last, which is that of responses.
  parameter int unsigned RequestClasses = 1,
  /// Reads at once, from 1,
  parameter int unsigned Reads = 8,
  /// and writes.
  parameter int unsigned Writes = 8,
  /// Reads of one ID at once, and writes (KeepsOrder); without it, 1.
  parameter int unsigned PerId = 8,
  /// The network keeps packets of a class in order between two nodes: one VC a class, one way. See sare_axi_order.
  parameter bit KeepsOrder = 0,
  /// Beats of the longest burst, 1 to 256.
  parameter int unsigned MaxBeats = 16,
  /// Beats of read data that have a place here, from MaxBeats,
  parameter int unsigned ReadBeats = 32,
  /// and of write data, from MaxBeats.
  parameter int unsigned WriteBeats = 32,
  /// Regions of addresses: see sare_axi_map. What none of them has is answered DECERR here.
  parameter int unsigned Regions = 1,
  /// First address of each, a multiple of 4 KiB,
  parameter bit [Regions*AddrWidth-1:0] MapBase = '0,
  /// last address, of which the low 12 bits are ones,
  parameter bit [Regions*AddrWidth-1:0] MapLast = '1,
  /// node.
  parameter bit [Regions*NodeWidth-1:0] MapNode = '0
) (
  /// Clock.
  input  logic                         clk_i,
  /// Asynchronous reset, active low.
  input  logic                         rst_ni,
  /// This node's number.
  input  logic [NodeWidth-1:0]         node_i,
  /// From the manager: a read.
  input  logic                         ar_valid_i,
  /// It is taken.
  output logic                         ar_ready_o,
  /// Transaction ID.
  input  logic [IdWidth-1:0]           ar_id_i,
  /// Address of the first byte.
  input  logic [AddrWidth-1:0]         ar_addr_i,
  /// Beats - 1.
  input  logic [7:0]                   ar_len_i,
  /// Bytes of a beat, log2.
  input  logic [2:0]                   ar_size_i,
  /// FIXED, INCR, WRAP.
  input  logic [1:0]                   ar_burst_i,
  /// Exclusive.
  input  logic                         ar_lock_i,
  /// Memory type.
  input  logic [3:0]                   ar_cache_i,
  /// Protection.
  input  logic [2:0]                   ar_prot_i,
  /// Quality of service.
  input  logic [3:0]                   ar_qos_i,
  /// Region.
  input  logic [3:0]                   ar_region_i,
  /// User bits.
  input  logic [UserWidth-1:0]         ar_user_i,
  /// A write.
  input  logic                         aw_valid_i,
  /// It is taken.
  output logic                         aw_ready_o,
  /// Transaction ID.
  input  logic [IdWidth-1:0]           aw_id_i,
  /// Address of the first byte.
  input  logic [AddrWidth-1:0]         aw_addr_i,
  /// Beats - 1.
  input  logic [7:0]                   aw_len_i,
  /// Bytes of a beat, log2.
  input  logic [2:0]                   aw_size_i,
  /// FIXED, INCR, WRAP.
  input  logic [1:0]                   aw_burst_i,
  /// Exclusive.
  input  logic                         aw_lock_i,
  /// Memory type.
  input  logic [3:0]                   aw_cache_i,
  /// Protection.
  input  logic [2:0]                   aw_prot_i,
  /// Quality of service.
  input  logic [3:0]                   aw_qos_i,
  /// Region.
  input  logic [3:0]                   aw_region_i,
  /// User bits.
  input  logic [UserWidth-1:0]         aw_user_i,
  /// Write data.
  input  logic                         w_valid_i,
  /// Taken.
  output logic                         w_ready_o,
  /// Data.
  input  logic [DataWidth-1:0]         w_data_i,
  /// Bytes that are written.
  input  logic [DataWidth/8-1:0]       w_strb_i,
  /// Last of its burst.
  input  logic                         w_last_i,
  /// Write response.
  output logic                         b_valid_o,
  /// Taken.
  input  logic                         b_ready_i,
  /// Transaction ID.
  output logic [IdWidth-1:0]           b_id_o,
  /// OKAY, EXOKAY, SLVERR, DECERR.
  output logic [1:0]                   b_resp_o,
  /// Read data.
  output logic                         r_valid_o,
  /// Taken.
  input  logic                         r_ready_i,
  /// Transaction ID.
  output logic [IdWidth-1:0]           r_id_o,
  /// Data.
  output logic [DataWidth-1:0]         r_data_o,
  /// OKAY, EXOKAY, SLVERR, DECERR.
  output logic [1:0]                   r_resp_o,
  /// Last of its burst.
  output logic                         r_last_o,
  /// To sare_nic_inject, by class: a flit, for it keeps what follows until its last one is taken,
  output logic [RequestClasses-1:0]    req_valid_o,
  /// the last of its packet,
  output logic                         req_tail_o,
  /// its data,
  output logic [FlitWidth-1:0]         req_data_o,
  /// node that it is for,
  output logic [NodeWidth-1:0]         req_node_o,
  /// flits of its packet.
  output logic [15:0]                  req_length_o,
  /// It is taken.
  input  logic [RequestClasses-1:0]    req_ready_i,
  /// From sare_nic_receive, of the class of responses: a flit,
  input  logic                         rsp_valid_i,
  /// the last of its packet,
  input  logic                         rsp_tail_i,
  /// its data.
  input  logic [FlitWidth-1:0]         rsp_data_i,
  /// It is taken.
  output logic                         rsp_ready_o
);

  localparam int unsigned Address   = IdWidth + AddrWidth + 29 + UserWidth;  // bits of AR and AW
  localparam int unsigned Strobes   = DataWidth / 8;
  localparam int unsigned Key       = 5 + NodeWidth;
  localparam int unsigned RoomWidth = $clog2(ReadBeats + 1);
  localparam int unsigned FullWidth = $clog2(WriteBeats + 1);

  // ---- AR and AW: a register each, and where it leads ---------------------------------------------------------

  logic [Address-1:0]   ar_q, aw_q;
  logic                 ar_valid_q, aw_valid_q, ar_goes, aw_goes, ar_hit, aw_hit, ar_may, aw_may;
  logic [NodeWidth-1:0] ar_node, aw_node;
  logic [3:0]           ar_class, aw_class;
  logic [8:0]           ar_beats, aw_beats;

  assign ar_ready_o = ~ar_valid_q;
  assign aw_ready_o = ~aw_valid_q;
  assign ar_beats   = 9'(ar_q[IdWidth+AddrWidth +: 8]) + 9'd1;
  assign aw_beats   = 9'(aw_q[IdWidth+AddrWidth +: 8]) + 9'd1;
  assign ar_class   = 4'((8'(ar_q[IdWidth+AddrWidth+21 +: 4]) * 8'(RequestClasses)) >> 4);
  assign aw_class   = 4'((8'(aw_q[IdWidth+AddrWidth+21 +: 4]) * 8'(RequestClasses)) >> 4);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ar_valid_q <= 1'b0;
      aw_valid_q <= 1'b0;
    end else begin
      ar_valid_q <= ar_valid_q ? ~ar_goes : ar_valid_i;
      aw_valid_q <= aw_valid_q ? ~aw_goes : aw_valid_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (ar_valid_i && ar_ready_o) ar_q <= {ar_user_i, ar_region_i, ar_qos_i, ar_prot_i, ar_cache_i, ar_lock_i, ar_burst_i, ar_size_i, ar_len_i, ar_addr_i, ar_id_i};
    if (aw_valid_i && aw_ready_o) aw_q <= {aw_user_i, aw_region_i, aw_qos_i, aw_prot_i, aw_cache_i, aw_lock_i, aw_burst_i, aw_size_i, aw_len_i, aw_addr_i, aw_id_i};
  end

  sare_axi_map #(
    .AddrWidth(AddrWidth), .NodeWidth(NodeWidth), .Regions(Regions), .Base(MapBase), .Last(MapLast), .Node(MapNode)
  ) u_ar_map (.addr_i(ar_q[IdWidth +: AddrWidth]), .hit_o(ar_hit), .node_o(ar_node));
  sare_axi_map #(
    .AddrWidth(AddrWidth), .NodeWidth(NodeWidth), .Regions(Regions), .Base(MapBase), .Last(MapLast), .Node(MapNode)
  ) u_aw_map (.addr_i(aw_q[IdWidth +: AddrWidth]), .hit_o(aw_hit), .node_o(aw_node));
  sare_axi_order #(
    .Slots(Reads), .PerId(PerId), .IdWidth(IdWidth), .KeyWidth(Key), .KeepsOrder(KeepsOrder)
  ) u_reads (
    .clk_i, .rst_ni, .id_i(ar_q[IdWidth-1:0]), .key_i({ar_hit, ar_class, ar_node}), .may_o(ar_may), .take_i(ar_goes),
    .done_i(r_valid_o & r_ready_i & r_last_o), .done_id_i(r_id_o)
  );
  sare_axi_order #(
    .Slots(Writes), .PerId(PerId), .IdWidth(IdWidth), .KeyWidth(Key), .KeepsOrder(KeepsOrder)
  ) u_writes (
    .clk_i, .rst_ni, .id_i(aw_q[IdWidth-1:0]), .key_i({aw_hit, aw_class, aw_node}), .may_o(aw_may), .take_i(aw_goes),
    .done_i(b_valid_o & b_ready_i), .done_id_i(b_id_o)
  );

  // ---- W: a queue, and how many bursts in it are whole --------------------------------------------------------

  logic                         w_valid, w_last, w_pop;
  logic [Strobes+DataWidth-1:0] w_beat;
  logic [FullWidth-1:0]         w_whole_q;
  logic                         w_ends, w_gone;

  sare_fifo #(.Width(1 + Strobes + DataWidth), .Depth(WriteBeats)) u_w (
    .clk_i, .rst_ni, .push_i(w_valid_i & w_ready_o), .data_i({w_last_i, w_strb_i, w_data_i}), .room_o(w_ready_o),
    .pop_i(w_pop), .valid_o(w_valid), .data_o({w_last, w_beat})
  );
  assign w_ends = w_valid_i & w_ready_o & w_last_i;
  assign w_gone = w_pop & w_last;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) w_whole_q <= '0;
    else if (w_ends != w_gone) w_whole_q <= w_ends ? w_whole_q + 1'b1 : w_whole_q - 1'b1;
  end

  // ---- Requests ------------------------------------------------------------------------------------------------

  logic [1:0]           pick, from, from_q;  // {write, read}; from_q: whose packet is on its way
  logic [1:0]           goes;
  logic                 req_valid, req_ready, req_done, beat_taken;
  logic [3:0]           req_class;
  logic [RoomWidth-1:0] room_q;              // for read data that has not been asked for

  assign goes[0] = ar_valid_q & ar_hit & ar_may & 32'(room_q) >= 32'(ar_beats);
  assign goes[1] = aw_valid_q & aw_hit & aw_may & w_whole_q != '0;
  sare_arbiter #(.Inputs(2)) u_turn (
    .clk_i, .rst_ni, .req_i(goes), .served_i(from_q == '0 && goes != '0), .pick_o(pick)
  );
  assign from       = from_q != '0 ? from_q : pick;
  assign req_class  = from[1] ? aw_class : ar_class;
  assign req_node_o = from[1] ? aw_node : ar_node;
  assign req_valid_o = RequestClasses'(req_valid) << req_class;
  assign req_ready   = (req_ready_i & req_valid_o) != '0;

  sare_packetizer #(
    .HeaderWidth(1 + NodeWidth + Address), .BeatWidth(Strobes + DataWidth), .FlitWidth(FlitWidth)
  ) u_request (
    .clk_i, .rst_ni, .valid_i(from != '0), .header_i({from[1] ? aw_q : ar_q, node_i, from[1]}),
    .beats_i(from[1] ? aw_beats : 9'd0), .beat_i(w_beat), .beat_taken_o(beat_taken), .done_o(req_done),
    .valid_o(req_valid), .tail_o(req_tail_o), .data_o(req_data_o), .length_o(req_length_o), .ready_i(req_ready)
  );
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) from_q <= '0;
    else from_q <= req_done ? '0 : from;
  end

  // ---- Addresses of no subordinate: answered here ---------------------------------------------------------------

  logic               r_lost, b_lost, b_dropping;
  logic               r_error_q, b_error_q;  // there is one to answer
  logic [IdWidth-1:0] r_error_id_q, b_error_id_q;
  logic [7:0]         r_error_left_q;
  logic               r_from_error, b_from_error;

  assign r_lost     = ar_valid_q & ~ar_hit & ar_may & ~r_error_q;
  assign b_dropping = aw_valid_q & ~aw_hit & aw_may & ~b_error_q & w_whole_q != '0;
  assign b_lost     = b_dropping & w_last;
  assign w_pop      = beat_taken | b_dropping;
  assign ar_goes    = (req_done & from[0]) | r_lost;
  assign aw_goes    = (req_done & from[1]) | b_lost;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      r_error_q <= 1'b0;
      b_error_q <= 1'b0;
    end else begin
      r_error_q <= r_lost | (r_error_q & ~(r_from_error & r_ready_i & r_last_o));
      b_error_q <= b_lost | (b_error_q & ~(b_from_error & b_ready_i));
    end
  end
  always_ff @(posedge clk_i) begin
    if (r_lost) begin
      r_error_id_q   <= ar_q[IdWidth-1:0];
      r_error_left_q <= ar_q[IdWidth+AddrWidth +: 8];
    end else if (r_from_error && r_ready_i) begin
      r_error_left_q <= r_error_left_q - 1'b1;
    end
    if (b_lost) b_error_id_q <= aw_q[IdWidth-1:0];
  end

  // ---- Responses ---------------------------------------------------------------------------------------------------

  logic                 rsp_valid, beat_valid, beat_last, rsp_write, b_push;
  logic [IdWidth-1:0]   rsp_id;
  logic [1:0]           rsp_resp;
  logic [DataWidth+1:0] beat;
  logic                 r_valid, r_last, r_pop, r_room, b_valid, b_room;
  logic [IdWidth-1:0]   r_id, b_id;
  logic [1:0]           r_resp, b_resp;
  logic [DataWidth-1:0] r_data;
  logic                 r_busy_q, r_busy_error_q, b_held_q;  // of a burst; b_held_q: an error stands at B

  sare_depacketizer #(.HeaderWidth(IdWidth + 3), .BeatWidth(DataWidth + 2), .FlitWidth(FlitWidth)) u_response (
    .clk_i, .rst_ni, .valid_i(rsp_valid_i), .tail_i(rsp_tail_i), .data_i(rsp_data_i), .ready_o(rsp_ready_o),
    .valid_o(rsp_valid), .header_o({rsp_id, rsp_resp, rsp_write}), .done_i(b_push | (beat_valid & beat_last)),
    .beat_valid_o(beat_valid), .beat_last_o(beat_last), .beat_o(beat), .beat_taken_i(beat_valid)
  );
  assign b_push = rsp_valid & rsp_write;

  sare_fifo #(.Width(IdWidth + DataWidth + 3), .Depth(ReadBeats)) u_r (
    .clk_i, .rst_ni, .push_i(beat_valid), .data_i({rsp_id, beat_last, beat}), .room_o(r_room), .pop_i(r_pop),
    .valid_o(r_valid), .data_o({r_id, r_last, r_resp, r_data})
  );
  sare_fifo #(.Width(IdWidth + 2), .Depth(Writes)) u_b (
    .clk_i, .rst_ni, .push_i(b_push), .data_i({rsp_id, rsp_resp}), .room_o(b_room),
    .pop_i(b_valid & b_ready_i & ~b_from_error), .valid_o(b_valid), .data_o({b_id, b_resp})
  );

  // Errors go first, but not into a burst, nor in the place of what is shown already.
  assign r_from_error = r_busy_q ? r_busy_error_q : r_error_q;
  assign r_valid_o    = r_from_error | r_valid;
  assign r_id_o       = r_from_error ? r_error_id_q : r_id;
  assign r_data_o     = r_from_error ? '0 : r_data;
  assign r_resp_o     = r_from_error ? 2'd3 : r_resp;
  assign r_last_o     = r_from_error ? r_error_left_q == '0 : r_last;
  assign r_pop        = r_valid & r_ready_i & ~r_from_error;
  assign b_from_error = b_error_q & ~b_held_q;
  assign b_valid_o    = b_from_error | b_valid;
  assign b_id_o       = b_from_error ? b_error_id_q : b_id;
  assign b_resp_o     = b_from_error ? 2'd3 : b_resp;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      r_busy_q       <= 1'b0;
      r_busy_error_q <= 1'b0;
      b_held_q       <= 1'b0;
      room_q         <= RoomWidth'(ReadBeats);
    end else begin
      if (r_valid_o) begin
        r_busy_q       <= ~(r_ready_i & r_last_o);
        r_busy_error_q <= r_from_error;
      end
      b_held_q <= b_valid_o & ~b_ready_i & ~b_from_error;
      room_q   <= room_q + RoomWidth'(r_pop) - (req_done && from[0] ? RoomWidth'(ar_beats) : '0);
    end
  end

  logic unused;
  assign unused = ^{w_valid, r_room, b_room};

  `SARE_ASSERT(burst_not_too_long, !(ar_valid_q && 32'(ar_beats) > MaxBeats) && !(aw_valid_q && 32'(aw_beats) > MaxBeats))
  `SARE_ASSERT(every_read_response_has_room, !(beat_valid && !r_room))
  `SARE_ASSERT(write_responses_have_no_data, !(beat_valid && rsp_write))

endmodule
