# SPDX-License-Identifier: Apache-2.0
"""Mutants of NICs and of retransmission. Their own test comes first; what it cannot see is in routers, links and blocks beside them."""
from os.path import normpath

from .mutant import TestedMutant

OWN = "nics_test"
AUDITED = "conservation_test"  # random networks, looked at in every cycle
KEYS = "router_fast_test"
INSIDE = "router_insee_test"  # routers that own the injection queues of their nodes
COPIES = "copies_test"  # and drops
MODULES = "systemc_test"
WRITTEN = "checkpoint_test"
RESET = "reset_test"
LOSSES = "failures_test"
THREADS = "threads_test"
STEPPED = "network_test"  # nodes that refuse what arrives
KINDS = "router_kinds_test"

ROWS = [
    # ---- injection
    (301, "nics.cpp", "messages are not padded", "        if (n.pads)\n", "        if (false)\n"),
    (302, "nics.cpp", "a message has the successor of the one that had its slot", "    record.next = class_queue::none;\n", ""),
    (303, "nics_outside.cpp", "a workload that has room is not told", "if (queue.queued <= level)", "if (queue.queued < level)"),
    (304, "nics_outside.cpp", "a workload is told of room again and again", "    queue.call_level = class_queue::none;\n    m_room", "    m_room"),
    (305, "nics.cpp", "room is told one message late", "--queue.queued == queue.call_level", "--queue.queued + 1 == queue.call_level"),
    (306, "nics.cpp", "always the first VC of the class", "vc = vc == queue.last_vc ? queue.first_vc : vc + 1u;\n        if",
     "vc = queue.first_vc;\n        if"),
    (307, "nics.cpp", "credits that just suffice are not enough", ": n.vc_credits[vc] >= need)", ": n.vc_credits[vc] > need)"),
    (308, "nics.cpp", "hops of the packet that had the slot before count", "    p.hops = 0;\n", ""),
    (309, "nics.cpp", "a message is injected with its last packet", "if (m.flits_to_inject == m.what.flits) m.injected = t;", "m.injected = t;"),
    (310, "nics.cpp", "a message of one flit is injected when the slot's last one was", "    m.injected = t;\n    m.flits_to_inject = 0;",
     "    m.flits_to_inject = 0;"),
    (311, "nics.cpp", "cut-through: a head needs one credit", "n.head_credits != 0 ? n.head_credits : flits))", "n.head_credits != 0 ? n.head_credits : 1))"),
    (312, "nics.cpp", "flits without credits", "        if (n.vc_credits[queue.vc] == 0) return false;\n", ""),
    (313, "nics.cpp", "a narrow link takes a flit a cycle", "n.link_free = t + n.flits_extras.cycles_per_flit;", "n.link_free = t + 1;"),
    (314, "nics.cpp", "heads of several flits carry no key", "    key = made.key;\n", "    key = 0;\n", KEYS),
    (315, "nics.cpp", "the class that has sent stays the first", "n.next_queue = static_cast<std::uint8_t>(next);",
     "n.next_queue = static_cast<std::uint8_t>(c);"),
    (316, "nics.cpp", "a class without credits holds the others up", "            return;\n        }\n        c = next;", "        }\n        return;"),
    (317, "nics.cpp", "all links taken for usual ones", "const std::uint64_t unusual = m_injecting[w] & ~m_uniform[w];",
     "const std::uint64_t unusual = 0;"),
    (318, "nics.cpp", "a packet begins with the flit after the last one's", "    queue.sequence = 0;\n", ""),
    # ---- ejection
    (319, "../fabric/run/deliveries.cpp", "a slot of a lost message makes the next one lost", "        m.lost = false;\n", "", COPIES),
    (320, "../fabric/run/deliveries.cpp", "what is left of a lost message is delivered", "        if (!lost)\n", "        if (owner != nullptr)\n", COPIES),
    (321, "nics.cpp", "a copy of a lost packet is all of its message", "p.flits == m.what.flits && !m.lost) {", "p.flits == m.what.flits) {", COPIES),
    (322, "nics.cpp", "the memory bridge is told only if the workload is", "m_wants_deliveries || (m.what.tag >> 63) != 0", "m_wants_deliveries",
     MODULES),
    (323, "nics.cpp", "any packet may follow another one on its VC", "if (expected != 0 || p.route", "if (p.route", AUDITED),
    (324, "nics.cpp", "takes what is for another node", " || p.route.destination != n.node", "", AUDITED),
    (325, "nics.cpp", "a flit may be missing", "if (expected != start + f.sequence)", "if (expected > start + f.sequence)", AUDITED),
    (326, "nics.cpp", "credits of an odd link go back a cycle late", "n.credits_extras, vc, t);", "n.credits_extras, vc, t + 1);"),
    (327, "nics_policy.cpp", "batched credits count twice", "        counts[vc] = 0;\n", "", AUDITED),
    (328, "nics.cpp", "more credits than places", "if (++n.vc_credits[lowest(vcs)] > n.depth) report_credits();",
     "++n.vc_credits[lowest(vcs)];", AUDITED),
    (329, "nics.cpp", "a credit alone is taken for a flit", "        if (come.flit == 0) return;\n", ""),
    (330, "nics.cpp", "of many NICs those of the last cycle run again", "        }\n    }\n    m_awake.clear();\n", "        }\n    }\n"),
    # ---- work that is done outside
    (331, "nics_outside.cpp", "a packet that waits is made anew for each look", "    if (w.flits != 0) return &w;\n", ""),
    (332, "nics_outside.cpp", "a packet that waits has no route", "    if (m_prepares != nullptr) m_prepares->begin(w.route, n.random);\n    return &w;",
     "    return &w;"),
    (333, "nics_outside.cpp", "a packet has what its slot had", "    p = {};\n", "", INSIDE),
    (334, "nics_outside.cpp", "a message is injected when the slot's last one was",
     "        m.injected = workload::never;\n", ""),
    (335, "nics.cpp", "the next packet is as long as the last", "if (--queue.flits_left != 0) return id;\n    w.flits = 0;",
     "if (--queue.flits_left != 0) return id;"),
    (336, "nics_outside.cpp", "the next packet of a router's own queue is the last once more", "    n.held_flits += w.flits;\n    w.flits = 0;", "    n.held_flits += w.flits;",
     INSIDE),
    (337, "nics_outside.cpp", "packets of a router's own queue are not counted", "    ++m_nics[node].injected_packets;\n", ""),
    # ---- layout and wiring
    (338, "nic_table.cpp", "all classes have the VCs of the first", "queue.header.vc_base = queue.first_vc;", "queue.header.vc_base = 0;", AUDITED),
    (339, "nic_table.cpp", "a class takes the next one's first VC, too", "queue.first_vc + shares.own(c) - 1);", "queue.first_vc + shares.own(c) % vcs);"),
    (340, "nic_table.cpp", "all nodes draw the same", "rng(seed, stream::routing, n.node)", "rng(seed, stream::routing, 0)"),
    (341, "nic_table.cpp", "batched credits a word too early", "m_nics[node].flit_at + 1 - w.inbox", "m_nics[node].flit_at - w.inbox", AUDITED),
    (342, "nic_table.cpp", "credits of VCs from 64 on go to the first ones", "    known.inbox += w.first_bit / 64;  // so that the first word holds VC 0\n", "", AUDITED),
    (343, "nic_table.cpp", "a head needs one credit, whatever the switching", "    n.head_credits = head_credits;\n", ""),
    (344, "nic_table.cpp", "routes do not depend on the header's state", "m_from_state_to_state = hops.from_state_to_state;",
     "m_from_state_to_state = 0;", KEYS),
    (345, "nic_table.cpp", "keys of all classes are those of the first", "routes.key(c, {})", "routes.key(0, {})", KEYS),
    (346, "nics_build.cpp", "batched credits taken for usual ones", "if (!m_batched && !m_drop_bad && has", "if (!m_drop_bad && has", AUDITED),
    (347, "nics_build.cpp", "narrow links taken for usual ones", "w.wake_bit != 0 && x.cycles_per_flit == 1 &&", "w.wake_bit != 0 &&"),
    (348, "nics_build.cpp", "longer links taken for usual ones", "if (!simple(n) || n.flits.delay != m_usual_flit_delay ||", "if (!simple(n) ||"),
    (349, "nic_table.cpp", "messages that have not begun count as begun", "if (m.flits_to_inject != m.what.flits) ++started;",
     "if (m.flits_to_inject <= m.what.flits) ++started;"),
    (350, "nic_table.cpp", "credits that are not back are not noticed", "if (n.vc_credits[v] != n.depth)", "if (n.vc_credits[v] > n.depth)"),
    # ---- parameters
    (351, "params.cpp", "no bytes, no flits", "    if (rest != 0 || whole == 0)\n", "    if (rest != 0)\n"),
    (352, "params.cpp", "one flit more for bytes that fill theirs", "(rest + p.header_bytes + p.flit_bytes - 1)", "(rest + p.header_bytes + p.flit_bytes)"),
    (353, "params.cpp", "headers of full packets take no bytes", "room > p.header_bytes ? room - p.header_bytes : 1;", "room;"),
    (354, "params.cpp", "no room for a whole packet", "return whole_packets ? std::max(places, max_packet) : places;", "return places;"),
    (355, "params.cpp", "the NIC's own depth is ignored", "nic.ejection_depth != 0 ? nic.ejection_depth : depth;", "depth;"),
    (356, "params.h", "no delay", "std::uint32_t delay = 1;", "std::uint32_t delay = 0;"),
    (357, "params.h", "a header by default", "std::uint32_t header_bytes = 0;", "std::uint32_t header_bytes = 8;"),
    # ---- state: each of these rebuilds the model
    (358, "../router_api/injection_port.h", "flits that the router of a node consumes are not counted", "++*m_consumed_flits[node];", "(void)node;", INSIDE),
    (359, "nics.h", "routes of several states: all are those of the first", "return way.state * m_from_state_to_state + way.destination;",
     "return way.destination;", KEYS),
    (360, "nic_table.h", "a NIC whose work is done outside injects, too", "m_nics[node].link_free = workload::never;", "m_nics[node].link_free = workload::never - 1;"),
    (361, "state.h", "a packet is on its way before the first", "std::uint32_t packet = none;", "std::uint32_t packet = 0;"),
    (362, "state.h", "nothing in the first cycle", "cycle_t link_free = 0;", "cycle_t link_free = 1;"),
    (384, "nics.h", "credits that come back after a reset are lost", "vc_credits[vc] + credits);", "vc_credits[vc] + 0 * credits);", RESET),
    # ---- checkpoints, resets
    (363, "nics_state.cpp", "credits are not written", "m_credits, ", "", WRITTEN),
    (364, "nics_state.cpp", "how many inject is not written", "m_never_started, m_injecting_nodes", "m_never_started", WRITTEN),
    (365, "nics_reset.cpp", "credits are as before the reset", "    std::fill_n(n.vc_credits, m_around.vcs, n.depth);\n", "", RESET),
    (366, "nics_reset.cpp", "flits that were not sent yet are looked for", "        flits.unsent += queue.flits_left;\n", "", RESET),
    # ---- policies of injection
    (377, "injection_policy.cpp", "tokens are not spent", "    m_buckets[message_class].tokens -= std::uint64_t{flits} << part_bits;\n", ""),
    (378, "injection_policy.cpp", "a bucket overflows", "cycles > to_full ? b.size : b.tokens", "cycles > 2 * to_full ? b.size : b.tokens"),
    (379, "injection_policy.h", "an arbiter is not told whom it has served", "        m_arbiter->served(state(), message_class, of);", "        (void)message_class, (void)of;"),
    (380, "injection_policy.h", "always the first class", "pick(state(), can, of)", "pick(state(), can & (~can + 1), of)"),
    (381, "nics_policy.cpp", "rates are not asked for", "    if (!m_policies[number_of(n)]->conforms(message_class, flits, t)) return false;\n", ""),
    (382, "nics_policy.cpp", "shared VCs are never open", "if (is_open(n, v, need)) open |= vc_mask{1} << v;", "if (n.vc_credits[v] > n.depth) open |= vc_mask{1} << v;"),
    (383, "nic_table.h", "a NIC is taken over once more each time", "is_taken_over(node) ? 0 : 1", "1"),
    # ---- go-back-N
    (367, "../retransmission/go_back_n.cpp", "packets are taken in any order", "return ahead == 0;", "return ahead < 0x80000000;", LOSSES),
    (368, "../retransmission/go_back_n.cpp", "a time-out sends what is next", "    f.next = f.base;\n", "", LOSSES),
    (369, "../retransmission/go_back_n.h", "an acknowledgement waits before any packet came", "bool acknowledge = false; ", "bool acknowledge = true; ", LOSSES),
    (371, "all_nics.cpp", "every part's first NIC is the whole network's", "m_number[node] = next[part_of[node]]++;",
     "m_number[node] = node;", THREADS),
    (372, "all_nics.cpp", "what the others inject does not wake the network", "m_parts.begin(), m_parts.end(), [](const auto& p) { return p->any_injecting(); }",
     "m_parts.begin(), m_parts.begin() + 1, [](const auto& p) { return p->any_injecting(); }", THREADS),
    (373, "all_nics.h", "the NICs of other parts are those of the first", "    nic_ref<nics> at(std::uint32_t node) {\n        if (m_number.empty()) return",
     "    nic_ref<nics> at(std::uint32_t node) {\n        if (!m_parts.empty()) return", THREADS),
    (375, "../retransmission/go_back_n_state.cpp", "a flow that goes on does not know what comes next", "base, next, expected,", "base, next,", "checkpoint_test"),
    (376, "../retransmission/go_back_n_state.cpp", "time-outs are forgotten", "m_came, m_timers, ", "m_came, ", "checkpoint_test"),
    (374, "all_nics.h", "one part of the NICs is asked", "for (const auto& part : m_parts) f(*part);", "f(*m_parts[0]);", THREADS),
    (487, "nics_refusal.cpp", "a node that accepts again takes nothing that it holds", "for (std::size_t k = 0; k < r.flits.size(); ++k) {", "for (std::size_t k = 1; k < r.flits.size(); ++k) {",
     STEPPED),
    (488, "nics_refusal.cpp", "what is held is that of other classes", "return class_of(f) == message_class; }", "return class_of(f) != message_class; }", STEPPED),
    (489, "nics_policy.cpp", "places of a pool are taken twice", "held[vc] + places);\n", "held[vc] + 2 * places);\n", KINDS),
    (370, "../retransmission/go_back_n.h", "a flow waits for its turn before it has one", "bool ready = false; ", "bool ready = true; ", LOSSES),
    # ---- congestion control
    (490, "congestion/aimd.cpp", "a flow is cut at every mark", "if (m_was_cut && now - m_cut < m_params.interval) return;", "", STEPPED),
    (491, "congestion/aimd.cpp", "intervals go on from the last increase, not from the cut", "m_cut = m_from = now;", "m_cut = now;", STEPPED),
    (492, "congestion/dcqcn.cpp", "the target stays where it was at a cut", "        m_now.target = m_now.current;\n", "", STEPPED),
    (493, "congestion/dcqcn.cpp", "steps of timer and byte counter go on after a cut", "        m_now.timer_steps = m_now.counter_steps = 0;\n", "", STEPPED),
]
MUTANTS = [TestedMutant(number, "nic", normpath(f"tlm/nic/{file}"), what, old, new, *(rest or [OWN]))
           for number, file, what, old, new, *rest in ROWS]
