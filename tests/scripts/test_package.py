#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""docs/your-project.md word by word: installs the build into a scratch folder and makes the tutorial's platform there, by CMake
and by pkg-config; docs/amba.md's platforms, too; the Debian package has the same in it; a project that has Sare as a folder configures."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ["SARE_BUILD"])
PAGE = (ROOT / "docs/your-project.md").read_text()
PLATFORM = (ROOT / "docs/tutorial/4-my-platform.md").read_text()


def run(command, folder, **environment):
    done = subprocess.run(["bash", "-ec", command], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1", **environment})
    assert done.returncode == 0, f"'{command}' ended with status {done.returncode}:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def block(kind):
    return re.search(rf"```{kind}\n(.*?)```", PLATFORM, re.S)[1]


def commands():
    """The indented ones, in order, each as a text."""
    return [re.sub(r"^    |<!--.*?-->", "", text, flags=re.M) for text in re.findall(r"(?:^    .*\n)+", re.sub(r"```.*?```", "", PAGE, flags=re.S), re.M)]


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.scratch.name)
        cls.prefix = cls.folder / "sare"
        install = commands()[0].strip().split(" && ")[-1]
        run(install.replace("/path/to/sare", str(cls.prefix)).replace("build", str(BUILD), 1), cls.folder)
        (cls.folder / "net.yaml").write_text(block("yaml"))
        (cls.folder / "platform.cpp").write_text(block("cpp"))
        (cls.folder / "CMakeLists.txt").write_text(block("cmake"))

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def check(self, output):
        self.assertRegex(output, r"(?m)^170 ns for one read$")

    def test_cmake(self):
        self.check(run(commands()[1].replace("/path/to/sare", str(self.prefix)), self.folder))

    def test_pkg_config(self):
        output = run(commands()[2] + "./platform 0 exact", self.folder, PKG_CONFIG_PATH=f"{self.prefix}/lib/pkgconfig")
        self.check(output)

    def test_later_standards(self):
        """SystemC is linked by the standard that it was built with, whatever the program's own is."""
        folder = self.folder / "later"
        folder.mkdir()
        for name in ("net.yaml", "platform.cpp", "CMakeLists.txt"):
            shutil.copy(self.folder / name, folder)
        self.check(run(commands()[1].replace("/path/to/sare", f"{self.prefix} -DCMAKE_CXX_STANDARD=20"), folder))
        command = commands()[2].strip() + " -std=c++20 -fsyntax-only"
        run(command, folder, PKG_CONFIG_PATH=f"{self.prefix}/lib/pkgconfig")
        flags = run("pkg-config --cflags sare", folder, PKG_CONFIG_PATH=f"{self.prefix}/lib/pkgconfig").split()
        self.assertIn("-DSC_CPLUSPLUS=201703L", flags)

    def test_shared(self):
        """libsare.so, by a program in C++20; it shows Sare's names alone."""
        folder = self.folder / "shared"
        folder.mkdir()
        for name in ("net.yaml", "platform.cpp", "CMakeLists.txt"):
            shutil.copy(self.folder / name, folder)
        text = (folder / "CMakeLists.txt").read_text()
        (folder / "CMakeLists.txt").write_text(text.replace("sare::sare", "sare::shared"))
        self.check(run(commands()[1].replace("/path/to/sare", f"{self.prefix} -DCMAKE_CXX_STANDARD=20"), folder))
        self.assertRegex(run("readelf -d build/platform", folder), r"NEEDED.*\[libsare\.so\.\d+\.\d+\]")
        names = run(f"nm -DC --defined-only {self.prefix}/lib/libsare.so | cut -c20-", folder).splitlines()
        self.assertGreater(len(names), 1000)
        shown = r"sare(::|_)|(vtable|VTT|typeinfo|typeinfo name|guard variable) for sare::|(non-)?virtual thunk to sare::"
        self.assertEqual([name for name in names if not re.match(shown, name)], [])
        flags = run("pkg-config --libs sare-shared", folder, PKG_CONFIG_PATH=f"{self.prefix}/lib/pkgconfig").split()
        self.assertIn("-lsare", flags)

    def test_every_example_outside_the_tree(self):
        """With the headers and libraries that are installed, and nothing else; those of docs/amba.md say what is there."""
        folder = self.folder / "examples"
        shutil.copytree(ROOT / "tb/examples", folder / "tb/examples", ignore=shutil.ignore_patterns("*.cpp", "CMakeLists.txt"))
        names = sorted(file.stem for file in (ROOT / "tb/examples").glob("*.cpp"))
        for name in names:
            shutil.copy(ROOT / f"tb/examples/{name}.cpp", folder)
        (folder / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject(examples CXX)\nfind_package(Sare REQUIRED)\nforeach(name {' '.join(names)})\n"
            "  add_executable(${name} ${name}.cpp)\n  target_include_directories(${name} PRIVATE .)\n"
            "  target_link_libraries(${name} PRIVATE sare::$<IF:$<STREQUAL:${name},stepped_client>,stepped,sare>)\nendforeach()\n")
        run(f"cmake -B build -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH={self.prefix} && cmake --build build -j2", folder)
        said = {name: run(f"build/{name} {'exact 10' if name == 'access_modes' else ''}", folder) for name in names}
        self.assertIn("byte 0 is 16, byte 16 is 0", said["axi_over_network"])
        self.assertIn("broken rules: 0, of coherence: 0", said["chi_over_network"])

    def test_beside_another_library_with_yaml_cpp(self):
        """In any order, and where the linker drops what nothing before it needs; without SystemC."""
        folder = self.folder / "beside"
        folder.mkdir()
        (folder / "other.cpp").write_text("#include <yaml-cpp/yaml.h>\nint other() { return YAML::Load(\"3\").as<int>(); }\n")
        (folder / "main.cpp").write_text(
            '#include <tlm/stepped.h>\nint other();\nint main() {\n    const auto all = sare::config::parse_yaml("network: {topology: mesh, dims: [8, 8]}", "all");\n'
            '    return sare::stepped_network(sare::experiment::read(all, ".")).nodes() == 64 && other() == 3 ? 0 : 1;\n}\n')
        (folder / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(beside CXX)\nfind_package(yaml-cpp REQUIRED)\nfind_package(Sare REQUIRED)\n"
            "add_library(other STATIC other.cpp)\ntarget_link_libraries(other PUBLIC yaml-cpp)\nadd_library(code OBJECT main.cpp)\n"
            "target_link_libraries(code PRIVATE sare::stepped)\nadd_executable(before $<TARGET_OBJECTS:code>)\n"
            "target_link_libraries(before PRIVATE other sare::stepped -Wl,--as-needed)\nadd_executable(behind $<TARGET_OBJECTS:code>)\n"
            "target_link_libraries(behind PRIVATE sare::stepped other -Wl,--as-needed)\n")
        run(f"cmake -B build -DCMAKE_PREFIX_PATH={self.prefix} && cmake --build build && build/before && build/behind", folder)
        self.assertNotIn("systemc", run("ldd build/before", folder))

    def test_the_program_where_it_is_installed(self):
        output = run("unset SARE_SCRIPTS; $PWD/sare/bin/sare run sare/share/sare/experiments/mesh8x8-sweep.yaml --set measurement.batches=2 "
                     "--out r && test -s r/report.html", self.folder)
        self.assertIn("mesh 8", output)

    def test_a_simulator_of_computers(self):
        (self.folder / "ping.c").write_text((ROOT / "tb/examples/bridge_client/ping.c").read_text())
        run("cc ping.c -Isare/include -Lsare/lib -lsare_bridge -o ping", self.folder)

    def test_as_a_folder(self):
        folder = self.folder / "above"
        folder.mkdir()
        (folder / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject(above CXX)\nadd_subdirectory({ROOT} sare EXCLUDE_FROM_ALL)\n"
            "add_executable(lint ../platform.cpp)\ntarget_link_libraries(lint PRIVATE sare::sare)\n")
        run("cmake -G Ninja -B build", folder)
        ninja = (folder / "build/build.ninja").read_text()
        ours = ninja[ninja.index("build CMakeFiles/lint.dir"):]
        self.assertNotIn("-Werror", ours[:ours.index("\n\n")])
        self.assertNotIn("command_test", ninja)

    def test_without_the_program(self):
        run(f"cmake -G Ninja -S {ROOT} -B library -DSARE_COMMAND=OFF -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON", self.folder)
        listed = run("ninja -C library -t targets all", self.folder)
        self.assertIn("libsare.a", listed)
        self.assertNotIn("tb/sare/main.cpp", listed)
        # Before anything is built it says in a line what to build; that target has all which is installed.
        done = subprocess.run(["cmake", "--install", "library", "--prefix", "nowhere"], cwd=self.folder, capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"libsare\.a\s+is\s+not\s+built:\s+'cmake\s+--build\s+\S+\s+--target\s+installed'\s+builds\s+what\s+is\s+installed")
        built = set(re.findall(r"(?: qc| -o) (\S+\.(?:a|so)) ", run("ninja -C library -t commands installed", self.folder)))
        rules = (self.folder / "library/scripts/package/cmake_install.cmake").read_text()
        wanted = set(re.findall(rf'FILES "{re.escape(str(self.folder))}/library/(\S+\.(?:a|so))"', rules))
        self.assertGreaterEqual(len(wanted), 3)
        self.assertLessEqual(wanted, built)
        self.assertIn("build build installed", (ROOT / "scripts/quickstart").read_text())

    def test_debian_package(self):
        run(f"cpack --config {BUILD}/CPackConfig.cmake -B {self.folder}/deb", self.folder)
        listed = run("dpkg-deb -c deb/sare_*.deb", self.folder)
        for file in ("bin/sare", "lib/libsare.a", "lib/libsare_rtl.a", "lib/cmake/sare/sare-config.cmake", "include/sare/tlm/sare.h",
                     "include/sare_bridge.h", "lib/pkgconfig/sare.pc", "share/sare/rtl/sare_router.sv", "share/sare/scripts/report",
                     "share/sare/tb/python/sare/report/web/page.html.j2", "share/sare/tb/python/sare/bridge.py",
                     "share/man/man1/sare-sweep.1.gz", "share/man/man5/sare-experiment.5.gz", "share/bash-completion/completions/sare",
                     "share/zsh/site-functions/_sare", "share/fish/vendor_completions.d/sare.fish"):
            self.assertRegex(listed, rf"/{re.escape(file)}\n")
        self.assertNotRegex(listed, r"scripts/dev|__pycache__|python/sare/(power|guests|search)")
        self.assertIn("libsystemc-dev", run("dpkg-deb -f deb/sare_*.deb Depends", self.folder))
        if (BUILD / "python/sare/experiment.py").exists():
            self.check_python_package()
        if shutil.which("lintian"):
            self.assertEqual(run("lintian --allow-root deb/*.deb", self.folder), "")

    def check_python_package(self):
        """Unpacked beside the other one it finds the program there."""
        self.assertRegex(run("dpkg-deb -f deb/python3-sare_*.deb Depends", self.folder), r"sare \(= .*python3-pandas")
        run("dpkg-deb -x deb/sare_*.deb root && dpkg-deb -x deb/python3-sare_*.deb root", self.folder)
        (self.folder / "run.py").write_text("import sare\ne = {'network': {'topology': 'mesh', 'dims': [2, 2]}, 'traffic': {'workload': 'bernoulli', 'load': 0.1}}\n"
                                            "print(sare.run(e).status, sare.__file__)\n")
        said = run("/usr/bin/python3 run.py", self.folder,
                   PYTHONPATH=str(self.folder / "root/usr/lib/python3/dist-packages"), SARE_PROGRAM="")
        status, module = said.split()
        self.assertEqual((status, module), ("completed", str(self.folder / "root/usr/lib/python3/dist-packages/sare/__init__.py")))
        self.assertIn("py3compile", run("dpkg-deb -I deb/python3-sare_*.deb postinst", self.folder))


if __name__ == "__main__":
    sys.exit(unittest.main())
