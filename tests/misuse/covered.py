#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Which public functions of the library take numbers, and whether tests/misuse calls each of them with ones that cannot be.

Reads the headers' declarations, and the names in the tables of calls. A function that no table has, and that is not of a
group or class below, is an error: add a line to a table.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADERS = [*(f"tlm/systemc/{h}.h" for h in ("cycle_engine", "engine_clock", "engine_wiring", "mid_cycle", "modules", "print_router", "variants")),
           "tlm/network/network.h", "tlm/network/simulation.h", "tlm/fabric/fabric.h",
           *(f"tlm/fabric/{h}.h" for h in ("builder/network_builder", "run/network_stepper", "run/network_port", "run/foreign_port",
                                           "run/external_nics", "view/network_view", "hazards/network_reset")),
           "tlm/topology/topology.h",
           *(f"tlm/inside/{h}.h" for h in ("describe", "packet_event_file", "packet_trace")),
           *(str(f.relative_to(ROOT)) for room in ("crossing", "memory", "axi", "chi") for f in sorted((ROOT / "tlm" / room).glob("*.h"))
             if f.name != "bridge_sockets.h"),  # what memory_bridge.h declares
           "tlm/memory/atomic/exclusive_monitor.h"]
# What counts as a number: integers, indices, times, and structs of them.
NUMBER = re.compile(r"\b(std::u?int\d+_t|std::size_t|unsigned|int|sc_dt::uint64|cycle_t|\w+_id|sc_core::sc_time|message|flit|channel|"
                    r"\w+_params|link_attributes|address_range|extension|burst_shape|tlm::tlm_generic_payload|tlm::tlm_phase|access_mode|out_vc)\b")
# Groups of a header ("@name") that only blocks of the library's own call, which have checked.
INNER_GROUPS = re.compile(r"For (?:hazards|routers)|Functions for failures and resets|Called by (?:bridges|its |interfaces|the crossing|the memory bridge)|"
                          r"Calls of the network|What the memory bridge tells|Registration")
# Made and called by bridges and the memory map alone: their sockets are what is public, and are called here.
INNER_CLASSES = {"initiator_port", "memory_port", "blocking_memory", "phased_memory", "manager_port", "subordinate_port", "memory_access",
                 "access_pool", "scoped_address", "scoped_classes", "burst_carrier", "reorder_buffer", "retries", "latency_estimate", "foreign_endpoint", "cache_observer",
                 "router::input", "packet_event_sink", "run_control"}
# The engine's own: it runs and resets its network in order of cycles.
INNER_FUNCTIONS = {*(f"network_stepper::{name}" for name in ("step", "pass", "run_unobserved", "set_workload")), "network_builder::set_bit_errors",
                   "network_reset::all"}
TOKEN = re.compile(r'///[^\n]*|//[^\n]*|"(?:\\.|[^"\\])*"|[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*|[{}();:,<>=~&*\[\]]|\S')


def head_of_class(words):
    """The name of the class that `words` begin, and whether its members are public at first; None if they begin none."""
    text = " ".join(words)
    found = re.match(r"(?:template < .*? > )?(class|struct) (\w+)(?: final)?(?: : .*)?$", text)
    return (found[2], found[1] == "struct") if found and "(" not in text else None


class Header:
    """The public functions of a header: name and parameters, outside of INNER_GROUPS."""

    def __init__(self, text):
        self.functions = []
        self.scopes = []  # (class name or None for a namespace, public)
        self.groups = []
        self.read(TOKEN.findall(re.sub(r"^[ \t]*#[^\n]*(?:\\\n[^\n]*)*", "", text, flags=re.M)))

    def read(self, tokens):
        words, at = [], 0
        while at < len(tokens):
            token = tokens[at]
            at += 1
            if token.startswith("//"):
                self.note_group(token)
            elif token == "{":
                at = self.open(words, tokens, at)
                words = []
            elif token == "}":
                self.scopes.pop()
                words = []
            elif token == ";":
                self.note(words)
                words = []
            elif token == ":" and words in (["public"], ["private"], ["protected"]):
                self.scopes[-1] = (self.scopes[-1][0], words == ["public"])
                words = []
            else:
                words.append(token)

    def note_group(self, comment):
        if "@name" in comment:
            self.groups.append(comment.split("@name")[1].strip())
        elif "@}" in comment and self.groups:
            self.groups.pop()

    def open(self, words, tokens, at):
        """A class or namespace is entered; a body is passed over."""
        kind = head_of_class(words)
        if kind or words[:1] == ["namespace"] or words[:1] == ["extern"]:
            self.scopes.append((kind[0], kind[1]) if kind else (None, True))
            return at
        self.note(words)
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(tokens[at], 0)
            at += 1
        return at

    def note(self, words):
        if not all(public for _, public in self.scopes) or any(INNER_GROUPS.match(g) for g in self.groups):
            return
        text = " ".join(words)
        found = re.match(r"[^()=]*?((?:operator .{1,4}?)|\w+) \( (.*)$", text)
        if not found or re.search(r"\b(using|friend|static_assert|DECLARE_EXTENDED_PHASE|std::function)\b", text.split("(")[0]):
            return
        parameters, depth = [], 1
        for word in found[2].split():
            depth += {"(": 1, ")": -1}.get(word, 0)
            if depth == 0:
                break
            parameters.append(word)
        scope = "::".join(name for name, _ in self.scopes if name)
        self.functions.append((f"{scope}::{found[1]}" if scope else found[1], " ".join(parameters)))


def needed():
    """Names of public functions that take numbers, and the header of each."""
    all_functions = {}
    for name in HEADERS:
        room = Path(name).parent.name
        for function, parameters in Header((ROOT / name).read_text()).functions:
            scope = function.rpartition("::")[0]
            if scope in INNER_CLASSES or function in INNER_FUNCTIONS or "operator" in function or not NUMBER.search(parameters):
                continue
            own = f"{room}::{function}" if room in ("axi", "chi") else function
            all_functions.setdefault(own, name)
    return all_functions


def main():
    sample = Header("class a { public: void f(std::uint32_t x) { if (x) g(); } a(int n); private: void g(int); };\n"
                    "/// @name For routers\n/// @{\nint inner(int x);\n/// @}\nint outer(int x = 3);")
    assert [name for name, _ in sample.functions] == ["a::f", "a::a", "outer"], sample.functions
    functions = needed()
    called = set()
    for file in Path(__file__).parent.glob("*_calls.cpp"):
        called.update(re.findall(r'\{"([\w:~]+)",\s*(?:\[|of_)', file.read_text()))
    missing = sorted(set(functions) - called)
    for name in missing:
        print(f"{functions[name]}: {name}() takes numbers, and no table of tests/misuse calls it with ones that cannot be")
    for name in sorted(called - set(functions)):
        print(f"tests/misuse calls {name}(), which no header has")
    print(f"{len(functions)} public functions that take numbers, {len(functions) - len(missing)} called with ones that cannot be")
    return 1 if missing or called - set(functions) else 0


if __name__ == "__main__":
    sys.exit(main())
