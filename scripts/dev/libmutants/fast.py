# SPDX-License-Identifier: Apache-2.0
"""Mutants of VC routers. The test holds listed and scanned ones to wide ones, which sare cosim holds to the RTL."""
from .mutant import TestedMutant

TEST = "router_fast_test"
WRITTEN = "checkpoint_test"
FORKS = "forking_test"

ONLY_FETCHES = "prefetching brings lines into the cache and changes nothing"
TIE = "two on one diagonal want different outputs, so it makes no difference which of them is first"

ROWS = [
    # ---- the block: accounts of credits, ways that heads carry, what is foreseen
    (201, "layout/credit_account.h", "a credit given soon after another is not noted", "? m_recent << later | 1 : 1);", "? m_recent << later : 1);"),
    (202, "layout/credit_account.h", "credits on their way come a cycle late", "<< (later - 1 - k)", "<< (later - k)"),
    (203, "layout/credit_account.h", "what has spent its credits waits for an open account", "m_state = state::closed;", "m_state = state::open;"),
    (204, "layout/block.h", "what is foreseen leaves a cycle late after a pause", "            if (cycles == 2)\n", "            if (cycles == 3)\n"),
    (205, "layout/block.h", "credits of a VC that no packet has feed its last packet", "& ~this->stocked & ~unowned", "& ~this->stocked"),
    (206, "layout/block.h", "what is foreseen is not forgotten with the times", "        this->leave(this->leaving(now));\n", ""),
    (207, "layout/block.h", "credits count twice after a long pause", "+= account->take_back(now);", "+= account->back_by(now);"),
    (208, "machine/route.h", "a head goes on as before for ever", "return word - one_router;", "return word;"),
    (209, "layout/block.h", "flits sent ahead show a cycle early", "is_member(s.soon.out | s.later.out, o); }", "is_member(s.later.out, o); }"),
    (210, "layout/block.h", "VA that is to come shows", "s.free | s.later.out | ~this->wired", "s.free | ~this->wired"),
    # ---- the bank: numbering, wiring, views
    (211, "bank.h", "an inbox has one word for any number of VCs", "return {block::inbox_sets, ports};", "return {1, ports};"),
    (212, "bank.h", "planes do not reach as far as is foreseen", "m_around.shape.foresees ? bypass_cycles : 0", "0"),
    (213, "bank.h", "credits that no wire carries do not show", "return at(k).credits_coming(number(port, vc), now());", "return 0;"),
    (214, "bank.h", "a view of what has not left yet", "return at(k).as_of(now());", "return at(k);"),
    (215, "bank.cpp", "after reset number 1 is the first of an output VC's turn", "b.owner(i) = static_cast<number_type>(s.in_vcs - 1);", "b.owner(i) = 0;"),
    (216, "bank.cpp", "after reset VC 1 is the first of a port's turn", "b.sa_vc(p) = static_cast<number_type>(s.vcs - 1);", "b.sa_vc(p) = 0;"),
    (217, "bank.cpp", "after reset number 1 is the first of an offer's turn", "fill(turns.row, s.crossbar_outputs);", "fill(turns.row, 1);"),
    (218, "bank.cpp", "drained when one place is still taken", "static_cast<typename block::number_type>(x.depth);", "static_cast<typename block::number_type>(x.depth - 1);"),
    (219, "bank.cpp", "an account for a link that is too long for it", "delay + bypass_cycles <= credit_account::longest",
     "delay <= credit_account::longest + bypass_cycles"),
    (220, "bank.cpp", "links of another latency taken for usual ones", "&& x.cycles_per_flit == 1 && w.delay == delay;",
     "&& x.cycles_per_flit == 1 && w.delay != delay + 1;"),
    (221, "bank.cpp", "the view of a buffer does not wrap", "(b.in(i).head + n) % s.depth * s.row + i", "b.in(i).head % s.depth * s.row + i"),
    (222, "bank.cpp", "what is foreseen has its header of before", "if (n == 0 && (soon || later)) f =", "if (n == 0 && soon) f ="),
    # ---- which routers are fast, and what they have
    (228, "layout_choice.cpp", "an escape is taken before there is room for the packet", "s.room_in_va = s.room && (", "s.room_in_va = false && ("),
    (229, "layout_choice.cpp", "ways do not depend on the input port", "    s.by_input = net.routes().by_input();\n", ""),
    (230, "bank.cpp", "escapes come first", "for (const bool escapes : {false, true})", "for (const bool escapes : {true, false})"),
    (231, "layout_choice.cpp", "VCs with one crossbar input are neighbours", "static_cast<std::uint8_t>(v % p.input_speedup)", "static_cast<std::uint8_t>(v / p.input_speedup % p.input_speedup)"),
    (233, "layout_choice.cpp", "foresees where VA takes no cycle", "return s.rc == 1 && s.va == 1 && !s.adaptive;", "return s.rc == 1 && !s.adaptive;"),
    # ---- a cycle
    (234, "layout/cycle.h", "round robin always begins with VC 0", "return lowest(later != 0 ? later : members);", "return lowest(members);"),
    (235, "layout/cycle.h", "the one served stays the first", "((1u << S) - 1)) > last)", "((1u << S) - 1)) >= last)"),
    (236, "layout/cycle.h", "a router that has more to do is not called again", "plane[first_word + (k >> 6)] |=", "plane[first_word + (k >> 6 & 0)] |= 0 *"),
    (237, "layout/cycle.h", "all ways are those of input port 0", "return port * rules.by_input + head.sequence;",
     "return 0 * port + head.sequence;"),
    (238, "layout/cycle.h", "what is foreseen is sent a cycle early", "later_flits = this->around.ring.at(t + bypass_cycles +", "later_flits = this->around.ring.at(t + 1 +"),
    (239, "layout/cycle.h", "the credit of what is foreseen comes a cycle early", "later_credits = this->around.ring.at(t + bypass_cycles +",
     "later_credits = this->around.ring.at(t + 1 +"),
    # ---- to and from links, of routers in lists; ways of heads
    (240, "machine/link_side.h", "credits that are back are not looked up", "if (__builtin_expect(--to.credits[vc] != 0, 1) || look_up_credits(m_c, m_b, o))",
     "if (--to.credits[vc] != 0)"),
    (241, "machine/link_side.h", "credits on their way come by wire a cycle early", "c.plane_in(1 + static_cast<std::uint32_t>(lowest(coming)))",
     "c.plane_in(lowest(coming) == 0 ? 1 : static_cast<std::uint32_t>(lowest(coming)))"),
    (242, "machine/link_side.h", "credits by wire wake nothing", "        wake(c, plane, inbox);\n", ""),
    (243, "machine/link_side.h", "flits wake nothing", "        wake(m_c, plane, to.flit_inbox);\n", ""),
    (244, "machine/route.h", "an answer holds for more routers than a head can say", "std::min<std::uint32_t>(1 + ways.repeats, way::longest)",
     "1 + ways.repeats"),
    (245, "machine/route.h", "a head is not counted where it goes on as before", "p.hops + routers);", "p.hops + 1);"),
    (246, "machine/route.h", "the message class is ignored where the function is asked", "(static_cast<set>(first.vcs) << p.route.vc_base) & port_mask", "static_cast<set>(first.vcs) & port_mask"),
    # ---- ports unlike the others
    (247, "machine/odd_ports.h", "a flit keeps the VC that it came on", "        flit::set_vc(word, vc);\n", ""),
    (248, "machine/odd_ports.h", "routers that a head had still ahead are counted", "p.hops - packed_route<S, N>::routers(word));",
     "p.hops);"),
    (249, "machine/odd_ports.h", "a head keeps its way before a router that does not know of it", "return packed_route<S, N>::pack(word, 0, 0, 0);", "return word;"),
    (250, "machine/odd_ports.h", "credits are back a cycle early", "(t + in.credits.delay));", "(t + in.credits.delay - 1));"),
    # ---- lone flits
    (251, "bypass/router_bypass.h", "short cut while a second flit waits", "m_b.active | m_b.behind | m_b.odd", "m_b.active | m_b.odd"),
    (252, "bypass/router_bypass.h", "short cut behind a flit that has not left", "if ((arrived & m_b.staying(m_c.now)) != 0) return false;", ""),
    (253, "bypass/router_bypass.h", "short cut for packets of several flits", "        if (!flit::from_word(word).is_tail()) return {};\n", ""),
    (254, "bypass/router_bypass.h", "two heads for one port", "if (!r.granted || is_member(ports, r.o >> S)) return false;", "if (!r.granted) return false;"),
    (255, "bypass/router_bypass.h", "an output VC that is given stays free", "        m_b.free &= ~one(r.o);\n", ""),
    (256, "bypass/router_bypass.h", "short cut without credits", "return {is_member(m_b.stocked, o), i,", "return {true, i,"),
    (257, "layout/block.h", "a flit that leaves in this cycle has left", "(cycles <= 2 ? set{} : later.in)", "(cycles <= 1 ? set{} : later.in)"),
    (258, "bypass/router_bypass.h", "a credit is back before its flit has left", "m_c.now + bypass_cycles + m_c.credit_delay", "m_c.now + m_c.credit_delay"),
    (259, "bypass/prefetch.h", "blocks are fetched when their turn is near", "fetch_block(routers[far]);", "fetch_block(routers[beyond]);", TEST, ONLY_FETCHES),
    (260, "bypass/prefetch.h", "the port of no flit that comes is fetched", "return !m_c.keyed && f.is_head() && packed_route<S, N>::is_known(f.as_word());",
     "return !m_c.keyed && f.is_head() && !packed_route<S, N>::is_known(f.as_word());", TEST, ONLY_FETCHES),
    # ---- the step
    (261, "machine/vc_allocation.h", "a later head takes a VC out of turn", "return holder <= last && challenger > last;", "return challenger > last;"),
    (262, "machine/stage.h", "a credit that just suffices is not enough", "return m_b.credits(o) >= m_b.need[i] &&", "return m_b.credits(o) > m_b.need[i] &&"),
    (263, "machine/flit_arrivals.h", "store-and-forward: of two packets in a VC the first goes twice", "m_b.tails[i]++ != 0) continue;", "m_b.tails[i]++ > 1) continue;"),
    (264, "machine/flit_arrivals.h", "cut-through: credits that come wake no packet", "            if (has_room()) feed_room(owned);\n", ""),
    (266, "machine/switch_allocation.h", "speculative grants without a VC", " || is_member(m_b.va, i) ||", " ||"),
    (267, "machine/switch_allocation.h", "speculative grants at inputs of plain ones", "is_member(p.usual.inputs, x) || is_member", "is_member"),
    (268, "machine/switch_allocation.h", "speculative grants at outputs of plain ones", "is_member(p.usual.outputs, y) || ", ""),
    (271, "machine/stage.h", "the ways of input port 0", "!plain ? m_c.entry(i >> S, head) : head.sequence", "head.sequence"),
    (272, "machine/vc_allocation.h", "of ways with as many credits the last", "if (credits <= most) continue;", "if (credits < most) continue;"),
    (273, "machine/vc_allocation.h", "an escape with other VCs free", "const bool escapes = !some(open & ways.adaptive);", "const bool escapes = ways.escape < ways.size;"),
    (274, "machine/flit_arrivals.h", "what is drained is never free again", "            m_b.free |= one(o);\n", ""),
    (275, "machine/step.h", "heads that wait for a foreseen flit's VC sleep on", "            if (leaving.out != 0) again |= m_b.va;\n", ""),
    (276, "machine/step.h", "a head that lost VA sleeps", "                if (bidding != 0) again |= bidding;\n", ""),
    (277, "machine/step.h", "heads that wait for a VC are not woken", "if (gone.freed != 0) again |= m_b.va;",
     ""),
    (278, "machine/stage.h", "the buffer wraps a place late", "c.head + 1u == m_c.depth ? 0", "c.head + 1u > m_c.depth ? 0"),
    (279, "machine/departure.h", "flits without credits", "if (!tail) m_b.starved |= one(i);\n            }", "}"),
    (280, "machine/departure.h", "the next packet goes by the route of the one before", "            route(i, from);\n            add_member(gone.released, i);",
     "            add_member(gone.released, i);"),
    # ---- flights
    (473, "bypass/lone_packet_run.h", "a flit flies a cycle too quick", "bypass_cycles + m_c.around.shape.flit_delay;", "1 + m_c.around.shape.flit_delay;", "memory_test"),
    (474, "bypass/lone_packet_run.h", "a NIC has the credit of a flight in a cycle that is not to be run yet", "back >= before ||", "back >= before + 100 ||", "memory_test"),
    # ---- checkpoints
    (293, "bank_state.cpp", "the last ports are not written", "block::places_for(ports()) * sizeof", "(block::places_for(ports()) - 2) * sizeof", WRITTEN),
    (294, "bank_state.cpp", "buffers of the last router are not written", "sizeof(flit) * size());", "sizeof(flit) * (size() - 1));", WRITTEN),
    # ---- packets that fork
    (532, "machine/fork_branches.h", "a new branch has sent what the one before it had", "        m_all[o].taken = 0;\n", "", FORKS),
    (533, "machine/fork_branches.h", "branches behind one that ends are forgotten", "*place = m_all[o].next;", "*place = vc_branch::none;", FORKS),
    (534, "machine/fork_allocation.h", "a head takes some of the outputs that it must have at once", "!rules().forks_at_once || p.missing", "true || p.missing", FORKS),
    (535, "machine/fork_allocation.h", "a branch asks for a second VC of its port", "        m_b.in(i).want &= ~this->with_port_of(o, m_b.in(i).want);\n", "        remove_member(m_b.in(i).want, o);\n", FORKS),
    (536, "machine/fork_switch.h", "the place of a flit is given back when some branch has taken it", "m_branches[o].taken != 0; };", "m_branches[o].taken != ~0U; };", FORKS),
    (537, "machine/fork_switch.h", "a head leaves without the credits that it needs", "? this->has_credits(i, o)", "? true", FORKS),
    (538, "machine/fork_switch.h", "flits of a packet that is gone keep its number", "m_branches.empty(i) || flit_at(i, 0).packet != b.packet", "m_branches.empty(i) || b.packet != 0 || b.packet == 0", FORKS),
    (539, "machine/fork_step.h", "a head bids no more when it has its first branch", "if (!some(m_b.in(m_b.owner(o)).want)) remove_member", "remove_member", FORKS),
    (540, "machine/fork_step.h", "a router sleeps while a flit could go on", "|| crossbar.any_ready();", ";", FORKS),
    # ---- allocators
    (281, "machine/switch_allocation.h", "a round goes on below the one served last", "holder <= last && x > last : holder <= last || x > last", "holder > last && x > last : holder <= last || x > last"),
    (289, "machine/vc_allocation.h", "wavefront: the first diagonal is one too early", "p.s.plain_number(vc0) + n - now;", "p.s.plain_number(vc0) + n - now + 1;"),
    (292, "machine/vc_allocation.h", "wavefront: the first diagonals are not those of VCs from 0 on", "lowest(early != 0 ? early : open[i])", "lowest(open[i])"),
]
MUTANTS = [TestedMutant(number, "fast", f"tlm/router/{file[3:]}" if file.startswith("../") else f"tlm/router/vc/{file}", what, old, new, *(rest or [TEST]))
           for number, file, what, old, new, *rest in ROWS]
