// SPDX-License-Identifier: Apache-2.0
bind foreign_router foreign_router_rules rules (
  .clk(CK), .rst_n(~RESET),
  .in_valid(rx_vld), .in_vc('0), .in_back(rx_rdy),
  .in_head({rx_dat[239], rx_dat[191], rx_dat[143], rx_dat[95], rx_dat[47]}),
  .in_tail({rx_dat[238], rx_dat[190], rx_dat[142], rx_dat[94], rx_dat[46]}),
  .out_valid(tx_vld), .out_vc('0), .out_back(tx_rdy),
  .out_head({tx_dat[239], tx_dat[191], tx_dat[143], tx_dat[95], tx_dat[47]}),
  .out_tail({tx_dat[238], tx_dat[190], tx_dat[142], tx_dat[94], tx_dat[46]})
);
