// SPDX-License-Identifier: Apache-2.0

/// Functions of sare_dpi.h for SystemVerilog.
package sare_dpi_pkg;
  typedef int unsigned word;
  /// Data of a flit; a router carries the lowest router_facts::data_bits of them.
  typedef bit [1023:0] payload;

  import "DPI-C" function chandle sare_dpi_open(string file, word router, word seed, word cycles);
  import "DPI-C" function string sare_dpi_error();
  import "DPI-C" function word sare_dpi_ports(chandle bench);
  import "DPI-C" function word sare_dpi_route(chandle bench, word node);
  import "DPI-C" function int sare_dpi_next(chandle bench);
  import "DPI-C" function word sare_dpi_drive(chandle bench, word port, output word head, output word tail,
                                              output word vc, output word source, output word destination,
                                              output word length, output word out_port, output word out_vcs,
                                              output payload data);
  import "DPI-C" function word sare_dpi_drive_back(chandle bench, word port);
  import "DPI-C" function void sare_dpi_read(chandle bench, word port, word head, word tail, word vc,
                                             payload data);
  import "DPI-C" function void sare_dpi_read_back(chandle bench, word port, word vcs);
  import "DPI-C" function string sare_dpi_verdict(chandle bench);
  import "DPI-C" function void sare_dpi_close(chandle bench);
endpackage
