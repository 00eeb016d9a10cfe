// An output port: which input's flit leaves, a register before the pins, and what is known of the VCs beyond.
module vcr_output (
    input              clk, rst_n,
    input      [0:4]   wanted,                // by input
    input      [0:319] leaving,               // their flits
    output     [0:4]   granted,
    output reg         val,
    output reg [0:63]  flit,
    input              crd_val,
    input      [0:1]   crd_vc,
    output reg [0:3]   has_credit, is_free);

    vcr_arbiter #(.N(5)) turn (.clk(clk), .rst_n(rst_n), .req(wanted), .taken(wanted != 5'd0), .gnt(granted));

    integer     i, v;
    reg  [0:63] word;
    always @* begin
        word = 64'd0;
        for (i = 0; i < 5; i = i + 1) word = word | ({64{granted[i]}} & leaving[64*i +: 64]);
    end

    reg  [2:0]  left [0:3];                   // places
    always @* for (v = 0; v < 4; v = v + 1) has_credit[v] = left[v] != 3'd0;

    always @(posedge clk or negedge rst_n)
        if (!rst_n) begin
            val     <= 1'b0;
            is_free <= 4'hf;
            for (v = 0; v < 4; v = v + 1) left[v] <= 3'd4;
        end else begin
            val <= wanted != 5'd0;
            if (wanted != 5'd0) begin
                flit <= word;
                is_free[word[1:2]] <= word[0];
            end
            for (v = 0; v < 4; v = v + 1)
                left[v] <= left[v] + {2'd0, crd_val && crd_vc == v[1:0]} - {2'd0, wanted != 5'd0 && word[1:2] == v[1:0]};
        end
endmodule
