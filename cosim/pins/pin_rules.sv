// SPDX-License-Identifier: Apache-2.0

/// Rules of a link of routers by its pins: flow control, and the order of flits on each VC.
module sare_link_rules #(
  /// 0: credits, 1: valid and ready, 2: on and off.
  parameter int Flow = 0,
  parameter int Vcs = 1,
  /// Credits: flits of a VC that may be on their way without one.
  parameter int Places = 1,
  /// On and off: cycles from off to the first one without a flit.
  parameter int Reaction = 1,
  /// Valid and ready: an offer stays until it is taken.
  parameter bit Stable = 1'b1,
  /// Flits of the longest packet; 0: any.
  parameter int Longest = 0,
  parameter int VcWidth = Vcs > 1 ? $clog2(Vcs) : 1
) (
  input logic               clk,
  input logic               rst_n,
  input logic               valid,
  input logic               head,
  input logic               tail,
  input logic [VcWidth-1:0] vc,
  /// VCs that get a credit, that are ready, or that are on.
  input logic [Vcs-1:0]     back
);
  logic [Vcs-1:0] open;         // a packet has begun and not ended
  int             used  [Vcs];  // flits for which no credit has come
  int             since [Vcs];  // cycles of off
  int             gone  [Vcs];  // flits of the packet that has begun
  wire        taken   = valid & (Flow != 1 | back[vc]);
  wire [31:0] waiting = used[vc] - 32'(back[vc]);
  wire [31:0] off_for = since[vc];
  wire [31:0] earlier = gone[vc];

  always_ff @(posedge clk)
    for (int v = 0; v < Vcs; v++)
      if (!rst_n) begin
        open[v]  <= 1'b0;
        used[v]  <= 0;
        since[v] <= 0;
        gone[v]  <= 0;
      end else begin
        if (taken && vc == VcWidth'(v)) begin
          open[v] <= ~tail;
          gone[v] <= tail ? 0 : gone[v] + 1;
        end
        used[v]  <= used[v] + 32'(taken && vc == VcWidth'(v)) - 32'(back[v]);
        since[v] <= back[v] ? 0 : since[v] + 1;
      end

  valid_is_known: assert property (@(posedge clk) disable iff (!rst_n) !$isunknown(valid));
  vc_exists: assert property (@(posedge clk) disable iff (!rst_n) valid |-> 32'(vc) < Vcs);
  packets_are_whole: assert property (@(posedge clk) disable iff (!rst_n) taken |-> head == ~open[vc]);

  if (Longest != 0) begin : lengths
    packet_is_no_longer: assert property (@(posedge clk) disable iff (!rst_n) taken |-> earlier < Longest);
  end
  if (Flow == 0) begin : credits
    flit_has_a_credit: assert property (@(posedge clk) disable iff (!rst_n) valid |-> waiting < Places);
  for (genvar v = 0; v < Vcs; v++) begin : of_vc
      wire [31:0] there = used[v];
      credit_has_a_flit: assert property (@(posedge clk) disable iff (!rst_n) back[v] |-> there != 0);
    end
  end
  if (Flow == 1 && Stable) begin : ready
    offer_stays: assert property (@(posedge clk) disable iff (!rst_n)
                                  valid && !back[vc] |=> valid && $stable({vc, head, tail}));
  end
  if (Flow == 2) begin : on_off
    off_is_heard: assert property (@(posedge clk) disable iff (!rst_n)
                                   valid && !back[vc] |-> off_for < Reaction);
  end
endmodule
