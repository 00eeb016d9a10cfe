# SPDX-License-Identifier: Apache-2.0
"""Mutants of NICs and of AXI bridges in RTL, compared with the models."""
from sare.rtl import source

from .mutant import CosimMutant

NICS = [
    # ---- injection
    (430, "nic_inject", "after reset the VC after the last is the first", "ServedAtReset(0)", "ServedAtReset(ClassVcs - 1)"),
    (431, "nic_inject", "cut-through as wormhole", ": Switching == sare_pkg::CutThrough ? count", ": 1'b0 ? count"),
    (432, "nic_inject", "atomic: a VC that has a credit will do", "Reallocation == sare_pkg::Atomic ? all", "Reallocation == sare_pkg::Atomic ? credits[v]"),
    (433, "nic_inject", "body flits need no credits", "open_q ? vc_q & credits : pick", "open_q ? vc_q : pick"),
    (434, "nic_inject", "the turn of classes never moves", ".served_i(can != '0), .pick_o(picked)", ".served_i(1'b0), .pick_o(picked)"),
    (435, "nic_inject", "the turn of VCs moves with every flit", ".served_i(picked[c] & head[c])", ".served_i(picked[c])"),
    (436, "nic_inject", "a packet goes on after its tail", "open_q <= ~tail_i[c]", "open_q <= 1'b1"),
    (437, "nic_inject", "a packet stays open through a reset", "if (!rst_ni) open_q <= 1'b0;\n      else if (picked[c]) open_q", "if (picked[c]) open_q"),
    (438, "nic_inject", "flits are on the link a cycle late", ".Stages(Delay + 1)", ".Stages(Delay + 2)"),
    (439, "nic_inject", "VCs are numbered within their class", " + VcWidth'(c * ClassVcs);\n", ";\n"),
    (531, "nic_inject", "all places of a shared buffer are of the pool", ".Reserved(Reserved), .Pool(Pool)", ".Reserved(0), .Pool(Pool + Vcs * Reserved)"),
    # ---- what a head has on the link beside its flit, field by field
    (475, "nic_inject", "header: destinations of all classes are those of the first", "dest_i[c*DestWidth +: DestWidth]", "dest_i[0 +: DestWidth]"),
    (476, "nic_inject", "header: the lowest bit of the destination is lost", "out_head, out_tail, out_data, out_dest, out_ways, out_length, out_vc, out_vc_base, route_port",
     "out_head, out_tail, out_data, DestWidth'(out_dest & ~DestWidth'(1)), out_ways, out_length, out_vc, out_vc_base, route_port"),
    (477, "nic_inject", "header: ways of all classes are those of the first", "ways_i[c*2*Dims +: 2*Dims]", "ways_i[0 +: 2*Dims]"),
    (478, "nic_inject", "header: ways of lower and upper dimensions swapped", "ways_i[c*2*Dims +: 2*Dims]",
     "ways_i[c*2*Dims +: Dims], ways_i[c*2*Dims + Dims +: Dims]"),
    (479, "nic_inject", "header: the first VC of the class is that of the packet", "number, VcWidth'(c * ClassVcs)\n", "number, number\n"),
    (480, "nic_inject", "header: the first VC is that of the first class", "number, VcWidth'(c * ClassVcs)\n", "number, VcWidth'(0)\n"),
    (481, "nic_inject", "header: lengths of all classes are those of the first", "length_i[c*CountWidth +: CountWidth], number", "length_i[0 +: CountWidth], number"),
    (482, "nic_inject", "header: the length is of two bits", "length_i[c*CountWidth +: CountWidth], number", "length_i[c*CountWidth +: CountWidth] & CountWidth'(3), number"),
    (483, "nic_inject", "header: look-ahead to port 0", "out_vc_base, route_port, route_vcs\n", "out_vc_base, PortWidth'(0), route_vcs\n"),
    (484, "nic_inject", "header: look-ahead from the last router", ".here_i, .last_i,", ".here_i(last_i), .last_i,"),
    (485, "nic_inject", "header: look-ahead to VCs of the first class", ".vc_base_i(out_vc_base)", ".vc_base_i('0)"),
    (486, "nic_inject", "header: look-ahead to the VC of the packet alone", "out_vc_base, route_port, route_vcs\n",
     "out_vc_base, route_port, route_vcs & (Vcs'(1) << out_vc)\n"),
    # ---- ejection
    (440, "nic_receive", "packets of a class are mixed", "from_q != '0 ? from_q : pick", "pick"),
    (441, "nic_receive", "credits leave a cycle late", ".Stages(CreditDelay + 1)", ".Stages(CreditDelay + 2)"),
    (442, "nic_receive", "a packet ends with any flit", "ready_i[c] && tail_o[c] ? '0 : from", "ready_i[c] ? '0 : from"),
    (443, "nic_receive", "the turn moves with every flit", "served_i(from_q == '0 && stored != '0)", "served_i(stored != '0)"),
    (444, "nic_receive", "a flit is gone although the node is not ready", " & {ClassVcs{ready_i[c]}}", ""),
    (445, "nic_receive", "a packet stays open through a reset", "if (!rst_ni) from_q <= '0;\n      else if (valid_o[c]) from_q", "if (valid_o[c]) from_q"),
]

