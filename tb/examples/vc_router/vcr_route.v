// Look-ahead: the port by which the *next* router must send on what leaves this one by port `leaves`. Columns first.
// Ports: 0 east, 1 west, 2 north (the next row), 3 south, 4 local.
module vcr_route #(parameter ROUTER_ID = 0, COLS = 4) (
    input      [0:2] leaves,
    input      [0:5] dest,
    output reg [0:2] next);

    localparam integer COL = ROUTER_ID % COLS, ROW = ROUTER_ID / COLS;
    integer dx, dy;                           // from the next router to the destination
    always @* begin
        dx = {26'd0, dest} % COLS - COL - (leaves == 3'd0 ? 1 : leaves == 3'd1 ? -1 : 0);
        dy = {26'd0, dest} / COLS - ROW - (leaves == 3'd2 ? 1 : leaves == 3'd3 ? -1 : 0);
        next = dx > 0 ? 3'd0 : dx < 0 ? 3'd1 : dy > 0 ? 3'd2 : dy < 0 ? 3'd3 : 3'd4;
    end
endmodule
