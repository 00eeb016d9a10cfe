# SPDX-License-Identifier: Apache-2.0
"""Both commands of the README on a fresh system: a root made by debootstrap, or a container where this machine runs them."""
import re
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from libportability import ROOT


@dataclass(frozen=True)
class System:
    """A system that people have."""
    name: str
    image: str               # of a container
    suite: str = ""          # Debian's name, which debootstrap knows; "": a container is the only way
    before: str = "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends git ca-certificates"


SYSTEMS = [
    System("debian12", "debian:12", "bookworm"),
    System("debian13", "debian:13", "trixie"),
    System("ubuntu24.04", "ubuntu:24.04"),
    System("fedora", "fedora:latest", before="dnf install -y git gcc-c++ cmake ninja-build pkgconf systemc-devel yaml-cpp-devel json-devel "
           "cli11-devel fmt-devel openssl-devel protozero-devel boost-devel zlib-devel bzip2-devel xz-devel libzstd-devel "
           "python3-matplotlib python3-jinja2"),
]
COMMANDS = ("quickstart", "test")
# What a root needs of its host is mounted in a namespace of its own, so nothing stays mounted. /source is the repository.
ENTER = """set -e
for folder in proc sys dev; do mount --rbind /$folder "$1/$folder"; done
mkdir -p "$1/source"
mount --bind "$2" "$1/source"
cp /etc/resolv.conf "$1/etc/resolv.conf"
exec chroot "$1" /usr/bin/env -i HOME=/root TERM=dumb LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c "$3"
"""


def mirror():
    """Address of the archive that this machine's own Debian packages come from."""
    found = subprocess.run(["apt-get", "indextargets", "--format", "$(LABEL) $(SITE)", "Created-By: Packages"], capture_output=True,
                           text=True, check=False).stdout
    sites = [line.split(" ", 1)[1] for line in found.splitlines() if line.startswith("Debian ")]
    return sites[0] if sites else "http://deb.debian.org/debian"


class SystemTrial:
    """Makes the system below `arguments.out`/NAME, clones the repository's HEAD in it and runs both commands; their output is kept
    in quickstart.log and test.log."""

    def __init__(self, system, arguments):
        self.system = system
        self.out = (arguments.out / system.name).resolve()
        self.root = self.out / "root"
        self.keeps = arguments.keep

    def verdict(self):
        """(a sentence for the table, whether all is well, whether it was tried)."""
        self.out.mkdir(parents=True, exist_ok=True)
        why = self.make()
        if why:
            return f"not tried: {why}", False, False
        said = []
        good = self.runs("prepare", f"{self.system.before} && git config --global --add safe.directory '*' && "
                         f"rm -rf ~/sare && git clone --quiet /source ~/sare")
        if not good:
            return f"cannot be prepared: {self.out}/prepare.log", False, True
        for command in COMMANDS:
            start = time.monotonic()
            good = self.runs(command, f"cd ~/sare && CI=true scripts/{command}")
            said.append(f"`scripts/{command}` {'ends with 0' if good else 'fails'} after {(time.monotonic() - start) / 60:.0f} minutes")
            if not good:
                break
        if good or "test" in said[-1]:
            said.append(self.tests())
        if good and not self.keeps:
            shutil.rmtree(self.root, ignore_errors=True)
        return "; ".join(said), good, True

    def make(self):
        """Makes a new root; returns why that is not possible, or ""."""
        self.container = next((tool for tool in ("podman", "docker") if shutil.which(tool) and subprocess.run(
            [tool, "info"], capture_output=True, check=False).returncode == 0), "")
        if self.system.suite and shutil.which("debootstrap"):
            self.container = ""
            if self.root.exists():
                shutil.rmtree(self.root)
            made = self.logged("debootstrap", ["debootstrap", "--variant=minbase", self.system.suite, self.root, mirror()])
            return "" if made else f"debootstrap failed, see {self.out}/debootstrap.log"
        return "" if self.container else "neither podman nor docker runs here" + (
            "" if not self.system.suite else ", and there is no debootstrap")

    def runs(self, step, script):
        if self.container:
            # One container for all steps: made by the first.
            name = f"sare-{self.system.name}"
            if step == "prepare":
                subprocess.run([self.container, "rm", "-f", name], capture_output=True, check=False)
                self.logged("container", [self.container, "run", "-d", "--name", name, "-v", f"{ROOT}:/source:ro", self.system.image,
                                          "sleep", "infinity"])
            return self.logged(step, [self.container, "exec", name, "bash", "-c", script])
        return self.logged(step, ["unshare", "--mount", "bash", "-c", ENTER, "enter", self.root, ROOT, script])

    def logged(self, step, command):
        with open(self.out / f"{step}.log", "w", encoding="utf-8") as log:
            return subprocess.run([*map(str, command)], stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                  check=False).returncode == 0

    def tests(self):
        """What the log of scripts/test says at its end, in short."""
        text = (self.out / "test.log").read_text(errors="replace")
        skipped = re.findall(r"^(\d+) tests or parts of tests were skipped$", text, re.M)
        passed = re.findall(r"^(\d+)% tests passed, (\d+) tests failed out of (\d+)$", text, re.M)
        if not passed:
            return f"no test ran, see {self.out}/test.log"
        _, failed, of = passed[-1]
        return f"{int(of) - int(failed):,} of {int(of):,} tests, {skipped[-1] if skipped else 'none'} skipped with a reason"


def today():
    """Date and commit, for the table."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
    return f"{time.strftime('%Y-%m-%d')}, {commit}"
