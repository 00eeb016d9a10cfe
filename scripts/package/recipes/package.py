# SPDX-License-Identifier: Apache-2.0
"""Recipe for Spack, from a clone: spack repo create sare-repo; copy this file to sare-repo/packages/sare/package.py;
spack repo add sare-repo; spack dev-build -d CLONE sare@0.3.0."""
from spack.package import *


class Sare(CMakePackage):
    """Simulator of interconnection networks: routers, NICs and links in SystemC/TLM-2.0, flit by flit."""

    license("Apache-2.0")

    version("0.3.0")

    variant("python", default=True, description="The package for Python")
    variant("rtl", default=True, description="Routers in RTL beside those of the model")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    for library in ("systemc@2.3.4:", "yaml-cpp@0.7:", "nlohmann-json@3.11:", "cli11@2.1:", "fmt@9:", "openssl", "protozero",
                    "boost@1.74: +iostreams", "zlib-api", "bzip2", "xz", "zstd", "sqlite", "otf2", "libedit",
                    "cpp-httplib"):
        depends_on(library)
    depends_on("metis")
    depends_on("verilator@5.006:", when="+rtl", type=("build", "run"))
    depends_on("py-pybind11", when="+python", type="build")
    depends_on("python@3.11:", type=("build", "run"))
    for module in ("matplotlib", "jinja2"):
        depends_on(f"py-{module}", type="run")
    for module in ("numpy", "pandas", "networkx"):
        depends_on(f"py-{module}", when="+python", type="run")

    def cmake_args(self):
        parts = ["amba", "bridge", "formats"]
        parts += ["cosim"] if self.spec.satisfies("+rtl") else []
        parts += ["python"] if self.spec.satisfies("+python") else []
        return [self.define("SARE_PARTS", parts), self.define("SARE_TESTS", False)]

    build_targets = ["installed"]
