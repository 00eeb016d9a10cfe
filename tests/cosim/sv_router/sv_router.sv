// A router of a line: + and - neighbour, node; 2 VCs; ready and valid, where ready depends on the VC that is offered.
// A packet begins with a word that has its length (63:60) and the port by which it leaves (59:58); no flit is marked.
interface link;
  logic valid, ready, vc;
  logic [63:0] data;
  modport source(output valid, vc, data, input ready);
  modport sink(input valid, vc, data, output ready);
endinterface

module sv_router (
    input logic clock, reset,
    link.sink in[3],
    link.source out[3]
);
  typedef struct packed {
    logic [3:0] left;  // words of the packet under way that are still to come in; 0: a first word is next
    logic [3:0] left_to_send;
    logic [1:0] port;
    logic full, first;
    logic [63:0] word;
  } queue_t;
  queue_t [5:0] q;  // [2 * input + VC]
  logic [5:0] taken;

  for (genvar i = 0; i < 3; i++) begin : inputs
    assign in[i].ready = !q[2*i + int'(in[i].vc)].full;
    for (genvar v = 0; v < 2; v++) begin : vcs
      localparam int k = 2 * i + v;
      always_ff @(posedge clock)
        if (reset) q[k] <= '0;
        else begin
          if (taken[k]) begin
            q[k].full <= 1'b0;
            q[k].left_to_send <= (q[k].first ? q[k].word[63:60] : q[k].left_to_send) - 4'd1;
          end
          if (in[i].valid && in[i].ready && in[i].vc == 1'(v)) begin
            q[k].full  <= 1'b1;
            q[k].first <= q[k].left == 4'd0;
            q[k].word  <= in[i].data;
            q[k].left  <= (q[k].left == 4'd0 ? in[i].data[63:60] : q[k].left) - 4'd1;
            if (q[k].left == 4'd0) q[k].port <= in[i].data[59:58];
          end
        end
    end
  end

  logic [2:0][5:0] takes;
  for (genvar o = 0; o < 3; o++) begin : outputs
    logic [1:0][2:0] owner;  // VC by VC, one-hot: the input whose packet is under way
    logic [5:0] turn;        // one-hot: who is asked first, the one behind who was offered last
    logic [5:0] may;
    logic [12:0] found;      // a chain twice round: somebody before has it
    logic [11:0] has;
    for (genvar k = 0; k < 6; k++)
      assign may[k] = q[k].full && int'(q[k].port) == o &&
                      (q[k].first ? owner[k%2] == 3'd0 : owner[k%2][k/2]);
    assign found[0] = 1'b0;
    for (genvar k = 0; k < 12; k++) begin : chain
      logic here;
      assign here = k >= 6 || |(turn & 6'((1 << (k % 6 + 1)) - 1));  // the turn's or behind it
      assign has[k] = may[k%6] && here && !found[k];
      assign found[k+1] = found[k] || has[k];
    end
    logic [5:0] sends;
    assign sends = has[5:0] | has[11:6];
    always_comb begin
      out[o].valid = |sends;
      out[o].vc = sends[1] || sends[3] || sends[5];
      out[o].data = '0;
      for (int k = 0; k < 6; k++) if (sends[k]) out[o].data |= q[k].word;
    end
    assign takes[o] = out[o].ready ? sends : '0;
    logic last;
    always_comb begin
      last = 1'b0;
      for (int k = 0; k < 6; k++)
        if (sends[k]) last = (q[k].first ? q[k].word[63:60] : q[k].left_to_send) == 4'd1;
    end
    always_ff @(posedge clock)
      if (reset) turn <= 6'd1;
      else if (sends != '0) turn <= {sends[4:0], sends[5]};
    always_ff @(posedge clock)
      if (reset) owner <= '0;
      else if (takes[o] != '0)
        owner[out[o].vc] <= last ? 3'd0 : {|sends[5:4], |sends[3:2], |sends[1:0]};
  end
  assign taken = takes[0] | takes[1] | takes[2];
endmodule
