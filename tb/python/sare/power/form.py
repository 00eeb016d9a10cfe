# SPDX-License-Identifier: Apache-2.0
"""The physical form of the costs of a router: of each component, for which events and bits it spends, and by which products
of parameters that grows. What an option changes is a correction with a form of its own."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Term:
    """One column of a regression: `when` says for which settings it is there."""
    component: str
    event: str  # of energies
    per: str
    product: str
    when: tuple[tuple[str, object], ...] = field(default=())
    signed: bool = False  # corrections may lower a cost; costs themselves are not negative


# component: {(event, event or bit): products}
ENERGY = {
    "state": {("sa_grant", "event"): "1 ports vcs ports*vcs", ("va_grant", "event"): "1 ports vcs ports*vcs",
              ("sa_request", "event"): "1 ports vcs*log2(depth)", ("burst", "event"): "1 ports vcs", ("start", "event"): "1 vcs",
              ("turn", "event"): "1 ports ports*vcs", ("fill", "event"): "1 ports*vcs", ("long_head", "event"): "1 ports"},
    "route": {("route_compute", "event"): "1 ports", ("buffer_write", "event"): "1 ports", ("turn", "event"): "1"},
    "va": {("va_grant", "event"): "1 ports ports*vcs vcs^2 ports*vcs^2", ("va_request", "event"): "1 vcs ports*vcs",
           ("sa_request", "event"): "1", ("sa_grant", "event"): "1 vcs", ("turn", "event"): "1 ports ports*vcs"},
    "sa": {("sa_grant", "event"): "1 ports vcs", ("va_grant", "event"): "log2(vcs)", ("sa_request", "event"): "1 ports vcs",
           ("burst", "event"): "1 ports vcs", ("start", "event"): "1 ports", ("turn", "event"): "1 ports vcs", ("fill", "event"): "1"},
    "crossbar": {("crossbar", "event"): "1 width ports", ("crossbar", "bit"): "1 ports",
                 ("va_grant", "event"): "1 ports", ("burst", "event"): "1 width", ("burst", "bit"): "1 ports",
                 ("start", "event"): "1 width", ("start", "bit"): "1", ("turn", "event"): "1 width dims log2(vcs)", ("turn", "bit"): "1",
                 ("fill", "event"): "vcs", ("long_head", "event"): "1 ports"},
    "registers": {("turn", "event"): "ports*vcs", ("fill", "event"): "ports*dims", ("long_head", "event"): "1 dims vcs"},
    "credits": {("credit", "event"): "1 ports vcs log2(depth)", ("va_grant", "event"): "1 ports vcs",
                ("burst", "event"): "1 ports", ("fill", "event"): "1 vcs log2(depth) flips(depth)", ("sa_request", "event"): "1",
                ("long_head", "event"): "1"},
}
AREA = {
    "buffers": "ports*vcs*width ports*vcs*width*log2(depth) ports*width ports*vcs ports*vcs*clog2(depth) ports",
    "state": "ports*vcs ports^2*vcs ports*vcs^2 ports^2*vcs^2", "route": "ports ports^2",
    "va": "ports*vcs ports*vcs^2 ports^2*vcs^2 ports^2*vcs^3",
    "sa": "ports ports*vcs ports^2 ports^2*vcs", "crossbar": "ports^2*width ports^2 ports*width",
    "credits": "ports*vcs ports*vcs*bits(depth) ports",
}

GATED = (("clock_gating", True),)
MEMORY = (("memory_buffers", True),)
AHEAD = (("lookahead", True),)
SPECULATIVE = (("speculative", True),)
PLAIN = (("clock_gating", False),)
FLOPS = (("memory_buffers", False),)
PLAIN_MEMORY = (("clock_gating", False), ("memory_buffers", True))
ONE_VC = (("vcs", 1),)
SHALLOW = (("depth", 2),)
THREE, FOUR = (("ports", 3),), (("ports", 4),)
IN_FLOPS = (("clock_gating", False), ("memory_buffers", False))
GATED_FLOPS = (("clock_gating", True), ("memory_buffers", False))
WRAPS = (("wraps", True),)
CUT = (("switching", "cut_through"),)


def allocator(of: str, kind: str) -> tuple:
    return ((f"{of}_allocator", kind),)


def arbiter(of: str, kind: str) -> tuple:
    return ((f"{of}_arbiter", kind),)


# Buffers of flip-flops and of memories; writes through multiplexers, or with gated clocks without.
STORES = {
    FLOPS: {"buffers": {("buffer_read", "event"): "1 dims width log2(depth) mux_selects(depth) width*mux_selects(depth) width*vcs",
                        ("buffer_read", "bit"): "1 vcs mux_outputs(depth)", ("route_compute", "event"): "1 vcs*depth dims",
                        ("sa_request", "event"): "1 width", ("sa_request", "bit"): "1 vcs",
                        ("burst", "event"): "1 dims width vcs*depth", ("burst", "bit"): "1",
                        ("turn", "event"): "vcs dims*mux_outputs(depth)", ("start", "event"): "1 width vcs", ("start", "bit"): "1",
                        ("fill", "event"): "1 width", ("fill", "bit"): "1",
                        ("long_head", "event"): "1 vcs vcs*depth log2(depth) vcs*log2(depth) mux_outputs(depth)"}},
    IN_FLOPS: {"buffers": {("buffer_write", "event"): "1 dims width vcs*depth", ("buffer_write", "bit"): "1 vcs*depth vcs"}},
    GATED_FLOPS: {"buffers": {("buffer_write", "event"): "1 dims vcs*depth", ("buffer_write", "bit"): "1 vcs*depth"}},
    MEMORY: {"buffers": {("buffer_write", "event"): "1 width", ("buffer_write", "bit"): "1",
                         ("buffer_read", "event"): "1 width", ("buffer_read", "bit"): "1",
                         ("route_compute", "event"): "1 ports", ("burst", "event"): "1 width", ("burst", "bit"): "1"}},
    PLAIN: {"registers": {("output_register", "event"): "1 ports width vcs", ("output_register", "bit"): "1 ports",
                          ("va_grant", "event"): "1 ports", ("burst", "event"): "1 width dims", ("burst", "bit"): "1",
                          ("start", "event"): "1 width", ("start", "bit"): "1"}},
    GATED: {"registers": {("output_register", "event"): "1 ports", ("output_register", "bit"): "1", ("va_grant", "event"): "1 ports",
                          ("burst", "event"): "1", ("burst", "bit"): "1", ("start", "event"): "1", ("start", "bit"): "1"}},
}
# Likewise of the clock. Flip-flops of allocators, credits and states of VCs get the clock in each cycle, those of
# buffers and registers unless it is gated; gates get it in their place, and flip-flops behind them when they load.
CLOCK = {
    (): {("clock", "event"): "1 ports ports*vcs ports^2*vcs ports*vcs^2 ports^2*vcs^2 ports^2 "
                            "ports*vcs*bits(depth) ports*vcs*clog2(depth) ports*vcs*clog2(vcs)"},
    PLAIN: {("clock", "event"): "ports ports*width ports*dims"},
    IN_FLOPS: {("clock", "event"): "ports*vcs*depth*width ports*vcs*depth ports*dims*vcs*depth"},
    GATED: {("clock", "event"): "ports ports*vcs*depth", ("buffer_write", "event"): "1 width ports",
            ("output_register", "event"): "1 width ports"},
    MEMORY: {("clock", "event"): "ports ports*vcs*depth ports*vcs"},
    PLAIN_MEMORY: {("clock", "event"): "ports*width ports*vcs*depth"},
    # Fields of the header that others do not have.
    WRAPS + IN_FLOPS: {("clock", "event"): "ports*dims*vcs*depth ports*vcs^2*depth"}, WRAPS + PLAIN: {("clock", "event"): "ports*dims"},
    AHEAD + IN_FLOPS: {("clock", "event"): "ports*vcs*depth ports*vcs^2*depth"}, AHEAD + PLAIN: {("clock", "event"): "ports ports*vcs"},
    CUT + IN_FLOPS: {("clock", "event"): "ports*vcs*depth"}, CUT + PLAIN: {("clock", "event"): "ports"},
}
AREA_OF_FLOPS = {
    PLAIN: {"registers": "ports*width ports ports*dims"}, IN_FLOPS: {"buffers": "ports*vcs*depth*width ports*vcs*depth ports*dims*vcs*depth"},
    GATED: {"registers": "ports*width ports ports*dims", "clock": "ports*vcs*depth ports"},
    GATED_FLOPS: {"buffers": "ports*vcs*depth*width ports*vcs*depth ports*dims*vcs*depth"},
    MEMORY: {"buffers": "ports*vcs*depth ports*width ports"},
}
# Option: {component: {(event, per): products}}
ENERGY_OF_OPTIONS = {
    # Their read multiplexers are trees.
    GATED_FLOPS: {"buffers": {("buffer_write", "event"): "mux_outputs(depth)", ("buffer_read", "bit"): "mux_outputs(depth)",
                              ("buffer_read", "event"): "width*mux_selects(depth) width*log2(depth)",
                              ("fill", "event"): "width", ("start", "event"): "width"}},
    PLAIN_MEMORY: {"registers": {("output_register", "event"): "1 width", ("output_register", "bit"): "1",
                                 ("burst", "event"): "1 width", ("burst", "bit"): "1"}},
    GATED: {"buffers": {("buffer_write", "event"): "vcs"}},
    GATED + MEMORY: {"registers": {("output_register", "bit"): "1"}},
    # Nothing to choose among VCs.
    ONE_VC: {"state": {("va_grant", "event"): "1", ("sa_grant", "event"): "1"}, "credits": {("credit", "event"): "1", ("va_grant", "event"): "1"},
             "sa": {("va_grant", "event"): "1", ("sa_grant", "event"): "1"}, "va": {("va_grant", "event"): "1"}},
    # Two and three places are read by no tree.
    **{IN_FLOPS + (("depth", d),): {"buffers": {("buffer_read", "event"): "width", ("buffer_read", "bit"): "1"}} for d in (2, 3)},
    SHALLOW: {"credits": {("credit", "event"): "1"}},
    # An output of three inputs is one gate a bit; more inputs are a tree.
    THREE: {"crossbar": {("burst", "event"): "1 width", ("start", "event"): "width"}},
    WRAPS: {"route": {("route_compute", "event"): "1"}, "buffers": {("route_compute", "event"): "dims"},
            "state": {("va_grant", "event"): "vcs*log2(depth)"}, "va": {("va_grant", "event"): "1"},
            "crossbar": {("crossbar", "event"): "1"},
            "credits": {("buffer_write", "event"): "ports"}},
    # Multiplexers before the header's flip-flops are there only without gated clocks.
    **{WRAPS + of: {"buffers": {("buffer_write", "event"): "1"}} for of in (IN_FLOPS, GATED_FLOPS)},
    **{WRAPS + of: {"registers": {("output_register", "event"): "1", ("va_grant", "event"): "1", ("start", "event"): "dims"}}
       for of in (PLAIN, GATED)},
    AHEAD: {"route": {("route_compute", "event"): "1 ports", ("crossbar", "event"): "1"},
            "buffers": {("buffer_write", "event"): "1 vcs*bits(depth)"},
            "state": {("va_grant", "event"): "1"}, "crossbar": {("crossbar", "event"): "1"},
            "registers": {("output_register", "event"): "1 ports"}},
    SPECULATIVE: {"sa": {("sa_grant", "event"): "1 ports", ("va_request", "event"): "1 ports"}, "state": {("va_grant", "event"): "1 ports"},
                  "va": {("va_grant", "event"): "1"}, "clock": {("clock", "event"): "ports^2 ports*vcs"}},
    CUT: {"buffers": {("buffer_write", "event"): "1 vcs*depth", ("buffer_read", "event"): "1"},
          "state": {("sa_grant", "event"): "1 ports*vcs", ("va_grant", "event"): "1 vcs ports*vcs", ("fill", "event"): "1",
                    ("burst", "event"): "ports*log2(vcs)", ("buffer_write", "event"): "vcs*flips(depth)"},
          "credits": {("credit", "event"): "1", ("fill", "event"): "1"}, "crossbar": {("crossbar", "event"): "1"},
          "registers": {("output_register", "event"): "1", ("burst", "event"): "1"}},
    # The diagonal of a wavefront moves in each cycle.
    **{allocator("va", k): {"va": {("va_grant", "event"): "ports*vcs", ("va_request", "event"): "ports*vcs ports*vcs^2",
                                   **({("clock", "event"): "ports*vcs ports^2*vcs^2"} if k == "wavefront" else {})},
                            "clock": {("clock", "event"): "ports*vcs ports^2*vcs^2"}} for k in ("output_first", "wavefront")},
    **{allocator("sa", k): {"sa": {("sa_grant", "event"): "1 ports", ("sa_request", "event"): "1 ports ports^2",
                                   ("burst", "event"): "ports^2",
                                   **({("clock", "event"): "ports^2 ports*log2(vcs)"} if k == "wavefront" else {})},
                            "clock": {("clock", "event"): "ports"}} for k in ("output_first", "wavefront")},
    arbiter("va", "matrix"): {"va": {("va_grant", "event"): "1 ports*vcs", ("va_request", "event"): "1 ports*vcs"},
                              "clock": {("clock", "event"): "ports*vcs^2 ports^3*vcs^3"}},
    arbiter("sa", "matrix"): {"sa": {("sa_grant", "event"): "1 ports", ("sa_request", "event"): "1"},
                              "clock": {("clock", "event"): "ports^3 ports*vcs^2"}},
}
AREA_OF_OPTIONS = {
    FOUR: {"crossbar": "1 width"},
    GATED: {"buffers": "ports*vcs*width ports*vcs"},
    MEMORY: {"buffers": "ports*vcs*width ports*width", "registers": "ports*width"},
    # Header bits of a dimension and a mask of VCs; of gated clocks without multiplexers.
    WRAPS + FLOPS: {"buffers": "ports*dims*vcs*depth ports*vcs^2*depth"}, WRAPS + GATED_FLOPS: {"buffers": "ports*dims*vcs*depth"},
    WRAPS: {"registers": "ports*dims", "crossbar": "ports^2", "route": "ports", "va": "ports*vcs", "state": "ports*vcs"},
    AHEAD: {"route": "ports", "buffers": "ports*vcs*depth", "registers": "ports", "crossbar": "ports^2", "state": "ports*vcs"},
    SPECULATIVE: {"sa": "ports ports*vcs ports^2", "state": "ports*vcs"},
    CUT: {"buffers": "ports*vcs*depth", "state": "ports*vcs ports^2*vcs^2", "credits": "ports*vcs", "registers": "ports",
          "crossbar": "ports^2"},
    **{allocator("va", k): {"va": "ports*vcs ports^2*vcs^2"} for k in ("output_first", "wavefront")},
    **{allocator("sa", k): {"sa": "ports ports^2"} for k in ("output_first", "wavefront")},
    arbiter("va", "matrix"): {"va": "ports*vcs^2 ports^3*vcs^3"},
    arbiter("sa", "matrix"): {"sa": "ports*vcs^2 ports^3"},
}


def energy_terms() -> list[Term]:
    found = [Term(c, e, per, p) for c, events in ENERGY.items() for (e, per), products in events.items() for p in products.split()]
    found += [Term(c, e, per, p, when) for when, parts in STORES.items() for c, events in parts.items()
              for (e, per), products in events.items() for p in products.split()]
    found += [Term("clock", e, per, p, when) for when, events in CLOCK.items() for (e, per), products in events.items()
              for p in products.split()]
    return found + [Term(c, e, per, p, when, True) for when, parts in ENERGY_OF_OPTIONS.items() for c, events in parts.items()
                    for (e, per), products in events.items() for p in products.split()]


def area_terms() -> list[Term]:
    found = [Term(c, "", "", p) for c, products in AREA.items() for p in products.split()]
    for options, signed in ((AREA_OF_FLOPS, False), (AREA_OF_OPTIONS, True)):
        found += [Term(c, "", "", p, when, signed) for when, parts in options.items() for c, products in parts.items()
                  for p in products.split()]
    return found
