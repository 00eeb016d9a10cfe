# SPDX-License-Identifier: Apache-2.0
"""A copy of the sources with a build of its own, which is kept from mutant to mutant."""
from dataclasses import dataclass
from pathlib import Path

from checkout import ROOT
from sare.rtl import run

TREE = ["CMakeLists.txt", "LICENSE", "cosim", "rtl", "scripts", "tb", "tlm", "traffic"]  # what `sare` is built of


def put(path, text):
    """Writes a file only if that changes it: what has not changed is not built anew."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != text:
        path.write_bytes(text)


@dataclass
class Copy:
    folder: Path
    names: list  # of files and folders
    cmake: list  # options
    jobs: int

    def refresh(self, mutant=None):
        """Makes the copy equal to the sources, but for the edit."""
        for name in self.names:
            for file in [ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"):
                if not file.is_file() or "__pycache__" in file.parts:
                    continue
                here, text = file.relative_to(ROOT), file.read_bytes()
                if mutant and str(here) == mutant.path:
                    text = mutant.edited(text.decode()).encode()
                put(self.folder / "tree" / here, text)

    def build(self, target):
        """Status and log."""
        build = self.folder / "build"
        if not (build / "build.ninja").exists():
            status, log = run(["cmake", "-S", str(self.folder / "tree"), "-B", str(build), "-G", "Ninja",
                               "-DCMAKE_BUILD_TYPE=None", *self.cmake])
            if status != 0:
                raise SystemExit(f"mutants: cmake failed:\n{log[-2000:]}")
        return run(["cmake", "--build", str(build), "--target", target, "-j", str(self.jobs)])
