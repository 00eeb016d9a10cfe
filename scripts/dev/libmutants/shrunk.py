# SPDX-License-Identifier: Apache-2.0
"""What mutants of the RTL are shrunk to by `sare cosim --random`, on the random router (bridges, NIC) that mutants.csv says
finds each."""
import csv
import os
import shutil
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from statistics import median

from sare.rtl import RTL

from .cosim import BLOCKS, SARE, command, how, read_cases
from .mutant import Verdict
from .page import FOLDER, PAGE

FILE = "shrunk_mutants.csv"
HEADS = ["number", "file", "edit", "configuration", "ports", "vcs", "cycles", "blocks", "shrunk_ports", "shrunk_vcs", "packets", "flits",
         "shrunk_cycles", "builds", "seconds"]  # blocks: routers, bridges, NICs that are left
NEW = 400  # numbers from here on
SECONDS = 1800  # by the clock, on a busy machine
BEGIN, END = "<!-- shrunk -->\n", "<!-- /shrunk -->\n"


def shrink(seed, of, folder, cache):
    """The case and the processor time, compilers included, that it took to find and shrink it."""
    shutil.rmtree(folder / "out", ignore_errors=True)
    env = {**os.environ, "SARE_RTL": str(folder / "rtl"), "SARE_RTL_CACHE": str(cache)}
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(command(SARE, seed, of, folder / "out", SECONDS), env=env, stdout=log, stderr=log)
    _, _, used = os.wait4(process.pid, 0)
    return read_cases(folder / "out", folder / "log")[0], round(used.ru_utime + used.ru_stime)


def size(case):
    """Ports and VCs, of a router."""
    words = dict(word.split("=", 1) for word in case["parameters"].split() if "=" in word)
    return [words.get("Ports", ""), words.get("Vcs", "")]


def shrunk(mutant, seeds, args):
    """Its row of the table, and by what it was found. `seeds` are tried until one differs; a row without a shrunk case ends
    after the configuration."""
    if not seeds:
        return mutant.row + [""] * (len(HEADS) - len(mutant.row)), Verdict(mutant, "none known")
    folder = args.out / f"shrunk-{mutant.number}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(RTL, folder / "rtl", ignore=shutil.ignore_patterns("formal"))
    source = folder / mutant.path
    source.write_text(mutant.edited(source.read_text()))
    total = 0
    for seed in seeds:
        case, seconds = shrink(seed, mutant.of, folder, args.out / "rtl")
        total += seconds
        if case["status"] != "agrees":
            break
    shutil.rmtree(folder)
    row, small = mutant.row + [str(seed)], case["shrunk"]
    if case["status"] == "agrees":
        return row + [""] * (len(HEADS) - len(row)), Verdict(mutant, f"{len(seeds)} tried")
    verdict = Verdict(mutant, str(seed), str(case["router_cycles"]), how(case))
    if small is None:
        return row + [""] * (len(HEADS) - len(row)), verdict
    shown = ("blocks", "ports", "vcs", "packets", "flits", "cycles", "builds")
    return row + size(case) + [str(case["router_cycles"]), *(str(small.get(key, "")) for key in shown), str(total)], verdict


def rows_of_file():
    path = FOLDER / FILE
    if not path.exists():
        return []
    with open(path, newline="") as text:
        return list(csv.reader(text))[1:]


def summary(rows, mutants):
    """A table for the page, by what was broken and by age."""
    of = {str(m.number): m.of for m in mutants}
    done = [row for row in rows if row[-1]]
    groups = [("router", [row for row in done if of[row[0]] == "routers" and int(row[0]) < NEW]),
              ("router, new", [row for row in done if of[row[0]] == "routers" and int(row[0]) >= NEW]),
              ("AXI bridges, new", [row for row in done if of[row[0]] == "bridges"]), ("NIC, new", [row for row in done if of[row[0]] == "nics"])]
    lines = ["| shrunk mutants of | | routers or bridges left | ports | cycle before | cycle | builds | seconds | at most |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|"]

    def middle(group, head):
        values = [float(row[HEADS.index(head)]) for row in group if row[HEADS.index(head)]]
        return f"{median(values):g}" if values else ""

    for what, group in [*groups, ("all", done)]:
        if group:
            shown = (middle(group, head) for head in ("blocks", "shrunk_ports", "cycles", "shrunk_cycles", "builds", "seconds"))
            lines.append(f"| {what} | {len(group)} | {' | '.join(shown)} | {max(int(row[-1]) for row in group)} |")
    return "\n".join(lines) + "\n"


def write(rows, mutants):
    with open(FOLDER / FILE, "w", newline="") as text:
        csv.writer(text, lineterminator="\n").writerows([HEADS, *sorted(rows, key=lambda row: int(row[0]))])
    before, rest = PAGE.read_text().split(BEGIN)
    PAGE.write_text(before + BEGIN + summary(rows, mutants) + END + rest.split(END)[1])


def shrink_all(table, args, written):
    """Prints a line a mutant; the status. With --write what was found goes into `table`, too, and `written` is called."""
    found = {row[0]: row[3] for row in table.rows() if row[5]}
    routers = {str(m.number) for m in table.mutants if m.of == "routers"}
    often = [seed for seed, _ in Counter(seed for number, seed in found.items() if number in routers).most_common()]
    chosen = [m for m in table.mutants if m.side == "rtl" and not m.equivalent and (not args.only or m.number in args.only)]
    rows = {row[0]: row for row in rows_of_file()} if args.write else {}
    here = []

    def work(mutant):
        first = found.get(str(mutant.number))
        others = args.seeds or (often if mutant.of == "routers" else [str(n) for n in range(1, BLOCKS + 1)])
        return shrunk(mutant, [seed for seed in [first, *(s for s in others if s != first)] if seed][:args.most], args)

    with ThreadPoolExecutor(args.jobs) as pool:
        for row, verdict in pool.map(work, chosen):
            print(",".join(row), flush=True)
            here.append(row)
            rows[row[0]] = row
            if args.write and row[-1]:
                write(list(rows.values()), table.mutants)
                table.write(verdict)
                written()
    print(summary(here, table.mutants) if any(row[-1] for row in here) else "nothing is shrunk")
    return 0 if here and all(row[-1] for row in here) else 1
