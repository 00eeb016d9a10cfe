# SPDX-License-Identifier: Apache-2.0
"""What mutants of the RTL are shrunk to by `sare cosim --random`, on the random router that mutants.csv says finds each."""
import csv
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from librtl import RTL

from .cosim import CYCLES, MOST_VCS, SARE, read_cases
from .page import FOLDER, PAGE

FILE = "shrunk_mutants.csv"
HEADS = ["number", "file", "edit", "configuration", "ports", "vcs", "cycles", "shrunk_ports", "shrunk_vcs", "packets", "flits", "shrunk_cycles",
         "builds", "seconds"]
SECONDS = 1800  # by the clock, on a busy machine
BEGIN, END = "<!-- shrunk -->\n", "<!-- /shrunk -->\n"


def shrink(seed, folder):
    """The case of a random router and the processor time, compilers included, that it took to find and shrink it."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    command = [SARE, "cosim", "--random", "1", "--seed", seed, "--most-vcs", MOST_VCS, "--speed", "quick", "--cycles", CYCLES, "--no-waves",
               "--quiet", "--shrink", SECONDS, "--out", folder / "out"]
    env = {**os.environ, "SARE_RTL": str(folder / "rtl"), "SARE_RTL_CACHE": str(folder / "cache")}
    with open(folder / "log", "w") as log:
        process = subprocess.Popen([str(word) for word in command], env=env, stdout=log, stderr=log)
    _, _, used = os.wait4(process.pid, 0)
    return read_cases(folder / "out", folder / "log")[0], round(used.ru_utime + used.ru_stime)


def size(case):
    """Ports and VCs."""
    words = dict(word.split("=", 1) for word in case["parameters"].split())
    return [words["Ports"], words["Vcs"]]


def shrunk(mutant, seed, args):
    """Its row of the table; one without a shrunk case ends after the configuration. `seed` is tried first, then all others."""
    folder = args.out / f"shrunk-{mutant.number}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(RTL, folder / "rtl", ignore=shutil.ignore_patterns("formal"))
    source = folder / "rtl" / mutant.path.split("/")[-1]
    source.write_text(mutant.edited(source.read_text()))
    total = 0
    for seed in [seed, *(other for other in range(1, args.configurations + 1) if other != seed)]:
        case, seconds = shrink(seed, folder)
        total += seconds
        if case["shrunk"] is not None:
            break
    shutil.rmtree(folder)
    row = mutant.row + [str(seed)]
    small = case["shrunk"]
    if small is None:
        return row + [""] * (len(HEADS) - len(row))
    return row + size(case) + [str(case["router_cycles"]), *(str(small[key]) for key in ("ports", "vcs", "packets", "flits", "cycles", "builds")),
                               str(total)]


def rows_of_file():
    path = FOLDER / FILE
    if not path.exists():
        return []
    with open(path, newline="") as text:
        return list(csv.reader(text))[1:]


def summary(rows):
    """A sentence for the page."""
    done = [row for row in rows if row[-1]]
    middle = {head: median(float(row[HEADS.index(head)]) for row in done) for head in HEADS[4:]}
    most = max(int(row[-1]) for row in done)
    return (f"Of {len(rows)} mutants of the RTL {len(done)} are found and shrunk: in the median from {middle['ports']:g} ports, {middle['vcs']:g} VCs and "
            f"cycle {middle['cycles']:g} to {middle['shrunk_ports']:g} ports, {middle['shrunk_vcs']:g} VCs, {middle['packets']:g} packets and cycle "
            f"{middle['shrunk_cycles']:g}, by {middle['builds']:g} routers built, in {middle['seconds']:g} seconds of a processor (at most {most}).\n")


def write(rows):
    with open(FOLDER / FILE, "w", newline="") as text:
        csv.writer(text, lineterminator="\n").writerows([HEADS, *sorted(rows, key=lambda row: int(row[0]))])
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + summary(rows) + END + rest.split(END)[1])


def shrink_all(table, args):
    """Prints a line a mutant; the status."""
    seeds = {row[0]: row[3] for row in table.rows() if row[5]}
    chosen = [m for m in table.mutants if m.side == "rtl" and str(m.number) in seeds and (not args.only or m.number in args.only)]
    rows = {row[0]: row for row in rows_of_file()} if args.write else {}
    here = []
    with ThreadPoolExecutor(args.jobs) as pool:
        for row in pool.map(lambda m: shrunk(m, int(seeds[str(m.number)]), args), chosen):
            print(",".join(row), flush=True)
            here.append(row)
            rows[row[0]] = row
            if args.write and row[-1]:
                write(list(rows.values()))
    print(summary(here) if any(row[-1] for row in here) else "nothing is shrunk")
    return 0 if here and all(row[-1] for row in here) else 1
