# SPDX-License-Identifier: Apache-2.0
"""Which MPI a program has, and how its processes come by the library that records them."""
import os
import re
import shutil
import subprocess

from .problem import Problem

# What a program is linked with, by MPI.
LIBRARIES = {"openmpi": r"\blibmpi\.so\.", "mpich": r"\blibmpich\.so\."}
# How a launcher is told a variable for the processes; others hand on their own environment.
SETTINGS = {"openmpi": lambda name, value: ["-x", f"{name}={value}"], "mpich": lambda name, value: ["-genv", name, value]}
TITLES = {"openmpi": "Open MPI", "mpich": "MPICH"}

# Functions of MPICH that the linker hands to the recorder: those that send inside collectives, and those that push on
# the non-blocking ones.
WRAPPED = ["MPIC_" + name for name in ("Send", "Ssend", "Isend", "Issend", "Recv", "Irecv", "Sendrecv", "Sendrecv_replace",
                                       "Wait", "Waitall")] + [
    "MPIDU_Sched_progress", "MPIDU_Sched_start", "MPII_Genutil_progress_hook", "MPIR_TSP_sched_start"]


def link_flags(build):
    library = build / "libsare_trace-inside.a"
    if not library.is_file():
        raise Problem(f"{library} is not there: cmake builds it where libmpich-dev is installed (scripts/setup)")
    said = [subprocess.run(["pkg-config", *words, "mpich"], capture_output=True, text=True, check=False).stdout.split()
            for words in (("--cflags",), ("--variable=libdir",))]
    others = said[0] + [f"-L{folder}" for folder in said[1]]
    wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
    return " ".join(others + wraps + [str(library), "-l:libmpich.a", "-lucp", "-lucs", "-lhwloc", "-lstdc++", "-lm",
                                      "-lpthread", "-ldl"])


def mpi_of_program(command):
    """The first word of the command that is a program linked with an MPI: its name and which."""
    for word in command[1:]:
        path = shutil.which(word)
        if not path or not is_elf(path):
            continue
        linked = subprocess.run(["ldd", path], capture_output=True, text=True, check=False).stdout
        for mpi, library in LIBRARIES.items():
            if re.search(library, linked):
                return word, mpi
    return None, None


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def mpi_of_launcher(launcher):
    said = subprocess.run([launcher, "--version"], capture_output=True, text=True, check=False).stdout
    if "Open MPI" in said or "OpenRTE" in said:
        return "openmpi"
    return "mpich" if "HYDRA" in said else None


def choose(command, wanted):
    """The launcher's path, whose it is, and the program's MPI."""
    launcher = shutil.which(command[0])
    if not launcher:
        raise Problem(f"'{command[0]}' is not there; scripts/setup installs mpirun.openmpi and mpirun.mpich")
    launches = mpi_of_launcher(launcher)
    program, mpi = mpi_of_program(command)
    if wanted and mpi and wanted != mpi:
        raise Problem(f"{program} is linked with {TITLES[mpi]}, not with {TITLES[wanted]}")
    mpi = wanted or mpi or launches
    if not mpi:
        raise Problem(f"'{' '.join(command)}': neither the launcher nor a program in it is known to be of Open MPI or "
                      "MPICH; --mpi says which it is")
    if launches and launches != mpi:
        raise Problem(f"{program or 'the program'} is linked with {TITLES[mpi]}, but {command[0]} is "
                      f"{TITLES[launches]}'s: mpirun.{mpi} runs it")
    return launcher, launches, mpi


def run(args, build):
    """Runs the command to its end; gives its status."""
    launcher, launches, mpi = choose(args.command, args.mpi)
    variables = {"SARE_TRACE_CLOCK": args.clock}
    if args.inside:
        if mpi != "mpich":
            raise Problem(f"--inside is for MPICH, and {args.command[0]} is {TITLES[mpi]}'s")
        variables["SARE_TRACE_INSIDE"] = "1"
    else:
        library = build / f"libsare_trace-{mpi}.so"
        if not library.is_file():
            raise Problem(f"{library} is not there: cmake builds it where {TITLES[mpi]} is installed (scripts/setup)")
        variables["LD_PRELOAD"] = ":".join(filter(None, [str(library.resolve()), os.environ.get("LD_PRELOAD")]))
    try:
        args.out.mkdir(parents=True)
    except FileExistsError:
        raise Problem(f"{args.out} is there already; --out names another folder") from None
    variables["SARE_TRACE_DIR"] = str(args.out.resolve())
    settings, environment = [], dict(os.environ)
    if launches:
        for name, value in variables.items():
            settings += SETTINGS[launches](name, value)
    else:
        environment.update(variables)
    return subprocess.run([launcher, *settings, *args.command[1:]], env=environment, check=False).returncode
