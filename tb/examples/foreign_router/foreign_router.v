// Wormhole router, 5 ports (0 local, 1 north, 2 east, 3 south, 4 west), ready/valid on both sides, no virtual
// channels. Words of 48 bits:
//   47 first of its packet, 46 last, 45:40 destination (first word only), 39:0 payload
// Where a packet goes is looked up in a table, which is written while RESET is high.
module foreign_router (CK, RESET, prog_we, prog_adr, prog_dat, rx_vld, rx_rdy, rx_dat, tx_vld, tx_rdy, tx_dat);
    parameter W = 48;
    input            CK, RESET;
    input            prog_we;
    input  [5:0]     prog_adr;
    input  [2:0]     prog_dat;
    input  [4:0]     rx_vld;
    output [4:0]     rx_rdy;
    input  [5*W-1:0] rx_dat;
    output [4:0]     tx_vld;
    input  [4:0]     tx_rdy;
    output [5*W-1:0] tx_dat;

    reg [2:0] lut [0:63];
    always @(posedge CK) if (prog_we) lut[prog_adr] <= prog_dat;

    // ---- inputs: a queue each, and the output that its front wants ------------------------------------------
    wire [4:0]     empty, full, pop;
    wire [5*W-1:0] front;
    reg  [14:0]    way;                      // of the packet whose first word is gone, 3 bits an input
    wire [14:0]    want;
    assign rx_rdy = ~full;

    genvar i, o;
    generate
        for (i = 0; i < 5; i = i + 1) begin : in
            sr_fifo #(.W(W)) q (.CK(CK), .RESET(RESET), .push(rx_vld[i] & rx_rdy[i]), .din(rx_dat[i*W +: W]),
                                .pop(pop[i]), .dout(front[i*W +: W]), .empty(empty[i]), .full(full[i]));
            assign want[3*i +: 3] = front[i*W+47] ? lut[front[i*W+40 +: 6]] : way[3*i +: 3];
            always @(posedge CK) if (pop[i]) way[3*i +: 3] <= want[3*i +: 3];
        end
    endgenerate

    // ---- outputs: one packet at a time, inputs in turn; a register before the pins --------------------------
    wire [24:0] take;                        // [5*output + input]
    generate
        for (o = 0; o < 5; o = o + 1) begin : out
            reg         vld, busy;
            reg [W-1:0] dat;
            reg [2:0]   from, next;
            reg [2:0]   sel;
            reg         hit;
            integer     k;
            reg [3:0]   j;
            always @* begin
                sel = from;
                hit = busy & ~empty[from];
                j   = 4'd0;
                if (!busy)
                    for (k = 4; k >= 0; k = k - 1) begin
                        j = {1'b0, next} + k[3:0];
                        if (j > 4'd4) j = j - 4'd5;
                        if (!empty[j[2:0]] && front[j*W+47] && want[3*j +: 3] == o) begin
                            sel = j[2:0];
                            hit = 1'b1;
                        end
                    end
            end
            wire go = hit & (~vld | tx_rdy[o]);
            wire [W-1:0] word = front[sel*W +: W];
            assign take[5*o +: 5] = go ? 5'd1 << sel : 5'd0;
            always @(posedge CK)
                if (RESET) begin
                    vld  <= 1'b0;
                    busy <= 1'b0;
                    from <= 3'd0;
                    next <= 3'd0;
                end else begin
                    if (go) begin
                        dat  <= word;
                        busy <= ~word[46];
                        from <= sel;
                        if (word[46]) next <= sel == 3'd4 ? 3'd0 : sel + 3'd1;
                    end
                    if (go | tx_rdy[o]) vld <= go;
                end
            assign tx_vld[o]         = vld;
            assign tx_dat[o*W +: W]  = dat;
        end
    endgenerate
    assign pop = take[4:0] | take[9:5] | take[14:10] | take[19:15] | take[24:20];
endmodule
