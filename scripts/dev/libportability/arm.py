# SPDX-License-Identifier: Apache-2.0
"""64-bit Arm without an Arm machine: Debian's packages unpacked into a folder, a cross compiler, qemu-user."""

from libportability import ROOT

TRIPLE = "aarch64-linux-gnu"
NATIVE = {"g++", "cmake", "ninja-build", "pkg-config", "git", "python3", "python3-matplotlib", "python3-jinja2", "zstd"}


def packages():
    """What the core is linked with: tier `run` of scripts/packages.txt without tools of the build machine."""
    rows = [line.split() for line in (ROOT / "scripts/packages.txt").read_text().splitlines() if line and line[0] != "#"]
    return [row[0] for row in rows if row[1] == "run" and row[0] not in NATIVE]


def sysroot(root, called):
    """The folder with Arm's libraries and headers; filled if it is not there. apt keeps a state of its own below it."""
    if (root / "usr/include").is_dir():
        return root
    state = root / "apt"
    for folder in ("lists/partial", "cache/archives/partial"):
        (state / folder).mkdir(parents=True, exist_ok=True)
    (state / "status").touch()
    apt = ["apt-get", "-o", "APT::Architecture=arm64", "-o", "APT::Architectures=arm64", "-o", f"Dir::State={state}",
           "-o", f"Dir::State::status={state}/status", "-o", f"Dir::Cache={state}/cache", "-o", "Debug::NoLocking=1"]
    called("arm-lists", [*apt, "update"])
    called("arm-packages", [*apt, "install", "--yes", "--download-only", "--no-install-recommends", *packages()])
    for package in sorted((state / "cache/archives").glob("*.deb")):
        called("arm-unpack", ["dpkg-deb", "--extract", package, root])
    make_links_relative(root)
    if not (root / "lib").exists():  # from Debian 13 on all packages have their files below usr
        (root / "lib").symlink_to("usr/lib")
    return root


def make_links_relative(root):
    """Absolute links of the packages would lead out of the folder."""
    for link in root.rglob("*"):
        if link.is_symlink() and link.readlink().is_absolute():
            target = root / link.readlink().relative_to("/")
            link.unlink()
            link.symlink_to(target)


def options(root):
    """Of CMake, to find libraries there and programs here."""
    return ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64", f"-DCMAKE_C_COMPILER={TRIPLE}-gcc",
            f"-DCMAKE_SYSROOT={root}", f"-DCMAKE_FIND_ROOT_PATH={root}", "-DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER",
            "-DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY", "-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY",
            "-DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY", f"-DCMAKE_LIBRARY_ARCHITECTURE={TRIPLE}"]


def environment(root):
    """For pkg-config."""
    return {"PKG_CONFIG_SYSROOT_DIR": str(root), "PKG_CONFIG_PATH": "",
            "PKG_CONFIG_LIBDIR": f"{root}/usr/lib/{TRIPLE}/pkgconfig:{root}/usr/share/pkgconfig"}


def runner(root):
    """What a program of Arm is started with."""
    return ["qemu-aarch64", "-L", str(root)]
