#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Tries what a page of the documentation says: YAML is checked and run for a few cycles, command lines are run cut down to
seconds, C++ and Verilog must stand so in a file of the repository, CMake must configure, parameters and targets must be known.
C++ whose first line is a name ("// mine.cpp") is a file of the page's own: its CMake project has it, and is built.

A comment in the page, <!-- not run: reason -->, on the line before a block or right behind an inline command, leaves it
out; of those only the options and targets are looked up. How many were left out, and why, is printed.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

from page import Page

ROOT = Path(__file__).resolve().parents[2]

# What a page leaves out of an experiment.
BASE = {
    "network": "network: {topology: mesh, dims: [4, 4]}\n",
    "router": "router: {vcs: 2}\n",
    "traffic": "traffic: {workload: bernoulli, load: 0.1}\n",
}
SHORT = ("--set measurement.warmup=100 --set measurement.convergence_count=0 --set measurement.batch=100 "
         "--set measurement.batches=2 ")
# The first line of C++ that is a whole file.
OWN_FILE = re.compile(r"// ([\w-]+\.(?:cpp|h))\n")
# What stands for words in capitals.
STAND_FOR = {"FILE.png": "plot.png", "FILE.svg": "plot.svg", "FILE": "mesh.yaml", "DIR": "out/result", "COMMAND": "run", "N": "1",
             "PATH=VALUES": "seed=1,2", "NEW": "out/new", "A": "out/result", "B": "out/result"}


class Bench:
    """A scratch directory that looks like the source tree with a build, and a few files that pages speak of."""

    def __init__(self, build, scratch):
        self.build, self.scratch = build, scratch
        shutil.rmtree(scratch, ignore_errors=True)
        (scratch / "build").mkdir(parents=True)
        for name in ("sare", "rtl_bench", "examples"):
            (scratch / "build" / name).symlink_to(build / name)
        for library in build.glob("tb/examples/*/lib*.so"):
            (scratch / "build" / library.name).symlink_to(library)
        for name in ("scripts", "tb", "tests", "docs", "rtl", "cosim"):
            (scratch / name).symlink_to(ROOT / name)
        # Copies: what a page writes never comes to stand in the source tree.
        shutil.copytree(ROOT / "tb/experiments", scratch, dirs_exist_ok=True)
        (scratch / "mesh.yaml").write_text("".join(BASE.values()))
        self.environment = dict(os.environ, PATH=f"{scratch / 'build'}:{os.environ['PATH']}", SARE=str(build / "sare"),
                                SARE_RTL_CACHE=str(build / "rtl-cache"))

    def run(self, command, allowed=(0,)):
        """What is wrong with what the command answers, in a line; empty if nothing."""
        done = subprocess.run(["bash", "-c", command], cwd=self.scratch, env=self.environment, capture_output=True,
                              text=True, errors="replace", stdin=subprocess.DEVNULL)
        if done.returncode in allowed and not re.search(r"^sare: .*:", done.stderr if 1 in allowed else "", re.M):
            return ""
        lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
        said = [line for line in lines if " error: " in line][:1] or lines[-1:]
        return f"'{command}' ends with status {done.returncode}: {''.join(said)}"

    def result(self):
        """Makes out/result, which stands for any directory of results."""
        if not (self.scratch / "out/result").exists():
            self.run(f"sare run {SHORT} --quiet --no-report --out out/result mesh.yaml")


def at_most(command, option, bound):
    """The command with the option no larger than `bound`; set to it if it was not given."""
    given = re.compile(rf"({option}[ =])(\w+)")
    if not given.search(command):
        return re.sub(r"^(\S+(?: cosim)?)", rf"\1 {option} {bound}", command, count=1)
    return given.sub(lambda m: m[1] + str(min(int(m[2]), bound) if m[2].isdigit() else bound), command)


