// An input port: four queues of four flits. Each cycle one of them asks for an output port and a VC there.
module vcr_input #(parameter ROUTER_ID = 0, COLS = 4) (
    input             clk, rst_n,
    input             val,
    input      [0:63] flit,
    output reg        crd_val,
    output reg [0:1]  crd_vc,
    input      [0:19] has_credit, is_free,    // of output VCs, four a port
    output     [0:4]  wants,                  // output port, one-hot
    output     [0:63] leaving,
    input             granted);

    reg  [0:63] mem [0:15];
    reg  [1:0]  wr [0:3], rd [0:3];
    reg  [2:0]  used [0:3];
    reg  [0:3]  under_way;                    // the first flit of a packet has left, the last one has not
    reg  [0:2]  port [0:3];                   // of the packet under way
    reg  [0:1]  vc [0:3];

    // ---- what each queue could do
    integer     v;
    reg  [0:63] front [0:3];
    reg  [0:2]  to [0:3];
    reg  [0:3]  open;                         // VCs that a first flit could take
    reg  [0:1]  as [0:3];
    reg  [3:0]  can;
    always @*
        for (v = 0; v < 4; v = v + 1) begin
            front[v] = mem[{v[1:0], rd[v]}];
            to[v]    = under_way[v] ? port[v] : front[v][3:5];
            open     = is_free[4*to[v] +: 4] & has_credit[4*to[v] +: 4];
            as[v]    = under_way[v] ? vc[v] : open[0] ? 2'd0 : open[1] ? 2'd1 : open[2] ? 2'd2 : 2'd3;
            can[v]   = used[v] != 3'd0 && (under_way[v] ? has_credit[4*to[v] + {3'd0, vc[v]}] : open != 4'd0);
        end

    wire [3:0] pick;
    vcr_arbiter #(.N(4)) turn (.clk(clk), .rst_n(rst_n), .req(can), .taken(granted), .gnt(pick));
    wire [0:1] s = pick[0] ? 2'd0 : pick[1] ? 2'd1 : pick[2] ? 2'd2 : 2'd3;

    wire [0:2] next;
    vcr_route #(.ROUTER_ID(ROUTER_ID), .COLS(COLS)) ahead (.leaves(to[s]), .dest(front[s][6:11]), .next(next));
    assign wants   = can != 4'd0 ? 5'b10000 >> to[s] : 5'd0;
    assign leaving = {front[s][0], as[s], under_way[s] ? 3'd0 : next, front[s][6:63]};

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            under_way <= 4'd0;
            crd_val   <= 1'b0;
            crd_vc    <= 2'd0;
            for (v = 0; v < 4; v = v + 1) begin
                wr[v]   <= 2'd0;
                rd[v]   <= 2'd0;
                used[v] <= 3'd0;
            end
        end else begin
            if (val) begin
                mem[{flit[1:2], wr[flit[1:2]]}] <= flit;
                wr[flit[1:2]] <= wr[flit[1:2]] + 2'd1;
            end
            if (granted) begin
                rd[s]        <= rd[s] + 2'd1;
                under_way[s] <= ~front[s][0];
                port[s]      <= to[s];
                vc[s]        <= as[s];
            end
            for (v = 0; v < 4; v = v + 1)
                used[v] <= used[v] + {2'd0, val && flit[1:2] == v[1:0]} - {2'd0, granted && s == v[1:0]};
            crd_val <= granted;
            crd_vc  <= s;
        end
endmodule
