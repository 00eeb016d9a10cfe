// SPDX-License-Identifier: Apache-2.0
`include "sare_assert.svh"

/// An AXI4 subordinate's place on a network: request packets from sare_nic_receive become its transactions, and its
/// answers response packets for sare_nic_inject. The near end is sare_axi_manager_bridge. Its IDs are {number of the
/// manager's node, manager's ID}. All outputs come from registers and what is decoded of them.
///
/// A response goes when all of its data is there, so that a slow memory holds no virtual channel. A request that the
/// subordinate does not take stops its class in the network; responses are of another one and go on.
module sare_axi_subordinate_bridge #(
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
  /// Beats of the longest burst, 1 to 256.
  parameter int unsigned MaxBeats = 16,
  /// Beats of read data that have a place here, from MaxBeats.
  parameter int unsigned ReadBeats = 32
) (
  /// Clock.
  input  logic                         clk_i,
  /// Asynchronous reset, active low.
  input  logic                         rst_ni,
  /// To the subordinate: a read. With Reads from 2 on it must not interleave the data of its reads.
  output logic                         ar_valid_o,
  /// It is taken.
  input  logic                         ar_ready_i,
  /// Transaction ID.
  output logic [NodeWidth+IdWidth-1:0] ar_id_o,
  /// Address of the first byte.
  output logic [AddrWidth-1:0]         ar_addr_o,
  /// Beats - 1.
  output logic [7:0]                   ar_len_o,
  /// Bytes of a beat, log2.
  output logic [2:0]                   ar_size_o,
  /// FIXED, INCR, WRAP.
  output logic [1:0]                   ar_burst_o,
  /// Exclusive.
  output logic                         ar_lock_o,
  /// Memory type.
  output logic [3:0]                   ar_cache_o,
  /// Protection.
  output logic [2:0]                   ar_prot_o,
  /// Quality of service.
  output logic [3:0]                   ar_qos_o,
  /// Region.
  output logic [3:0]                   ar_region_o,
  /// User bits.
  output logic [UserWidth-1:0]         ar_user_o,
  /// A write.
  output logic                         aw_valid_o,
  /// It is taken.
  input  logic                         aw_ready_i,
  /// Transaction ID.
  output logic [NodeWidth+IdWidth-1:0] aw_id_o,
  /// Address of the first byte.
  output logic [AddrWidth-1:0]         aw_addr_o,
  /// Beats - 1.
  output logic [7:0]                   aw_len_o,
  /// Bytes of a beat, log2.
  output logic [2:0]                   aw_size_o,
  /// FIXED, INCR, WRAP.
  output logic [1:0]                   aw_burst_o,
  /// Exclusive.
  output logic                         aw_lock_o,
  /// Memory type.
  output logic [3:0]                   aw_cache_o,
  /// Protection.
  output logic [2:0]                   aw_prot_o,
  /// Quality of service.
  output logic [3:0]                   aw_qos_o,
  /// Region.
  output logic [3:0]                   aw_region_o,
  /// User bits.
  output logic [UserWidth-1:0]         aw_user_o,
  /// Write data.
  output logic                         w_valid_o,
  /// Taken.
  input  logic                         w_ready_i,
  /// Data.
  output logic [DataWidth-1:0]         w_data_o,
  /// Bytes that are written.
  output logic [DataWidth/8-1:0]       w_strb_o,
  /// Last of its burst.
  output logic                         w_last_o,
  /// Write response.
  input  logic                         b_valid_i,
  /// Taken.
  output logic                         b_ready_o,
  /// Transaction ID.
  input  logic [NodeWidth+IdWidth-1:0] b_id_i,
  /// OKAY, EXOKAY, SLVERR, DECERR.
  input  logic [1:0]                   b_resp_i,
  /// Read data.
  input  logic                         r_valid_i,
  /// Taken.
  output logic                         r_ready_o,
  /// Transaction ID.
  input  logic [NodeWidth+IdWidth-1:0] r_id_i,
  /// Data.
  input  logic [DataWidth-1:0]         r_data_i,
  /// OKAY, EXOKAY, SLVERR, DECERR.
  input  logic [1:0]                   r_resp_i,
  /// Last of its burst.
  input  logic                         r_last_i,
  /// From sare_nic_receive, by class: a flit,
  input  logic [RequestClasses-1:0]           req_valid_i,
  /// the last of its packet,
  input  logic [RequestClasses-1:0]           req_tail_i,
  /// its data.
  input  logic [RequestClasses*FlitWidth-1:0] req_data_i,
  /// It is taken.
  output logic [RequestClasses-1:0]           req_ready_o,
  /// To sare_nic_inject, of the class of responses: a flit, which keeps what follows until its last one is taken,
  output logic                         rsp_valid_o,
  /// the last of its packet,
  output logic                         rsp_tail_o,
  /// its data,
  output logic [FlitWidth-1:0]         rsp_data_o,
  /// node that it is for,
  output logic [NodeWidth-1:0]         rsp_node_o,
  /// flits of its packet.
  output logic [15:0]                  rsp_length_o,
  /// It is taken.
  input  logic                         rsp_ready_i
);

  localparam int unsigned FarId      = NodeWidth + IdWidth;
  localparam int unsigned Address    = IdWidth + AddrWidth + 29 + UserWidth;  // bits of AR and AW
  localparam int unsigned Strobes    = DataWidth / 8;
  localparam int unsigned ReadWidth  = $clog2(Reads + 1);
  localparam int unsigned WriteWidth = $clog2(Writes + 1);

  // ---- Requests ------------------------------------------------------------------------------------------------

  logic                         flit_valid, flit_tail, flit_ready;
  logic [FlitWidth-1:0]         flit_data;
  logic                         valid, is_write, done, beat_valid, beat_last;
  logic [Address-1:0]           address;
  logic [NodeWidth-1:0]         source;
  logic [Strobes+DataWidth-1:0] beat;

  sare_packet_merge #(.Inputs(RequestClasses), .FlitWidth(FlitWidth)) u_merge (
    .clk_i, .rst_ni, .valid_i(req_valid_i), .tail_i(req_tail_i), .data_i(req_data_i), .ready_o(req_ready_o),
    .valid_o(flit_valid), .tail_o(flit_tail), .data_o(flit_data), .ready_i(flit_ready)
  );
  sare_depacketizer #(
    .HeaderWidth(1 + NodeWidth + Address), .BeatWidth(Strobes + DataWidth), .FlitWidth(FlitWidth)
  ) u_request (
    .clk_i, .rst_ni, .valid_i(flit_valid), .tail_i(flit_tail), .data_i(flit_data), .ready_o(flit_ready),
    .valid_o(valid), .header_o({address, source, is_write}), .done_i(done), .beat_valid_o(beat_valid),
    .beat_last_o(beat_last), .beat_o(beat), .beat_taken_i(w_valid_o & w_ready_i)
  );

  logic                  aw_done_q, w_done_q, ar_ends, aw_ends, w_ends, may_write;
  logic [ReadWidth-1:0]  reads_q;   // that the subordinate has, or whose response has not left
  logic [WriteWidth-1:0] writes_q;  // the same

  // The subordinate may wait for data before it takes an address, and the other way round: neither waits here.
  assign ar_valid_o = valid & ~is_write & reads_q != ReadWidth'(Reads);
  assign may_write  = valid & is_write & (aw_done_q | writes_q != WriteWidth'(Writes));
  assign aw_valid_o = may_write & ~aw_done_q;
  assign w_valid_o  = may_write & beat_valid;
  assign w_last_o   = beat_last;
  assign {w_strb_o, w_data_o} = beat;
  assign ar_ends    = ar_valid_o & ar_ready_i;
  assign aw_ends    = aw_valid_o & aw_ready_i;
  assign w_ends     = w_valid_o & w_ready_i & w_last_o;
  assign done       = ar_ends | (may_write & (aw_done_q | aw_ends) & (w_done_q | w_ends));

  assign ar_id_o = {source, address[IdWidth-1:0]};
  assign aw_id_o = {source, address[IdWidth-1:0]};
  assign {ar_user_o, ar_region_o, ar_qos_o, ar_prot_o, ar_cache_o, ar_lock_o, ar_burst_o, ar_size_o, ar_len_o, ar_addr_o} = address[Address-1:IdWidth];
  assign {aw_user_o, aw_region_o, aw_qos_o, aw_prot_o, aw_cache_o, aw_lock_o, aw_burst_o, aw_size_o, aw_len_o, aw_addr_o} = address[Address-1:IdWidth];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
    end else begin
      aw_done_q <= (aw_done_q | aw_ends) & ~done;
      w_done_q  <= (w_done_q | w_ends) & ~done;
    end
  end

  // ---- R: a queue of beats, and one of the bursts in it that are whole; B ------------------------------------------

  logic                 r_valid, r_pop, whole_room, whole_valid, b_valid, b_room;
  logic [DataWidth+1:0] r_beat;
  logic [7:0]           r_place_q;  // beats of the burst that have come
  logic [FarId-1:0]     whole_id, b_id;
  logic [7:0]           whole_len;
  logic [1:0]           b_resp;
  logic [1:0]           pick, from, from_q;  // {write, read}; from_q: whose packet is on its way
  logic                 rsp_done, r_leaves, b_leaves;

  sare_fifo #(.Width(DataWidth + 2), .Depth(ReadBeats)) u_r (
    .clk_i, .rst_ni, .push_i(r_valid_i & r_ready_o), .data_i({r_resp_i, r_data_i}), .room_o(r_ready_o), .pop_i(r_pop),
    .valid_o(r_valid), .data_o(r_beat)
  );
  sare_fifo #(.Width(FarId + 8), .Depth(Reads)) u_whole (
    .clk_i, .rst_ni, .push_i(r_valid_i & r_ready_o & r_last_i), .data_i({r_id_i, r_place_q}), .room_o(whole_room),
    .pop_i(r_leaves), .valid_o(whole_valid), .data_o({whole_id, whole_len})
  );
  sare_fifo #(.Width(FarId + 2), .Depth(Writes)) u_b (
    .clk_i, .rst_ni, .push_i(b_valid_i & b_ready_o), .data_i({b_id_i, b_resp_i}), .room_o(b_room),
    .pop_i(b_leaves), .valid_o(b_valid), .data_o({b_id, b_resp})
  );
  assign b_ready_o = b_room;

  sare_arbiter #(.Inputs(2)) u_turn (
    .clk_i, .rst_ni, .req_i({b_valid, whole_valid}), .served_i(from_q == '0 && (b_valid || whole_valid)),
    .pick_o(pick)
  );
  assign from     = from_q != '0 ? from_q : pick;
  assign r_leaves = rsp_done & from[0];
  assign b_leaves = rsp_done & from[1];

  logic [IdWidth-1:0] rsp_id;
  assign {rsp_node_o, rsp_id} = from[1] ? b_id : whole_id;
  sare_packetizer #(.HeaderWidth(IdWidth + 3), .BeatWidth(DataWidth + 2), .FlitWidth(FlitWidth)) u_response (
    .clk_i, .rst_ni, .valid_i(from != '0), .header_i({rsp_id, from[1] ? b_resp : 2'd0, from[1]}),
    .beats_i(from[1] ? 9'd0 : 9'(whole_len) + 9'd1), .beat_i(r_beat), .beat_taken_o(r_pop), .done_o(rsp_done),
    .valid_o(rsp_valid_o), .tail_o(rsp_tail_o), .data_o(rsp_data_o), .length_o(rsp_length_o), .ready_i(rsp_ready_i)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      from_q    <= '0;
      r_place_q <= '0;
      reads_q   <= '0;
      writes_q  <= '0;
    end else begin
      from_q <= rsp_done ? '0 : from;
      if (r_valid_i && r_ready_o) r_place_q <= r_last_i ? '0 : r_place_q + 1'b1;
      if (ar_ends != r_leaves) reads_q <= ar_ends ? reads_q + 1'b1 : reads_q - 1'b1;
      if (aw_ends != b_leaves) writes_q <= aw_ends ? writes_q + 1'b1 : writes_q - 1'b1;
    end
  end

  logic unused;
  assign unused = ^{r_valid, whole_room};

  `SARE_ASSERT(burst_not_too_long, 32'(r_place_q) < MaxBeats)
  `SARE_ASSERT(answers_what_was_asked, !(b_valid_i && writes_q == '0) && !(r_valid_i && reads_q == '0))

endmodule
