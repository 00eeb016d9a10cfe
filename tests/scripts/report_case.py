# SPDX-License-Identifier: Apache-2.0
"""Tests of pages: scripts/report over a directory of made-up results."""
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
import unittest
import warnings
from html.parser import HTMLParser
from pathlib import Path

import make_fixtures

REPORT = Path(__file__).resolve().parents[2] / "scripts" / "report"
sys.path.insert(0, str(REPORT.parents[1] / "tb/python"))
from sare.report import page as _loaded_once  # noqa: F401 what draws takes longer to load than a page to draw
DRAWN = tempfile.TemporaryDirectory(prefix="sare-pages-")
VOID = {"meta", "br", "link", "img", "input", "hr"}


def _script():
    loader = importlib.machinery.SourceFileLoader("report", str(REPORT))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("report", loader))
    loader.exec_module(module)
    return module


SCRIPT = _script()


def _be_report(arguments, out, err, env, preexec_fn):
    """In a forked process: the script with these arguments, which ends the process."""
    status = 1
    try:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
        if env is not None:
            os.environ.clear()
            os.environ.update(env)
        if preexec_fn:
            preexec_fn()
        warnings.simplefilter("ignore", DeprecationWarning)  # as in any program; unittest shows them
        sys.argv = ["report", *map(str, arguments)]
        status = SCRIPT.main()
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status or 0)


def forked_report(*arguments, env=None, preexec_fn=None):
    """As subprocess.run of the script, but by a fork of this process: libraries are not loaded again."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            _be_report(arguments, out, err, env, preexec_fn)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess([REPORT, *arguments], status, out.read(), err.read())


class Balance(HTMLParser):
    """Counts the elements that are closed out of order."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong = [], []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append((tag, self.getpos()))


class ReportTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.dir = Path(temporary.name) / "result"

    def report(self, *arguments, **options):
        return forked_report(*arguments, self.dir, **options)

    def page(self, fixture):
        """Of a fixture: drawn once, then copied with the files that it is of."""
        drawn = Path(DRAWN.name) / fixture / self.dir.name
        if drawn.exists():
            shutil.copytree(drawn, self.dir, dirs_exist_ok=True)
        else:
            make_fixtures.make(fixture, self.dir)
            done = self.report()
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            shutil.copytree(self.dir, drawn)
        return (self.dir / "report.html").read_text()

    def assert_refused(self, line, **options):
        before = self.page_bytes()
        done = self.report(**options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (1, "", f"report: {line}\n"))
        self.assertEqual(self.page_bytes(), before)
        self.assertEqual(list(self.dir.glob(".report*")), [])

    def page_bytes(self):
        page = self.dir / "report.html"
        return page.read_bytes() if page.is_file() else None

    def assert_plots(self, page, titles):
        self.assertEqual(sorted(re.findall(r'<figure[^>]*>\s*<h2>(.*?)</h2>\s*(?:<div class="beside">)?<svg role', page)), sorted(titles))
