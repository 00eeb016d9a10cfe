# SPDX-License-Identifier: Apache-2.0
"""What is tried: a row a compiler, standard, library or processor."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """How one program is built and run."""
    name: str
    compiler: str                  # command that must be installed
    standard: int = 17
    flags: str = ""
    arm: bool = False              # cross-compiled for 64-bit Arm, run by qemu-user
    systemc: bool = False          # with the SystemC of --systemc
    link: str = ""                 # flags of the linker


# The first one that was tried is what all others are held against.
ROWS = [
    Row("g++", "g++"),
    Row("g++-11", "g++-11"),
    Row("g++-12", "g++-12"),
    Row("g++-13", "g++-13"),
    Row("g++-14", "g++-14"),
    Row("c++20", "g++", standard=20),
    Row("c++23", "g++", standard=23),
    Row("clang-15", "clang++-15"),
    Row("clang-16", "clang++-16"),
    Row("clang-19", "clang++-19"),
    Row("clang-19-c++20", "clang++-19", standard=20),
    Row("clang-19-c++23", "clang++-19", standard=23),
    Row("assertions", "g++", flags="-D_GLIBCXX_ASSERTIONS"),
    Row("arm64", "aarch64-linux-gnu-g++", arm=True),
    Row("systemc", "g++", systemc=True),
    # Libraries of a newer system need more of the compiler's runtime than g++-13 has to link; it is there as they run.
    Row("systemc-g++-13", "g++-13", systemc=True, link="-Wl,--allow-shlib-undefined"),
]
