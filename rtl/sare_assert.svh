// SPDX-License-Identifier: Apache-2.0

/// Holds at every rising edge of clk_i out of reset. An immediate assertion: simulators and Yosys alike.
`ifndef SARE_ASSERT
`ifdef SYNTHESIS
`define SARE_ASSERT(name_, condition_)
`elsif FORMAL
// No label: Yosys 0.23 takes one only once, even in a loop. scripts/dev/formal finds the name in the line.
`define SARE_ASSERT(name_, condition_) always @(posedge clk_i) if (rst_ni) assert (condition_);
`else
`define SARE_ASSERT(name_, condition_) \
  always @(posedge clk_i) if (rst_ni) name_ : assert (condition_);
`endif
`endif
