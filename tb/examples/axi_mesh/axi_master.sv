// SPDX-License-Identifier: Apache-2.0

/// An AXI4 manager: writes a block of memory in bursts, four IDs in turn, as fast as it is let; when all is
/// answered it reads it back and compares. Then the next round, with other data.
module axi_master #(
  parameter int unsigned AddrWidth = 32,
  parameter int unsigned DataWidth = 64,
  parameter int unsigned IdWidth = 4,
  parameter int unsigned UserWidth = 1,
  /// First byte of the block.
  parameter bit [AddrWidth-1:0] Base = '0,
  /// Bursts of the block, a multiple of 4.
  parameter int unsigned Bursts = 64,
  /// Beats of a burst.
  parameter int unsigned Beats = 4,
  parameter int unsigned Rounds = 4
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  output logic                   ar_valid_o,
  input  logic                   ar_ready_i,
  output logic [IdWidth-1:0]     ar_id_o,
  output logic [AddrWidth-1:0]   ar_addr_o,
  output logic [7:0]             ar_len_o,
  output logic [2:0]             ar_size_o,
  output logic [1:0]             ar_burst_o,
  output logic                   ar_lock_o,
  output logic [3:0]             ar_cache_o,
  output logic [2:0]             ar_prot_o,
  output logic [3:0]             ar_qos_o,
  output logic [3:0]             ar_region_o,
  output logic [UserWidth-1:0]   ar_user_o,
  output logic                   aw_valid_o,
  input  logic                   aw_ready_i,
  output logic [IdWidth-1:0]     aw_id_o,
  output logic [AddrWidth-1:0]   aw_addr_o,
  output logic [7:0]             aw_len_o,
  output logic [2:0]             aw_size_o,
  output logic [1:0]             aw_burst_o,
  output logic                   aw_lock_o,
  output logic [3:0]             aw_cache_o,
  output logic [2:0]             aw_prot_o,
  output logic [3:0]             aw_qos_o,
  output logic [3:0]             aw_region_o,
  output logic [UserWidth-1:0]   aw_user_o,
  output logic                   w_valid_o,
  input  logic                   w_ready_i,
  output logic [DataWidth-1:0]   w_data_o,
  output logic [DataWidth/8-1:0] w_strb_o,
  output logic                   w_last_o,
  input  logic                   b_valid_i,
  output logic                   b_ready_o,
  input  logic [IdWidth-1:0]     b_id_i,
  input  logic [1:0]             b_resp_i,
  input  logic                   r_valid_i,
  output logic                   r_ready_o,
  input  logic [IdWidth-1:0]     r_id_i,
  input  logic [DataWidth-1:0]   r_data_i,
  input  logic [1:0]             r_resp_i,
  input  logic                   r_last_i,
  /// All rounds are over.
  output logic                   done_o,
  /// Beats compared, and those that were wrong.
  output logic [31:0]            beats_o,
  output logic [31:0]            errors_o
);

  localparam int unsigned Bytes = DataWidth / 8;

  typedef logic [31:0] count_t;

  logic   reading_q;
  count_t round_q, aw_q, w_q, w_beat_q, b_q, ar_q, r_q;
  count_t beat_q [4];  // by ID: beats that have come

  /// What beat `beat` of burst `burst` holds.
  function automatic [DataWidth-1:0] value(input count_t round, input count_t burst, input count_t beat);
    value = {(DataWidth/32){(burst * Beats + beat) * 32'h9e3779b1 + round * 32'h85ebca6b}};
  endfunction
  function automatic [AddrWidth-1:0] place(input count_t burst);
    place = Base + AddrWidth'(burst * Beats * Bytes);
  endfunction

  assign done_o     = round_q == Rounds;
  assign aw_valid_o = ~done_o & ~reading_q & aw_q != Bursts;
  assign aw_id_o    = IdWidth'(aw_q % 4);
  assign aw_addr_o  = place(aw_q);
  assign w_valid_o  = ~done_o & ~reading_q & w_q != Bursts;
  assign w_data_o   = value(round_q, w_q, w_beat_q);
  assign w_strb_o   = '1;
  assign w_last_o   = w_beat_q == Beats - 1;
  assign b_ready_o  = 1'b1;
  assign ar_valid_o = ~done_o & reading_q & ar_q != Bursts;
  assign ar_id_o    = IdWidth'(ar_q % 4);
  assign ar_addr_o  = place(ar_q);
  assign r_ready_o  = 1'b1;

  assign {ar_len_o, aw_len_o}       = {2{8'(Beats - 1)}};
  assign {ar_size_o, aw_size_o}     = {2{3'($clog2(Bytes))}};
  assign {ar_burst_o, aw_burst_o}   = {2{2'd1}};
  assign {ar_lock_o, aw_lock_o}     = '0;
  assign {ar_cache_o, aw_cache_o}   = '0;
  assign {ar_prot_o, aw_prot_o}     = '0;
  assign {ar_qos_o, aw_qos_o}       = '0;
  assign {ar_region_o, aw_region_o} = '0;
  assign {ar_user_o, aw_user_o}     = '0;

  // The n-th beat of an ID is of its burst n / Beats, which is burst 4 (n / Beats) + ID of the block.
  logic [1:0] id;
  count_t     n;
  logic       wrong;
  assign id    = 2'(r_id_i);
  assign n     = beat_q[id];
  assign wrong = r_resp_i != 2'd0 || r_data_i != value(round_q, n / Beats * 4 + count_t'(id), n % Beats)
               || r_last_i != (n % Beats == Beats - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reading_q <= 1'b0;
      {round_q, aw_q, w_q, w_beat_q, b_q, ar_q, r_q, beats_o, errors_o} <= '0;
      for (int i = 0; i < 4; i++) beat_q[i] <= '0;
    end else begin
      if (aw_valid_o && aw_ready_i) aw_q <= aw_q + 1;
      if (w_valid_o && w_ready_i) begin
        w_beat_q <= w_last_o ? '0 : w_beat_q + 1;
        if (w_last_o) w_q <= w_q + 1;
      end
      if (b_valid_i) begin
        b_q      <= b_q + 1;
        if (b_resp_i != 2'd0) errors_o <= errors_o + 1;
      end
      if (ar_valid_o && ar_ready_i) ar_q <= ar_q + 1;
      if (r_valid_i) begin
        beat_q[id] <= n + 1;
        beats_o    <= beats_o + 1;
        if (wrong) errors_o <= errors_o + 1;
        if (r_last_i) r_q <= r_q + 1;
      end
      if (!reading_q && b_q == Bursts) begin
        reading_q <= 1'b1;
      end
      if (reading_q && r_q == Bursts) begin
        reading_q <= 1'b0;
        round_q   <= round_q + 1;
        {aw_q, w_q, b_q, ar_q, r_q} <= '0;
        for (int i = 0; i < 4; i++) beat_q[i] <= '0;
      end
    end
  end

  logic unused;
  assign unused = ^{b_id_i, r_id_i};

endmodule
