# SPDX-License-Identifier: Apache-2.0
"""One row: configured, built, run, and held against the first."""
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field


from libportability import ROOT, arm
from libportability.rows import ROWS


EXPERIMENTS = ["mesh-64", "torus-duato", "dragonfly-ugal", "deflection", "cg.S.16-torus4x4"]


class Failed(Exception):
    """A step that did not end well; the text is for the table, the log says more."""


@dataclass
class Outcome:
    row: object
    compiler: str = ""
    failure: str = ""
    is_left_out: bool = False
    differ: list = field(default_factory=list)

    @property
    def is_good(self):
        return not (self.failure or self.differ or self.is_left_out)

    @property
    def verdict(self):
        if self.failure:
            return self.failure
        return f"other results: {', '.join(self.differ)}" if self.differ else "builds, same results"


def figures(folder):
    """The files of a run's results by name, without what tells of the machine."""
    files = {file.name: file.read_bytes() for file in sorted(folder.glob("*.csv"))}
    summary = json.loads((folder / "summary.json").read_text())
    for section in ("run", "version"):
        summary.pop(section, None)
    files["summary.json"] = json.dumps(summary, sort_keys=True).encode()
    return files


class Trial:
    """Of a row, below `arguments.out`/NAME."""

    def __init__(self, row, arguments):
        self.row = row
        self.arguments = arguments
        self.out = (arguments.out / row.name).resolve()
        self.reference = (arguments.against or arguments.out / ROWS[0].name).resolve()

    def outcome(self):
        result = Outcome(self.row)
        if not shutil.which(self.row.compiler):
            return self.left_out(result, f"{self.row.compiler} is not installed")
        if self.row.systemc and not self.arguments.systemc:
            return self.left_out(result, "no --systemc")
        self.out.mkdir(parents=True, exist_ok=True)
        try:
            result.compiler = self.version() + (f", SystemC of {self.arguments.systemc.name}" if self.row.systemc else "")
            self.build()
            for name in EXPERIMENTS:
                self.run(name)
                result.differ += self.differences(name)
        except Failed as failure:
            result.failure = str(failure)
        return result

    @staticmethod
    def left_out(result, why):
        result.is_left_out, result.failure = True, why
        return result

    def called(self, step, command, environment=None):
        """What a command prints, which is kept in STEP.log."""
        done = subprocess.run([*map(str, command)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              env={**os.environ, **(environment or {})})
        (self.out / f"{step}.log").write_text(done.stdout)
        if done.returncode:
            raise Failed(f"{step} failed: {self.out / step}.log")
        return done.stdout

    def version(self):
        """The compiler's first line, without what Debian says of its package."""
        return re.sub(r"^Debian | \(.*?\)", "", self.called("version", [self.row.compiler, "--version"]).splitlines()[0])

    def build(self):
        options = ["-DSARE_PARTS=core", "-DSARE_TESTS=OFF", f"-DCMAKE_BUILD_TYPE={self.arguments.build_type}",
                   f"-DCMAKE_CXX_COMPILER={self.row.compiler}", f"-DCMAKE_CXX_STANDARD={self.row.standard}",
                   f"-DCMAKE_CXX_FLAGS={self.row.flags}", f"-DCMAKE_EXE_LINKER_FLAGS={self.row.link}"]
        environment = {}
        if self.row.arm:
            root = arm.sysroot(self.arguments.out.resolve() / "arm64-root", self.called)
            options += arm.options(root)
            environment = arm.environment(root)
        if self.row.systemc:
            environment["PKG_CONFIG_PATH"] = str(self.systemc_packages())
        build = self.out / "build"
        self.called("configure", ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", *options], environment)
        self.called("build", ["cmake", "--build", build, "--target", "sare", "-j", self.arguments.jobs])

    def systemc_packages(self):
        """Files for pkg-config of the SystemC in --systemc, which an installation by CMake lacks."""
        folder = self.out / "pkgconfig"
        folder.mkdir(exist_ok=True)
        prefix = self.arguments.systemc.resolve()
        for name, library in (("systemc", "-lsystemc"), ("tlm", "")):
            (folder / f"{name}.pc").write_text(f"Name: {name}\nDescription: SystemC\nVersion: {prefix.name}\n"
                                               f"Cflags: -I{prefix}/include\nLibs: -L{prefix}/lib {library}\n")
        return folder

    def run(self, name):
        program = [self.out / "build/sare"]
        environment = {}
        if self.row.arm:
            program = [*arm.runner(self.arguments.out.resolve() / "arm64-root"), *program]
        if self.row.systemc:
            environment["LD_LIBRARY_PATH"] = f"{self.arguments.systemc.resolve()}/lib"
        self.called(f"run-{name}", [*program, "run", ROOT / f"tb/experiments/{name}.yaml", "--out", self.out / name, "--overwrite",
                                    "--quiet", "--no-report"], environment)

    def differences(self, name):
        """Names of files that differ from those of --against, or of the first row."""
        if not (self.reference / name / "summary.json").exists():
            raise Failed(f"nothing to hold it against: run the row {self.reference.name} first")
        ours, theirs = figures(self.out / name), figures(self.reference / name)
        return [f"{name}/{file}" for file in sorted({*ours, *theirs}) if ours.get(file) != theirs.get(file)]
