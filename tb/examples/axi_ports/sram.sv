// SPDX-License-Identifier: Apache-2.0

/// An AXI4 memory: one write and one read at a time, all kinds of bursts.
module sram #(
  parameter int unsigned AddrWidth = 16,
  parameter int unsigned IdWidth = 8
) (
  input  logic                 clk,
  input  logic                 rst_n,
  input  logic                 s_axi_awvalid,
  output logic                 s_axi_awready,
  input  logic [IdWidth-1:0]   s_axi_awid,
  input  logic [AddrWidth-1:0] s_axi_awaddr,
  input  logic [7:0]           s_axi_awlen,
  input  logic [2:0]           s_axi_awsize,
  input  logic [1:0]           s_axi_awburst,
  input  logic                 s_axi_wvalid,
  output logic                 s_axi_wready,
  input  logic [63:0]          s_axi_wdata,
  input  logic [7:0]           s_axi_wstrb,
  input  logic                 s_axi_wlast,
  output logic                 s_axi_bvalid,
  input  logic                 s_axi_bready,
  output logic [IdWidth-1:0]   s_axi_bid,
  input  logic                 s_axi_arvalid,
  output logic                 s_axi_arready,
  input  logic [IdWidth-1:0]   s_axi_arid,
  input  logic [AddrWidth-1:0] s_axi_araddr,
  input  logic [7:0]           s_axi_arlen,
  input  logic [2:0]           s_axi_arsize,
  input  logic [1:0]           s_axi_arburst,
  output logic                 s_axi_rvalid,
  input  logic                 s_axi_rready,
  output logic [IdWidth-1:0]   s_axi_rid,
  output logic [63:0]          s_axi_rdata,
  output logic                 s_axi_rlast
);
  logic [63:0] mem [2**(AddrWidth-3)];

  typedef struct packed {
    logic [IdWidth-1:0]   id;
    logic [AddrWidth-1:0] at;
    logic [7:0]           left, len;
    logic [2:0]           size;
    logic [1:0]           burst;
  } access_t;

  /// The access after a beat: FIXED stays, INCR goes on, WRAP does so in its (len + 1) << size bytes.
  function automatic access_t after(input access_t a);
    logic [AddrWidth-1:0] next, whole;
    next   = ((a.at >> a.size) + 1'b1) << a.size;
    whole = ((AddrWidth'(a.len) + 1'b1) << a.size) - 1'b1;
    after  = a;
    after.left = a.left - 1'b1;
    if (a.burst == 2'd1) after.at = next;
    if (a.burst == 2'd2) after.at = (a.at & ~whole) | (next & whole);
  endfunction

  access_t w, r;
  assign s_axi_awready = ~s_axi_wready & ~s_axi_bvalid;
  assign s_axi_bid     = w.id;
  assign s_axi_arready = ~s_axi_rvalid;
  assign s_axi_rid     = r.id;
  assign s_axi_rdata   = mem[r.at[AddrWidth-1:3]];
  assign s_axi_rlast   = r.left == 8'd0;

  always_ff @(posedge clk)
    if (!rst_n) {s_axi_wready, s_axi_bvalid, s_axi_rvalid} <= '0;
    else begin
      if (s_axi_awvalid & s_axi_awready) begin
        w            <= '{s_axi_awid, s_axi_awaddr, s_axi_awlen, s_axi_awlen, s_axi_awsize, s_axi_awburst};
        s_axi_wready <= 1'b1;
      end
      if (s_axi_wvalid & s_axi_wready) begin
        for (int b = 0; b < 8; b++) if (s_axi_wstrb[b]) mem[w.at[AddrWidth-1:3]][8*b +: 8] <= s_axi_wdata[8*b +: 8];
        w <= after(w);
        if (s_axi_wlast) {s_axi_wready, s_axi_bvalid} <= 2'b01;
      end
      if (s_axi_bvalid & s_axi_bready) s_axi_bvalid <= 1'b0;
      if (s_axi_arvalid & s_axi_arready) begin
        r            <= '{s_axi_arid, s_axi_araddr, s_axi_arlen, s_axi_arlen, s_axi_arsize, s_axi_arburst};
        s_axi_rvalid <= 1'b1;
      end
      if (s_axi_rvalid & s_axi_rready) begin
        r <= after(r);
        if (s_axi_rlast) s_axi_rvalid <= 1'b0;
      end
    end
endmodule
