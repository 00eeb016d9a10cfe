# SPDX-License-Identifier: Apache-2.0
"""Bridges to AXI and what they are asked to do; which of them are characterised, and which validate that."""
import dataclasses
import random
from dataclasses import dataclass

ENDS = ("manager", "subordinate")
WIDTHS = dict(AddrWidth=32, UserWidth=1, NodeWidth=4, RequestClasses=1)
MEMORY = dict(MapBase=0x1000000, MapLast=0x1ffffff, MapNode=9)  # as in axi_pins.cpp


@dataclass(frozen=True)
class Bridge:
    """The keys are those of power.bridge; as many reads as writes at once, places for as many beats each way."""
    end: str
    width: int = 72  # of a flit
    data_width: int = 64
    id_width: int = 4
    transactions: int = 8
    beats: int = 16

    def parameters(self) -> dict[str, int]:
        most = min(16, self.beats)
        own = dict(WriteBeats=self.beats, PerId=self.transactions, **MEMORY) if self.end == "manager" else {}
        return dict(FlitWidth=self.width, DataWidth=self.data_width, IdWidth=self.id_width, Reads=self.transactions,
                    Writes=self.transactions, ReadBeats=self.beats, MaxBeats=most, **WIDTHS, **own)

    def settings(self) -> dict[str, object]:
        """What terms may name: flits of headers and of a beat (of a write with strobes), and the share of a beat's that is data."""
        bits = dict(request=self.id_width + 67, response=self.id_width + 3, write=self.data_width * 9 // 8, read=self.data_width + 2)
        flits = {f"{name}_flits": -(-n // self.width) for name, n in bits.items()}
        fill = {f"{name}_fill": self.data_width / (self.width * flits[f"{name}_flits"]) for name in ("write", "read")}
        return {**dataclasses.asdict(self), **flits, **fill}

    def __str__(self) -> str:
        return (f"{self.end}, {self.data_width} bits in flits of {self.width}, {self.id_width} of ID, {self.transactions} at once, "
                f"{self.beats} beats")


@dataclass(frozen=True)
class Asked:
    """A stimulus: how often a transaction begins, which are writes, beats at most and whether all have as many, ones of the data,
    how often a channel takes, and the network."""
    begin: float
    writes: float = 0.5
    most: int = 4
    long: float = 1
    ones: float = 0.5
    take: float = 1
    net: float = 1
    seed: int = 1

    @property
    def activity(self) -> float:
        return 2 * self.ones * (1 - self.ones)

    def __str__(self) -> str:
        return f"begins {self.begin}, writes {self.writes}, {self.most} beats, ones {self.ones}, taken {self.take}, network {self.net}"


RUNS = [Asked(0), Asked(0.05, 0, 1), Asked(0.05, 1, 1), Asked(0.1, 0, 4), Asked(0.1, 1, 4), Asked(0.1, 0.5, 8, ones=0, seed=2),
        Asked(0.15, 0.5, 16, 0, ones=0.15, seed=3), Asked(0.4, 0.5, 8, take=0.7, net=0.8, seed=4), Asked(0.3, 0.3, 1, ones=0, seed=5)]
SHAPES = [dict(width=32, data_width=32, transactions=1, beats=2), dict(width=36, data_width=32, transactions=4, beats=8),
          dict(width=32, transactions=4, beats=4), dict(width=72, transactions=2, beats=8), dict(width=144, data_width=128, transactions=2, beats=4),
          dict(width=16, data_width=32, transactions=4, beats=4), dict(width=36, data_width=32, id_width=2, transactions=12, beats=4),
          dict(width=36, data_width=32, id_width=8, beats=2), dict(width=36, data_width=32, beats=16), dict(width=64, beats=16),
          dict(width=36, data_width=32, beats=32), dict(width=24, data_width=32, id_width=1, beats=4),
          dict(id_width=6, transactions=12, beats=4), dict(width=48, id_width=3, transactions=6, beats=6)]
POINTS = [Bridge(end, **shape) for end in ENDS for shape in SHAPES]
# Managers whose clock period alone is of interest: it depends on the number of transactions as on nothing else.
SEARCHES = [Bridge("manager", 36, 32, id_width, transactions, 4) for transactions, id_width in
            ((3, 5), (5, 3), (7, 2), (7, 6), (9, 3), (9, 7), (10, 2), (11, 3), (11, 6), (4, 8), (2, 1), (6, 5))]
SEARCHES += [Bridge("manager", 48, 64, id_width, transactions, 6) for transactions, id_width in
             ((2, 6), (3, 7), (5, 5), (6, 7), (7, 4), (8, 3), (9, 5), (10, 7), (11, 1), (12, 4), (6, 1), (10, 3), (12, 8), (8, 6))]


def drawn(seed: int) -> list[tuple[Bridge, list[Asked]]]:
    """Drawn: settings that no point has, at both ends, each with stimuli of its own."""
    dice, found = random.Random(seed), []
    while len(found) < 6:
        data_width = dice.choice([32, 64, 64, 128])
        shape = dict(width=dice.choice([24, 32, 48, 64, 72, 96]), data_width=data_width, id_width=dice.randint(1, 8),
                     transactions=dice.randint(2, 12), beats=dice.choice([4, 6, 8, 12]))
        if data_width * shape["beats"] > 600 or shape in SHAPES:  # seconds of a core, and no more
            continue
        for end in ENDS:
            runs = [Asked(round(dice.uniform(0.02, 0.4), 2), round(dice.random(), 2), dice.randint(1, 16), dice.choice([0, 1]),
                          dice.choice([0, 0.15, 0.5]), round(dice.uniform(0.5, 1), 2), round(dice.uniform(0.6, 1), 2),
                          dice.randint(10, 99)) for _ in range(4)]
            found.append((Bridge(end, **shape), runs))
    return found


def characterised() -> list[tuple[Bridge, list[Asked]]]:
    """All points; and earlier draws, which have joined them."""
    return [(b, RUNS) for b in POINTS] + [(b, []) for b in SEARCHES] + drawn(47) + drawn(48)


def held_out() -> list[tuple[Bridge, list[Asked]]]:
    return drawn(54)
