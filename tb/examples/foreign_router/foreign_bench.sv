// SPDX-License-Identifier: Apache-2.0

/// A test bench of foreign_router whose traffic and scoreboard are Sare's, by DPI-C:
///   verilator --binary --top foreign_bench tb/dpi/sare_dpi_pkg.sv foreign_bench.sv foreign_router.v sr_fifo.v libsare_dpi.so
///   obj_dir/Vforeign_bench +case=libforeign_router.so +seed=2
module foreign_bench;
  import sare_dpi_pkg::*;
  localparam int Ports = 5, W = 48;

  logic CK = 1'b0, RESET = 1'b1, prog_we = 1'b1;
  logic [5:0] prog_adr = '0;
  logic [2:0] prog_dat = '0;
  logic [Ports-1:0] rx_vld = '0, rx_rdy, tx_vld, tx_rdy = '0;
  logic [Ports*W-1:0] rx_dat = '0, tx_dat;
  foreign_router router (.*);

  chandle bench;
  string  file, verdict;
  word    seed = 1;

  /// Returns its port for Sare's (+ and - in x, + and - in y, node).
  function automatic int mine(int port);
    case (port)
      0: return 2;
      1: return 4;
      2: return 1;
      3: return 3;
      default: return 0;
    endcase
  endfunction

  task automatic drive(int port);
    word head, tail, vc, source, destination, length, out_port, out_vcs;
    payload data;
    rx_vld[mine(port)] = 1'(sare_dpi_drive(bench, word'(port), head, tail, vc, source, destination, length,
                                           out_port, out_vcs, data));
    rx_dat[mine(port)*W +: W] = {head[0], tail[0], destination[5:0], data[39:0]};
    tx_rdy[mine(port)] = 1'(sare_dpi_drive_back(bench, word'(port)));
  endtask

  task automatic read(int port);
    logic [W-1:0] flit;
    flit = tx_dat[mine(port)*W +: W];
    sare_dpi_read_back(bench, word'(port), word'(rx_rdy[mine(port)]));
    if (tx_vld[mine(port)])
      sare_dpi_read(bench, word'(port), word'(flit[47]), word'(flit[46]), 0, payload'(flit[39:0]));
  endtask

  initial begin
    if (!$value$plusargs("case=%s", file)) $fatal(1, "+case=FILE names a case, or the router's library");
    void'($value$plusargs("seed=%d", seed));
    bench = sare_dpi_open(file, 5, seed, 1000);
    if (bench == null) $fatal(1, "%s", sare_dpi_error());
    for (int node = 0; node < 64; node++) begin
      prog_adr = 6'(node);
      prog_dat = 3'(mine(int'(sare_dpi_route(bench, word'(node)))));
      @(negedge CK);
    end
    prog_we = 1'b0;
    @(posedge CK) #1 RESET = 1'b0;
  end

  // Pins change at the falling edge. (In Verilator 5.006 no logic sees what a task writes for a process with delays.)
  always #5 CK = ~CK;
  always @(negedge CK) if (!RESET) begin
    if (sare_dpi_next(bench) == 0) finish();
    else for (int port = 0; port < Ports; port++) drive(port);
  end
  always @(posedge CK) if (!RESET)
    for (int port = 0; port < Ports; port++) read(port);

  function automatic void finish();
    verdict = sare_dpi_verdict(bench);
    sare_dpi_close(bench);
    if (verdict != "") $fatal(1, "%s", verdict);
    $display("the router agrees");
    $finish;
  endfunction
endmodule
