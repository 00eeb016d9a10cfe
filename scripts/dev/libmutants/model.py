# SPDX-License-Identifier: Apache-2.0
"""Mutants of the model's router, compared with the RTL."""
from .mutant import CosimMutant, RC, SPECULATES

ROWS = [
    (80, "arbiter/round_robin.h", "round robin: the one served stays first among columns", "challenger > last", "challenger >= last"),
    (81, "arbiter/round_robin.h", "rows as if fixed", "return round_robin(requests, last)", "return lowest(requests)", "Vcs > 1"),
    (82, "arbiter/arbiter.h", "matrix: of two never served the higher", "rank(a, challenger, of) < to_beat", "rank(a, challenger, of) <= to_beat", "VaArbiter or SaArbiter"),
    (83, "arbiter/matrix.cpp", "matrix: the first served counts as never served", "++a.words[a.size]", "a.words[a.size]++", "VaArbiter or SaArbiter"),
    (84, "vc/machine/stage.h", "a credit that just suffices is not enough", "m_b.credits(o) >= m_b.need[i]", "m_b.credits(o) > m_b.need[i]", "Switching"),
    (85, "vc/machine/flit_arrivals.h", "atomic: free when one place is still taken", "m_b.credits(o) != m_b.depth_beyond[port_of(o)]", "m_b.credits(o) + 1u < m_b.depth_beyond[port_of(o)]", "Reallocation"),
    (86, "vc/machine/departure.h", "atomic reallocation ignored", "if (has_atomic())", "if (false)", "Reallocation"),
    (87, "vc/machine/departure.h", "free again after the head", "        if (tail) {\n            remove_member(m_b.active, i);", "        if (flit::from_word(word).is_head()) add_member(gone.freed, o);\n        if (tail) {\n            remove_member(m_b.active, i);"),
    (88, "vc/machine/stage.h", "RC takes a cycle too many", "rules().pipelined ? rules().rc : 0", "rules().pipelined ? rules().rc + 1 : 0"),
    (89, "vc/machine/step.h", "the next packet's RC a cycle early", "begin_packets(gone.released, 1)", "begin_packets(gone.released, 0)", RC),
    (90, "vc/machine/stage.h", "the buffer wraps a place early", "c.head + 1u == m_c.depth", "c.head + 2u == m_c.depth"),
    (91, "vc/machine/stage.h", "cut-through: one credit too few", "shape.room ? p.flits : 1", "shape.room ? p.flits - 1 : 1", "Switching"),
    (93, "vc/machine/departure.h", "the last credit is not used", "falls_to_zero(m_b.credits(o))", "falls_to_zero(m_b.credits(o)) || m_b.credits(o) == 1"),
    (94, "vc/machine/stage.h", "flits without credits", "m_b.active & m_b.present & ~m_b.starved", "m_b.active & m_b.present"),
    (95, "vc/machine/odd_ports.h", "credits leave a cycle late", "s.m_c.now);\n    }\n\n", "s.m_c.now + 1);\n    }\n\n"),
    (96, "vc/machine/odd_ports.h", "a flit keeps the VC that it came on", "        flit::set_vc(word, vc);\n", "", "Vcs > 1"),
    (97, "vc/machine/departure.h", "a speculative single flit bids for the switch once more", "if (rules().speculative && rules().va != 0)", "if (false)", SPECULATES),
    (98, "vc/machine/step.h", "SA in the cycle of VA", "rules().va == 0 ? m_b.active", "rules().va <= 1 ? m_b.active", "VaDelay"),
    (99, "vc/machine/step.h", "VA takes a cycle too many", "end_of_stage(rules().va).active) |= won", "end_of_stage(rules().va + 1).active) |= won", "VaDelay"),
    (102, "vc/machine/switch_allocation.h", "output first: a column's turn never moves", "            column_served(y, x, has_arbiters() ? group(x, y) : vc_group{});\n            take(x, y);", "            take(x, y);", "SaAllocator == 1"),
    (103, "vc/machine/vc_allocation.h", "output first as input first", "                output_first_policy::run(p);\n", "                input_first_policy::run(p);\n", "VaAllocator == 1 and Vcs > 1"),
    (104, "vc/machine/vc_allocation.h", "asks for VCs that are taken", "return find_open_of(i, free & m_b.in(i).want);", "return find_open_of(i, m_b.in(i).want);"),
    (105, "vc/machine/switch_allocation.h", "input first: an output's turn never moves", "            column_served(y, input_of(i), {i, 1});\n", "", "not SaAllocator"),
    (106, "vc/machine/switch_allocation.h", "output first: the turn of an input's offers never moves", "                row = static_cast<std::uint16_t>(lowest(some(later) ? later : offered));\n                return row;", "                return lowest(some(later) ? later : offered);", "SaAllocator == 1"),
    (107, "vc/machine/switch_allocation.h", "the turn of an input's VCs never moves", "            p.turns().vc[x] = static_cast<std::uint16_t>(vc);\n", "", "Vcs > 1"),
    (108, "vc/machine/switch_allocation.h", "input and output first swapped", "shape().sa_allocator == compiled_allocator::input_first", "shape().sa_allocator != compiled_allocator::input_first", "Vcs > 1"),
    (111, "vc/machine/step.h", "heads that got a VC in a VA of no cycle speculate as well", "m_b.present & ~ready;", "m_b.present;", "Speculative and not VaDelay"),
    # ---- wavefront, stages of several cycles
    (128, "vc/machine/vc_allocation.h", "wavefront: the first diagonal does not move", "p.s.m_c.now % n", "0", "VaAllocator == 2"),
    (129, "vc/machine/switch_allocation.h", "wavefront: the first diagonal does not move", "static_cast<std::uint32_t>(s.m_c.now % n)", "0", "SaAllocator == 2"),
    (130, "vc/machine/departure.h", "SA of several cycles: the next flit bids a cycle early", "end_of_stage(rules().sa).idle", "end_of_stage(rules().sa - 1).idle", "SaDelay > 1"),
    (131, "vc/machine/step.h", "VA takes a cycle at most", "end_of_stage(rules().va).active) |= won;\n        this->wake_after(rules().va)", "end_of_stage(1).active) |= won;\n        this->wake_after(1)", "VaDelay > 1"),
]
MUTANTS = [CosimMutant(number, "model", f"tlm/router/{file}" if "/" in file else f"tlm/router/vc/{file}", *rest) for number, file, *rest in ROWS]
