// SPDX-License-Identifier: Apache-2.0

/// Which node owns an address: the first region that has it.
module sare_axi_map #(
  /// Bits of an address.
  parameter int unsigned AddrWidth = 32,
  /// Bits of a node's number.
  parameter int unsigned NodeWidth = 4,
  /// Regions, from 1; region 0 lowest in the next three.
  parameter int unsigned Regions = 1,
  /// First address of each,
  parameter bit [Regions*AddrWidth-1:0] Base = '0,
  /// last address,
  parameter bit [Regions*AddrWidth-1:0] Last = '1,
  /// node.
  parameter bit [Regions*NodeWidth-1:0] Node = '0
) (
  /// Of an address:
  input  logic [AddrWidth-1:0] addr_i,
  /// some region has it,
  output logic                 hit_o,
  /// of this node.
  output logic [NodeWidth-1:0] node_o
);

  // The highest region first: what comes later, the lower ones, overrules it.
  always_comb begin
    hit_o  = 1'b0;
    node_o = '0;
    for (int unsigned r = Regions; r > 0; r--) begin
      if (addr_i >= Base[(r-1)*AddrWidth +: AddrWidth] && addr_i <= Last[(r-1)*AddrWidth +: AddrWidth]) begin
        hit_o  = 1'b1;
        node_o = Node[(r-1)*NodeWidth +: NodeWidth];
      end
    end
  end

endmodule
