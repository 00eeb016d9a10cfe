# SPDX-License-Identifier: Apache-2.0
"""Tests of pages: scripts/report over a directory of made-up results."""
import re
import subprocess
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

import make_fixtures

REPORT = Path(__file__).resolve().parents[2] / "scripts" / "report"
VOID = {"meta", "br", "link", "img", "input", "hr"}


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
        return subprocess.run([REPORT, *arguments, self.dir], capture_output=True, text=True, **options)

    def page(self, fixture):
        make_fixtures.make(fixture, self.dir)
        done = self.report()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
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