BRIDGES = [
    # ---- a manager's
    (450, "axi_manager_bridge", "room for read data is not given back", "room_q + RoomWidth'(r_pop) -", "room_q -"),
    (451, "axi_manager_bridge", "a read takes room for a beat too few", "RoomWidth'(ar_beats) : '0)", "RoomWidth'(ar_beats - 9'd1) : '0)"),
    (452, "axi_manager_bridge", "a write goes before its data", "aw_hit & aw_may & w_whole_q != '0;", "aw_hit & aw_may;"),
    (453, "axi_manager_bridge", "errors go into bursts", "r_busy_q ? r_busy_error_q : r_error_q", "r_error_q"),
    (454, "axi_manager_bridge", "reads of no node get SLVERR", "r_from_error ? 2'd3 : r_resp", "r_from_error ? 2'd2 : r_resp"),
    (455, "axi_manager_bridge", "an error is one beat long", "r_from_error ? r_error_left_q == '0", "r_from_error ? 1'b1"),
    (456, "axi_manager_bridge", "reads and writes take no turns", "served_i(from_q == '0 && goes != '0)", "served_i(1'b0)"),
    (457, "axi_manager_bridge", "room stays through a reset", "      room_q         <= RoomWidth'(ReadBeats);\n", ""),
    # ---- a subordinate's
    (458, "axi_subordinate_bridge", "any number of reads", " & reads_q != ReadWidth'(Reads);", ";"),
    (459, "axi_subordinate_bridge", "IDs of reads without the node", "assign ar_id_o = {source,", "assign ar_id_o = {NodeWidth'(0),"),
    (460, "axi_subordinate_bridge", "beats of all bursts are counted on", "r_last_i ? '0 : r_place_q + 1'b1", "r_place_q + 1'b1"),
    (461, "axi_subordinate_bridge", "errors of writes are not told", "from[1] ? b_resp : 2'd0", "2'd0"),
    (462, "axi_subordinate_bridge", "an answer goes on after its packet", "from_q <= rsp_done ? '0 : from;", "from_q <= from;"),
    # ---- what both are made of
    (463, "axi_order", "an end is that of all of its ID", "ending & (~ending + 1'b1)", "ending"),
    (464, "axi_order", "any number of one ID", " && 32'(count) < PerId", ""),
    (465, "axi_map", "all regions are of the first one's node", "Node[(r-1)*NodeWidth +: NodeWidth]", "Node[0 +: NodeWidth]"),
    (466, "packetizer", "a beat is taken with its first flit", "taken & last_part & ~in_header", "taken & ~in_header"),
    (467, "packetizer", "packets are as long as their beats", "16'(HeaderFlits) + 16'(beats_i)", "16'(beats_i)"),
    (468, "depacketizer", "a beat has its last flit first", "{data_i, parts_q}", "{parts_q, data_i}"),
    (469, "depacketizer", "the next packet comes into this one", "(more_q & room)", "room"),
    (470, "packet_merge", "packets are mixed", "else if (valid_o && ready_i && tail_o) from_q", "else if (valid_o && ready_i) from_q"),
    (471, "fifo", "one place too few", "room_o  = count_q != CountWidth'(Depth);", "room_o  = 32'(count_q) + 1 < Depth;"),
    (472, "fifo", "push and pop at once lose one", "if (push_i != pop_i) count_q <= push_i ?", "if (push_i || pop_i) count_q <= push_i && !pop_i ?"),
]

MUTANTS = [CosimMutant(number, "rtl", source(f"sare_{module}"), what, old, new, of=of)
           for of, rows in (("nics", NICS), ("bridges", BRIDGES)) for number, module, what, old, new in rows]
