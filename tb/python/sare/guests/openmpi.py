# SPDX-License-Identifier: Apache-2.0
"""What guests get beside MPICH to run programs of Open MPI: its launcher, its daemon and its plug-ins."""
import re
import shutil
from pathlib import Path

from . import image
from .problem import Problem, require

COMPILER = "mpicc.openmpi"
PROGRAMS = ["orterun", "orted"]
PLUGINS = ["/usr/lib/*/openmpi/lib/openmpi3/*.so", "/usr/lib/*/pmix2/lib/pmix/*.so"]
OTHER_FABRICS = re.compile(r"_(ofi|openib|psm2?|ucx)\.so$")
USERS = "root:x:0:0::/:/bin/bash\n"  # the launcher wants to know its user's shell, and writes for it


def add(root):
    """Puts it, and all of our programs compiled with it, into a tree that is unpacked over the image."""
    require(COMPILER, *PROGRAMS)
    binaries = [root / "bin" / program for program in image.programs()]
    for binary in binaries:
        binary.parent.mkdir(parents=True, exist_ok=True)
        image.compile_program(image.SOURCES / f"{binary.name}.c", binary, COMPILER)
    for program in PROGRAMS:
        image.put(shutil.which(program), root / "bin" / program)
    plugins = [str(p) for pattern in PLUGINS for p in Path("/").glob(pattern[1:]) if not OTHER_FABRICS.search(p.name)]
    if not plugins:
        raise Problem(f"Open MPI has no plug-ins in {PLUGINS[0]}")
    for file in plugins + image.libraries(binaries + [root / "bin" / program for program in PROGRAMS] + plugins):
        image.put(file, root / file.lstrip("/"))
    (root / "etc").mkdir(exist_ok=True)
    (root / "etc/passwd").write_text(USERS)
