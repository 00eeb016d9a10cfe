# SPDX-License-Identifier: Apache-2.0
"""What all guests boot: Debian's kernel, and an initramfs of busybox, MPICH and our programs. Needs no root: packages
are unpacked, never installed."""
import fcntl
import hashlib
import lzma
import os
import re
import shutil
import tarfile
import tempfile
from pathlib import Path

from .problem import Problem, call, require

SOURCES = Path(__file__).resolve().parents[4] / "tb" / "qemu" / "guest"
KERNEL = "linux-image-amd64"  # depends on the newest one; that of the cloud has no e1000
KERNEL_FILES = {"vmlinuz": re.compile(r"\./boot/vmlinuz-.*"), "e1000.ko": re.compile(r".*/e1000\.ko")}
BUSYBOX = "/bin/busybox"
APPLETS = "cat echo env hostname insmod ip mkdir mount nc poweroff sh sleep tr".split()
MPI = ["mpiexec.hydra", "hydra_pmi_proxy"]


def programs():
    return sorted(source.stem for source in SOURCES.glob("*.c"))


def compile_program(source, to, compiler="mpicc.mpich"):
    call(f"compiling {source}", compiler, "-std=c11", "-O2", "-Wall", "-Wextra", "-o", to, source, "-lm")


def archive(root, to):
    """The tree as the kernel unpacks it, with nothing in it that differs from build to build."""
    paths = sorted(root.rglob("*"))
    for path in paths:
        os.utime(path, (0, 0), follow_symlinks=False)
    names = "".join(f"{path.relative_to(root)}\n" for path in paths)
    to.write_bytes(call("packing the guest's files", "cpio", "--create", "--format=newc", "--quiet", "--reproducible",
                        "--owner=0:0", cwd=root, input=names.encode()))


def libraries(binaries):
    """Shared libraries of programs, the loader among them, as they are called at run time."""
    words = call("finding libraries", "ldd", *binaries).decode().split()
    return sorted({word for word in words if word.startswith("/") and not word.endswith(":")})


def put(file, to):
    if not to.exists():
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, to)  # what a symbolic link stands for
        to.chmod(0o755)


def _kernel_package():
    depends = call("asking for the kernel's package", "apt-cache", "depends", "--important", KERNEL).decode()
    names = re.findall(r"Depends: (linux-image-\S+)", depends)
    if not names:
        raise Problem(f"apt knows no package {KERNEL}: run 'apt-get update', or give --kernel FILE.deb")
    return names[0]


def _download(name, folder):
    """The package's file: from an earlier time, or from Debian."""
    found = sorted(folder.glob(f"{name}_*.deb"))
    if not found:
        folder.mkdir(parents=True, exist_ok=True)
        call(f"downloading {name} (70 MB)", "apt-get", "download", name, cwd=folder)
        found = sorted(folder.glob(f"{name}_*.deb"))
    return found[-1]


def _unpack_kernel(package, to):
    wanted = dict(KERNEL_FILES)
    stream = call(f"unpacking {package}", "dpkg-deb", "--fsys-tarfile", package)
    with tempfile.TemporaryFile() as file:
        file.write(stream)
        file.seek(0)
        with tarfile.open(fileobj=file) as tar:
            for member in tar:
                for name in [n for n, pattern in wanted.items() if pattern.fullmatch(member.name)]:
                    (to / name).write_bytes(tar.extractfile(member).read())
                    del wanted[name]
    if wanted:
        raise Problem(f"{package} has no {' and no '.join(wanted)}; that of {KERNEL} has")


def _unpack_vmlinux(vmlinuz, to):
    """The kernel itself: the guest would take seconds to do it."""
    data = vmlinuz.read_bytes()
    start = data.find(b"\xfd7zXZ\0")
    try:
        kernel = lzma.LZMADecompressor(format=lzma.FORMAT_XZ).decompress(data[start:]) if start >= 0 else b""
    except lzma.LZMAError:
        kernel = b""
    if not kernel.startswith(b"\x7fELF"):
        raise Problem(f"{vmlinuz} holds no kernel packed by xz")
    to.write_bytes(kernel)


def _fill(root, work):
    for name in ("proc", "sys", "dev", "tmp", "etc"):
        (root / name).mkdir(parents=True)
    for name in ("init", "remote"):
        put(SOURCES / name, root / ("init" if name == "init" else f"bin/{name}"))
    put(BUSYBOX, root / "bin/busybox")
    for applet in APPLETS:
        (root / "bin" / applet).symlink_to("busybox")
    put(work / "e1000.ko", root / "lib/e1000.ko")
    for program in programs():
        compile_program(SOURCES / f"{program}.c", root / "bin" / program)
    binaries = [shutil.which(name) for name in MPI]
    for binary in binaries:
        put(binary, root / "bin" / Path(binary).name)
    for library in libraries(binaries + [root / "bin" / program for program in programs()]):
        put(library, root / library.lstrip("/"))


def _state(package):
    """Of everything that goes in: if it is the same, so is the image."""
    digest = hashlib.sha256()
    for file in [*sorted(SOURCES.iterdir()), Path(__file__)]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    versions = call("asking for versions", "dpkg-query", "-W", "mpich", "libmpich-dev", "busybox-static", "libc6")
    digest.update(versions + str(package.name).encode())
    return digest.hexdigest()


def _make(folder, package, state):
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        work = Path(scratch)
        _unpack_kernel(package, work)
        _unpack_vmlinux(work / "vmlinuz", work / "vmlinux")
        _fill(work / "root", work)
        archive(work / "root", work / "initrd")
        for name in ("vmlinux", "initrd"):
            os.replace(work / name, folder / name)
    (folder / "state").write_text(state)


def build(folder, kernel=None):
    """Makes vmlinux and initrd in a folder, if what they are made of has changed. True: it had."""
    require("mpicc.mpich", *MPI, BUSYBOX, "cpio", "dpkg-deb", "apt-get", "ldd")
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # of several that build at once, one does
        package = Path(kernel) if kernel else _download(_kernel_package(), folder / "packages")
        if not package.is_file():
            raise Problem(f"{package} is no file")
        state = _state(package)
        done = folder / "state"
        if done.is_file() and done.read_text() == state and (folder / "initrd").is_file():
            return False
        _make(folder, package, state)
        return True