def cut_down(command):
    """The command as one that takes seconds, without its comment."""
    command = re.sub(r"\s+# .*", "", command)
    if re.match(r"(build/)?sare (run|sweep|saturate) (?!--help)", command):
        return re.sub(r"(sare (?:run|sweep|saturate)) ", rf"\1 {SHORT}", command, count=1)
    if re.match(r"(build/)?sare cosim ", command):
        command = at_most(command, "--cycles", 200)
        if "--random" in command:
            command = at_most(command, "--random", 1)
            if "--of " not in command:
                command = at_most(command, "--most-vcs", 4)
        return command + ("" if "--speed" in command else " --speed quick") + " --out out/cosim"
    return command


def written_out(command):
    """The commands that a synopsis stands for: with alternatives, optional words and words in capitals filled in."""
    if not re.search(r"=\[|: \[", command):  # lists of YAML
        command = re.sub(r"\[([^\[\]]*)\]", r"\1", command)
    either = re.search(r"\b(\w+)\|(\w+)\b", command)
    if either:
        return [one for word in either.groups() for one in written_out(command.replace(either[0], word))]
    command = re.sub(r"--out FILE\b", "--out out/written", command)
    if " trace " in command:
        command = re.sub(r"\bFILE\b", "cg.S.16/cg.S.16.index", command)
    command = re.sub(r"\bNAME\b", "bernoulli" if "workload NAME" in command else "router", command)
    words = "|".join(map(re.escape, sorted(STAND_FOR, key=len, reverse=True)))
    return [re.sub(rf"(?<![\w./=-])({words})(?![\w.])", lambda m: STAND_FOR[m[1]], command)]


