// SPDX-License-Identifier: Apache-2.0

/// What the proofs share. All signals of a harness that nothing drives are its inputs: any values, every cycle.
`include "sare_assert.svh"

/// What the surroundings promise; like assertions, out of reset.
`define SARE_ASSUME(name_, condition_) always @(posedge clk_i) if (rst_ni) assume (condition_);

/// What is not claimed but helps induction along: of the state inside. `scripts/dev/formal --bite` does without, so that
/// a broken block has to break a claim.
`ifdef SARE_CLAIMS_ALONE
`define SARE_INVARIANT(name_, condition_)
`else
`define SARE_INVARIANT(name_, condition_) `SARE_ASSERT(name_, condition_)
`endif

/// What must be able to happen, so that no proof holds because its promises contradict each other.
`define SARE_COVER(name_, condition_) always @(posedge clk_i) if (rst_ni) cover (condition_);

/// The first cycle is in reset; any later one may be.
`define SARE_RESET_FIRST \
  logic started_q = 1'b0; \
  always @(posedge clk_i) started_q <= 1'b1; \
  always @(posedge clk_i) if (!started_q) assume (!rst_ni);

/// A signal inside the module under proof, for the invariants of its state: Yosys joins it when it flattens. A
/// wrong name leaves it undriven, and the invariant fails.
`define SARE_PEEK (* hierconn *) wire
