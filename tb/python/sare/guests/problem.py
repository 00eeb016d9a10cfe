# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, and calls of other programs that tell it in a line."""
import shutil
import subprocess

# What is called, or copied into the guests, and the Debian package that has it.
PACKAGES = {
    "qemu-system-x86_64": "qemu-system-x86",
    "mpicc.mpich": "libmpich-dev",
    "mpicc.openmpi": "libopenmpi-dev",
    "orterun": "openmpi-bin",
    "orted": "openmpi-bin",
    "mpiexec.hydra": "mpich",
    "hydra_pmi_proxy": "mpich",
    "/bin/busybox": "busybox-static",
    "cpio": "cpio",
    "dpkg-deb": "dpkg",
    "apt-get": "apt",
    "ldd": "libc-bin",
    "setpriv": "util-linux",
}


class Problem(Exception):
    """Ends the script with one line."""


def require(*programs):
    missing = sorted({PACKAGES[program] for program in programs if not shutil.which(program)})
    if missing:
        raise Problem(f"not installed: {', '.join(missing)}; scripts/setup installs it")


def call(what, *command, **others):
    """Runs a program to its end and gives what it printed; `what` it was for, should it fail."""
    others.setdefault("input", b"")
    done = subprocess.run([str(word) for word in command], capture_output=True, check=False, **others)
    if done.returncode:
        said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
        errors = [line for line in said if "error" in line or line.startswith("E: ")] or said[-1:]
        raise Problem(f"{what}: {command[0]} failed: {errors[0] if errors else f'status {done.returncode}'}")
    return done.stdout
