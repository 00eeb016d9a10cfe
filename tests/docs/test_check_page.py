#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What check_page.py must find, and what it must let pass. Takes the build directory and a scratch directory."""
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
BUILD, SCRATCH = map(Path, sys.argv[1:3])

GOOD = """
```yaml
routing: dor   # sare describe dor
```
    sare check mesh.yaml          # a comment

`sare topo FILE`, `sare run`, `router.vcs: 2`, `sare: no command`, `scripts/test`, and
`ninja -C build all`<!-- not run: long -->, or the targets `lint`, `all`.

    sare-graph 1
    link 0 1
    node 0 0
    node 1 1

```cpp
int sc_main(int, char**) {
    return 0;
}
```
<!-- not run: long -->
    scripts/lint --fix
"""

# What a page may say wrongly, and what is said of it.
WRONG = [
    ("```yaml\nworkload:\n  workload: bernoulli\n```", "unknown key 'workload'"),
    ("```yaml\nrouter: {vcs: 99}\n```", "99"),
    ("```yaml\ntraffic: {workload: trace, file: nowhere}\n```", "nowhere"),
    ("    sare describe workload tors", "tors"),
    ("`sare describe workload tors`", "tors"),
    ("```yaml\nseed: 1  # sare describe sed\n```", "sed"),
    ("    sare run FILE --no-such-option", "--no-such-option"),
    ("    sare walk FILE", "walk"),
    ("`scripts/nothing`", "there is no scripts/nothing"),
    ("`router.vsc`", "router.vsc"),
    ("```cpp\nint sc_main(int, char**) {\n    return 77;\n}\n```", "no file has this code"),
    ("```cpp\n// mine.cpp\nint x;\n```", "no CMake of the page builds it"),
    ("```cmake\ncmake_minimum_required(VERSION 3.25)\nproject(p CXX)\nfind_package(sare REQUIRED)\n"
     "sare_add_plugin(p mine.cpp)\n```\n```cpp\n// mine.cpp\nint x = y;\n```", "mine.cpp:2:9: error: "),
    ("```cmake\nno_such_command()\n```", "ends with status 1"),
    ("    sare-graph 1\n    link 0\n", "format"),
    ("```\nsare-trace 1\ntasks 2\n0 leap 1\n```", "leap"),
    ("`ninja -C build no-such-target`<!-- not run: long -->", "no-such-target"),
    ("`scripts/lint --no-such-option`<!-- not run: long -->", "--no-such-option"),
    ("The target `no-such-target`.", "no-such-target"),
    ("<!-- not run: long -->\nNo block.", "stands before no block"),
    ("`word`<!-- not run: long -->", "which is no command"),
    ("```ruby\nputs\n```", "a block of 'ruby'"),
]


def check(text):
    page = SCRATCH.with_suffix(".md")
    page.write_text(text + "\n")
    return subprocess.run([HERE / "check_page.py", page, "--build", BUILD, "--scratch", SCRATCH], capture_output=True, text=True)


def main():
    SCRATCH.parent.mkdir(parents=True, exist_ok=True)
    errors = []
    done = check(GOOD)
    expected = "tried: 1 yaml, 4 command, 1 parameter, 1 program, 2 target, 1 text, 1 cpp\nnot run: 2: long\n"
    if done.returncode or done.stdout != expected:
        errors.append(f"the good page: status {done.returncode}\n{done.stdout}{done.stderr}")
    for text, what in WRONG:
        done = check(text)
        found = done.stdout.splitlines()[:-1]
        if done.returncode != 1 or not any(what in line for line in found):
            errors.append(f"{text!r}: status {done.returncode}, wanted '{what}'\n{done.stdout}{done.stderr}")
    print("\n".join(errors) or f"{len(WRONG)} mistakes found")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
