# SPDX-License-Identifier: Apache-2.0
"""Builds a wheel of Sare (PEP 517): the package for the Python that runs this, the command, the library with its headers, RTL and
tables. The wheel is for this kind of machine and links its libraries of SystemC, yaml-cpp and others (scripts/packages.txt).

Setting `build-dir`: a build tree of Sare with the package for this Python, which is installed as it stands; otherwise one is made
in build/wheel-TAG and kept, so that a second wheel takes seconds."""
import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = "lib/python3/dist-packages"  # in the installed tree: SARE_PYTHON_DIR
EXTRAS = {"tables": ["numpy", "pandas"], "graphs": ["networkx"], "plots": ["matplotlib", "jinja2"], "search": ["optuna"]}


def version():
    return re.search(r"project\(\S+ VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def tag():
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def metadata():
    lines = ["Metadata-Version: 2.1", "Name: sare", f"Version: {version()}", "License: Apache-2.0",
             "Summary: Simulator of interconnection networks in SystemC/TLM-2.0",
             f"Requires-Python: =={sys.version_info.major}.{sys.version_info.minor}.*"]
    for extra, packages in EXTRAS.items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {package}; extra == "{extra}"' for package in packages]
    return "\n".join(lines) + "\n"


def run(*command):
    done = subprocess.run([str(word) for word in command], stdout=sys.stderr, check=False)
    if done.returncode != 0:
        raise SystemExit(f"sare: '{' '.join(str(word) for word in command)}' ended with status {done.returncode}")


def built(folder):
    """Returns a build tree with all that is installed, for this Python."""
    if folder is None:
        folder = ROOT / f"build/wheel-{tag()}"
        run("cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DSARE_PARTS=all", "-DSARE_TESTS=OFF",
            f"-DPython3_EXECUTABLE={sys.executable}")
        run("cmake", "--build", folder, "--target", "installed", "--parallel", os.cpu_count())
    extension = Path(folder) / f"python/sare/_native{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not extension.exists():
        raise SystemExit(f"sare: {extension} is missing: the build tree has no package for Python {sys.version.split()[0]}; "
                         "pybind11-dev and python3-dev are needed to build it")
    return Path(folder)


def names(prefix):
    """Yields each installed file and its name in the wheel: the package beside others, all else below the prefix of Python."""
    for file in sorted(f for f in prefix.rglob("*") if f.is_file()):
        path = file.relative_to(prefix).as_posix()
        if path.startswith(PACKAGE + "/"):
            yield file, path[len(PACKAGE) + 1:]
        else:
            yield file, f"sare-{version()}.data/data/{path}"


class Wheel:
    """The zip file of a wheel, with the record of what is in it. The same files make the same bytes."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, data, mode=0o644):
        info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o100000 | mode) << 16
        self.zip.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(data)}")

    def close(self, record_name):
        text = "\n".join([*self.record, f"{record_name},,"]) + "\n"
        self.zip.writestr(zipfile.ZipInfo(record_name, (1980, 1, 1, 0, 0, 0)), text)
        self.zip.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Hook of PEP 517."""
    folder = built((config_settings or {}).get("build-dir"))
    name = f"sare-{version()}-{tag()}.whl"
    info = f"sare-{version()}.dist-info"
    with tempfile.TemporaryDirectory() as prefix:
        run("cmake", "--install", folder, "--prefix", prefix, "--strip")
        wheel = Wheel(Path(wheel_directory) / name)
        for file, there in names(Path(prefix)):
            wheel.add(there, file.read_bytes(), file.stat().st_mode & 0o777)
    wheel.add(f"{info}/METADATA", metadata().encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: sare\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode())
    wheel.close(f"{info}/RECORD")
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Hook of PEP 517."""
    raise SystemExit("sare: a wheel is built from a clone of the repository; there is no archive of tb/python alone")
