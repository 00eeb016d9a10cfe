// SPDX-License-Identifier: Apache-2.0

/// An AXI4 manager with the usual names of pins: fills a block of memory in bursts, reads it back, and asserts that
/// it reads what it wrote; then again, with other data. AXI4 lets it leave out the pins that it does not need.
module dma #(
  parameter bit [31:0] Base = '0,
  /// Bursts of the block, and beats of a burst.
  parameter int unsigned Bursts = 16,
  parameter int unsigned Beats = 4
) (
  input  logic        aclk,
  input  logic        aresetn,
  output logic        m_axi_awvalid,
  input  logic        m_axi_awready,
  output logic [31:0] m_axi_awaddr,
  output logic [7:0]  m_axi_awlen,
  output logic        m_axi_wvalid,
  input  logic        m_axi_wready,
  output logic [63:0] m_axi_wdata,
  output logic        m_axi_wlast,
  input  logic        m_axi_bvalid,
  output logic        m_axi_bready,
  output logic        m_axi_arvalid,
  input  logic        m_axi_arready,
  output logic [31:0] m_axi_araddr,
  output logic [7:0]  m_axi_arlen,
  input  logic        m_axi_rvalid,
  output logic        m_axi_rready,
  input  logic [63:0] m_axi_rdata
);
  logic        reading;
  logic [31:0] round, asked, sent, back;  // bursts asked for, beats sent, answers (bursts written, or beats read)

  function automatic [63:0] value(input logic [31:0] beat);
    value = {beat ^ round, beat * 32'h9e3779b1 + round};
  endfunction

  assign m_axi_awvalid = ~reading & asked != Bursts;
  assign m_axi_arvalid = reading & asked != Bursts;
  assign m_axi_awaddr  = Base + asked * Beats * 8;
  assign m_axi_araddr  = m_axi_awaddr;
  assign m_axi_awlen   = 8'(Beats - 1);
  assign m_axi_arlen   = m_axi_awlen;
  assign m_axi_wvalid  = ~reading & sent != Bursts * Beats;
  assign m_axi_wdata   = value(sent);
  assign m_axi_wlast   = sent % Beats == Beats - 1;
  assign m_axi_bready  = 1'b1;
  assign m_axi_rready  = 1'b1;

  wire done = back == (reading ? Bursts * Beats : Bursts);

  always_ff @(posedge aclk)
    if (!aresetn) {reading, round, asked, sent, back} <= '0;
    else begin
      if ((m_axi_awvalid & m_axi_awready) | (m_axi_arvalid & m_axi_arready)) asked <= asked + 1;
      if (m_axi_wvalid & m_axi_wready) sent <= sent + 1;
      if (m_axi_bvalid | m_axi_rvalid) back <= back + 1;
      if (m_axi_rvalid) reads_what_it_wrote: assert (m_axi_rdata == value(back));
      if (done) begin
        reading             <= ~reading;
        {asked, sent, back} <= '0;
        if (reading) round <= round + 1;
      end
    end
endmodule