class Checker:
    def __init__(self, page, bench):
        self.page, self.bench = page, bench
        self.tried, self.left_out, self.wrong = Counter(), Counter(), []
        self.own_files, self.built_from_page = {}, False
        self.python_text = ""

    def run(self):
        page = Page(self.page.read_text())
        self.wrong += page.wrong
        self.python_text = "\n".join(p.text for p in page.pieces if p.kind == "python" and not p.reason)
        self.own_files = {OWN_FILE.match(p.text)[1]: p for p in page.pieces if p.kind == "cpp" and OWN_FILE.match(p.text)}
        for piece in page.pieces:
            if piece.reason:
                self.left_out[piece.reason] += 1
                problem = self.look_up(piece.text) if piece.kind == "command" else ""
            else:
                problem = getattr(self, piece.kind)(piece.text)
                self.tried[piece.kind] += 1
            if problem:
                self.wrong.append((piece.line, problem))

    def yaml(self, text):
        name = f"block{self.tried.total()}"
        sections = re.findall(r"^(\w+):", text, re.M)
        more = "".join(line for section, line in BASE.items() if section not in sections)
        (self.bench.scratch / f"{name}.yaml").write_text(more + text)
        return (self.bench.run(f"sare check {name}.yaml")
                or self.bench.run(f"sare run {SHORT} --quiet --no-report --out out/{name} {name}.yaml"))

    def command(self, text):
        self.bench.result()
        shutil.rmtree(self.bench.scratch / "out/cosim", ignore_errors=True)
        text = text.strip()
        if re.fullmatch(r"sare [a-z]+", text):
            return self.bench.run(text + " --help")
        # Whether two results differ is an answer, not an error.
        allowed = (0, 1) if " compare " in text else (0,)
        return next(filter(None, (self.bench.run(cut_down(one), allowed) for one in written_out(text))), "")

    def program(self, text):
        found = shutil.which(text, path=self.bench.environment["PATH"]) or (self.bench.scratch / text).exists()
        return "" if found else f"there is no {text}"

    def parameter(self, text):
        return self.bench.run(f"sare describe {text}")

    def target(self, text):
        return self.bench.run(f"ninja -C {self.bench.build} -t query {text} >/dev/null")

    def cpp(self, text):
        """It must stand so in a file; '// ...' in a line of its own leaves something out."""
        if OWN_FILE.match(text):
            return "" if self.built_from_page else "no CMake of the page builds it"
        parts = re.split(r"^\s*// \.\.\.\n", text, flags=re.M)
        for file in sorted(f for folder in ("tlm", "traffic", "cosim", "tb", "tests", "rtl", "scripts") for f in (ROOT / folder).rglob("*")):
            if file.suffix in (".cpp", ".h", ".v", ".sv", ".py") and self.stands_in(file.read_text(), parts):
                return ""
        return f"no file has this code, which begins with '{text.strip().splitlines()[0]}'"

    verilog = cpp

    def python(self, text):
        """Of a page that imports the package: all its blocks as one program, with the first of them."""
        if not re.search(r"^import sare$", self.python_text, re.M):
            return self.cpp(text)
        if not text or self.tried["python"]:
            return ""
        (self.bench.scratch / "page.py").write_text(self.python_text)
        return self.bench.run(f"PYTHONPATH={self.bench.build}/python /usr/bin/python3 page.py")

    @staticmethod
    def stands_in(text, parts):
        at = 0
        for part in parts:
            at = text.find(part, at)
            if at < 0:
                return False
        return True

    def cmake(self, text):
        """A project of its own, beside the sources that it names: it must configure."""
        folder = self.bench.scratch / f"project{self.tried['cmake']}"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(text.replace("/path/to/sare", str(ROOT)))
        if "find_package(sare" in text:
            return self.plugin(folder)
        for source in re.findall(r"\b[\w-]+\.(?:cpp|sv|v)\b", text):
            for file in sorted((ROOT / "tb").rglob(source))[:1]:
                shutil.copy(file, folder)
        return self.bench.run(f"cmake -G Ninja -S {folder} -B {folder}/build")

    def plugin(self, folder):
        """A project outside: it has the files of tb/examples/plugin and the page's own, and what it makes can be loaded from then on."""
        for file in (ROOT / "tb/examples/plugin").glob("*.*"):
            if file.suffix in (".cpp", ".h"):
                shutil.copy(file, folder)
        for name, piece in self.own_files.items():
            (folder / name).write_text(piece.text)
        problem = (self.bench.run(f"cmake -G Ninja -S {folder} -B {folder}/build -DCMAKE_PREFIX_PATH={self.bench.build}")
                   or self.bench.run(f"ninja -C {folder}/build"))
        for library in folder.glob("build/lib*.so"):
            (self.bench.scratch / library.name).symlink_to(library)
        self.built_from_page = not problem
        return problem

    def text(self, text):
        """Formats of ours are read; anything else is prose."""
        first = text.split("\n", 1)[0].split("#")[0].strip()
        file = self.bench.scratch / f"format{self.tried['text']}"
        if not re.fullmatch(r"sare-(graph|trace|table) [1-3]", first):
            return ""
        file.write_text(text)
        if first.startswith("sare-trace"):
            return self.bench.run(f"sare trace check {file}")
        section = {"sare-graph 1": "network: {topology: graph, file: %s}\nrouting: up_down\n",
                   "sare-table 1": "routing: {function: table, file: %s}\n"}
        return self.yaml(section[first] % file)

    def look_up(self, text):
        """Of a command that is not run: its program, its options, its targets."""
        program = text.split()[0]
        if program == "ninja":
            return self.target(" ".join(re.sub(r"-C \S+", "", text).split()[1:]) or "all")
        if program.startswith("scripts/"):
            file = ROOT / program
            known = file.read_text() if file.exists() else ""
            words = re.findall(r"(?<= )--[\w-]+", text.split("#")[0])
            missing = [word for word in words if word not in known] if known else [program]
            return f"there is no {missing[0]} in {program}" if missing else ""
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("--build", type=Path, required=True, help="where sare, rtl_bench and the examples were built")
    parser.add_argument("--scratch", type=Path, required=True, help="emptied first")
    args = parser.parse_args()
    checker = Checker(args.page, Bench(args.build.resolve(), args.scratch.resolve()))
    checker.run()
    for line, what in sorted(checker.wrong):
        print(f"{args.page}:{line}: {what}")
    print("tried:", ", ".join(f"{n} {kind}" for kind, n in checker.tried.items()) or "nothing")
    for reason, n in checker.left_out.items():
        print(f"not run: {n}: {reason}")
    return 1 if checker.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
