#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pages as readers see them, in chromium: at three widths, light, dark and printed, with mouse, finger and keyboard.
Whatever a page reports as an error fails.

A page is a line of PAGES: its name, the fixture that it is made of, and what is done with it beyond what is done with
all of them. test_pages.py --look DIR keeps pictures of all that was opened."""
import argparse
import sys
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[2] / "tb/python"), str(Path(__file__).resolve().parent)]
import devtools
import make_fixtures
import sweep_fixtures
from sare.report import page, read

WIDTHS = (400, 1400, 2400)
LOOK = None  # a folder for pictures


@dataclass
class Page:
    name: str
    fixture: object          # of make_fixtures, or a function that writes results into a folder
    actions: tuple = ()      # functions of (test, browser)


# ---- what is done with single pages

def plays(test, b):
    slider = "document.querySelector('.player input')"
    drawn = b.ask(FILLS)
    b.click("[data-do=on]")
    test.assertRegex(b.ask("document.querySelector('.player output').textContent"), "^cycles 0 to 500$")
    test.assertNotEqual(b.ask(FILLS), drawn)
    b.ask(f"{slider}.focus()")
    b.key("ArrowRight")
    b.key("ArrowRight")
    test.assertEqual(b.ask(f"+{slider}.value"), 3)
    b.click("[data-do=back]")
    test.assertEqual(b.ask(f"+{slider}.value"), 2)
    b.click("[data-do=play]")
    b.until(f"{slider}.value > 3")
    b.click("[data-do=play]")
    at = b.ask(f"+{slider}.value")
    b.ask("new Promise(done => setTimeout(done, 400))")
    test.assertEqual(b.ask(f"+{slider}.value"), at, "it has been stopped")
    figures = "[...document.querySelectorAll('script.marks')].map(s => s.closest('figure'))"
    point_at(b, b.ask(f"{figures}.findIndex(f => f.querySelector('.player'))"), 0, 0)
    test.assertRegex(b.ask(TIP), "cycles .* to .*, utilisation: [0-9.]+ %")
    b.ask(f"{slider}.value = 0, {slider}.dispatchEvent(new Event('input'))")
    test.assertEqual(b.ask(FILLS), drawn, "the first place of the slider is the map as it was drawn")


def jumps(test, b):
    b.click("[data-interval]")
    test.assertEqual(b.ask("document.querySelector('.player output').textContent").replace("\u202f", " "), "cycles 3 000 to 3 500")
    test.assertIn("Congestion began in cycles 3 000 to 3 500, at the link from router 27 to router 28", b.ask("document.body.innerText").replace("\u202f", " "))


def stalls_begin_with_the_window(test, b):
    players = "[...document.querySelectorAll('.player')]"
    test.assertEqual(b.ask(f"{players}.map(p => +p.querySelector('input').max)"), [24, 20])
    b.ask(f"{players}[1].querySelector('[data-do=on]').click()")
    test.assertEqual(b.ask(f"{players}[1].querySelector('output').textContent").replace("\u202f", " "), "cycles 2 000 to 2 500")


def points_lead_nowhere(test, b):
    before = b.ask("location.href")
    point_at(b, 0, 0, 0)
    b.key("Enter")
    test.assertEqual(b.ask("location.href"), before)


def flows_are_sorted(test, b):
    section = "[...document.querySelectorAll('.tables section')].find(s => s.querySelector('h2').textContent === 'Flows')"
    column = f"[...{section}.querySelectorAll('tbody tr')].map(row => row.cells[3].textContent)"
    test.assertEqual(b.ask(f"{section}.querySelector('tbody td').textContent"), "no", "unmet ones are first")
    b.ask(f"{section}.querySelectorAll('thead button')[3].click()")
    delivered = [float(text.replace("\u202f", "")) for text in b.ask(column)]
    test.assertEqual(delivered, sorted(delivered))


def latencies_are_marked(test, b):
    test.assertRegex(b.ask("document.querySelector('.tables').innerText"), "depends? on the length of the run|grows with the length of the run")


def letters_are_legible(test, b):
    """Of every plot, on a telephone, too, where wide ones scroll."""
    for width in WIDTHS:
        b.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        least = b.ask("""Math.min(...[...document.querySelectorAll('figure > svg text, .beside > svg text')].map(
            text => parseFloat(getComputedStyle(text).fontSize) * Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b)))""")
        test.assertGreater(least, 7, f"pixels, at {width}")
    b.call("Emulation.setDeviceMetricsOverride", width=1400, height=900, deviceScaleFactor=1, mobile=False)


def keys_light_up(test, b):
    b.hover(".curves li:nth-child(20)")
    test.assertEqual(b.ask("document.querySelectorAll('figure.lit').length"), 1)
    test.assertEqual(b.ask("document.querySelectorAll('.curves .on').length"), 1)
    b.mouse("mouseMoved", 2, 2)
    test.assertEqual(b.ask("document.querySelectorAll('figure.lit').length"), 0)


def rows_are_chosen(test, b):
    b.type(".tables section:last-child input", "o1turn router.vcs=8")
    test.assertEqual(b.ask("document.querySelector('.tables section:last-child .count').textContent"), "12 of 93 rows")


def rows_are_sorted(test, b):
    b.ask("[...document.querySelectorAll('thead th')].at(-1)")  # two rows need no buttons
    test.assertEqual(b.ask("document.querySelectorAll('thead button').length"), 0)


def bars_answer(test, b):
    """Anywhere on them."""
    x, y = place_of(b, 0, 2, 0)
    b.mouse("mouseMoved", x, y + 60)
    test.assertEqual(b.ask(TIP).split("\n")[0], "case mesh with adaptive routing, pattern uniform")


TIP = "document.querySelector('.hint').hidden ? null : document.querySelector('.hint').innerText"
FILLS = "[...document.querySelectorAll('[data-mark] path')].map(p => p.style.fill).join()"


PAGES = [Page("run", "mesh", (points_lead_nowhere,)), Page("time", "time", (plays, jumps, stalls_begin_with_the_window)), Page("large", "time-large", (plays,)),
         Page("program", "torus-trace"), Page("routers", "mixed"), Page("sweep", "sweep-axes"), Page("nothing", "idle"),
         Page("flows", "flows", (flows_are_sorted, latencies_are_marked)), Page("factorial", sweep_fixtures.factorial, (latencies_are_marked,)),
         Page("curves", sweep_fixtures.curves, (letters_are_legible, keys_light_up, rows_are_chosen)),
         Page("cases", sweep_fixtures.compared, (bars_answer,)), Page("saturate", sweep_fixtures.saturation, (rows_are_sorted,))]


# ---- what is done with all

def groups(b):
    """Of each plot, how many points each of its groups has."""
    return b.ask("[...document.querySelectorAll('script.marks')].map(s => JSON.parse(s.textContent).groups.map(g => g.points.length))")


def place_of(b, plot, group, point):
    """Where on the screen; the plot is scrolled to. Returns when the page has been told of all scrolling, that of a
    focus before it too: the event of a scroll hides what a plot says."""
    return b.ask(f"""(async () => {{
        const script = document.querySelectorAll('script.marks')[{plot}], svg = script.closest('figure').querySelector('svg');
        const [x, y] = JSON.parse(script.textContent).groups[{group}].points[{point}];
        const place = () => new DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
        if (place().y < 20 || place().y > innerHeight - 20) scrollBy(0, place().y - innerHeight / 2);
        if (window.told !== scrollY) for (let frame = 0; frame < 2; ++frame) await new Promise(requestAnimationFrame);
        window.told = scrollY;
        return [place().x, place().y]; }})()""")


def point_at(b, plot, group, point):
    b.mouse("mouseMoved", *place_of(b, plot, group, point))


def point_at_everything(test, b):
    """The first, a middle and the last point of every group, by mouse; something is said of it."""
    for plot, counts in enumerate(groups(b)):
        for group, count in enumerate(counts):
            for point in sorted({0, count // 2, count - 1} if count else ()):
                point_at(b, plot, group, point)
                test.assertTrue(b.ask(TIP), f"nothing is said of point {point} of group {group} of plot {plot}")


def go_by_keyboard(test, b):
    for plot, counts in enumerate(groups(b)):
        if not sum(counts):
            continue
        b.ask(f"document.querySelectorAll('script.marks')[{plot}].closest('figure').querySelector('svg').focus()")
        b.key("ArrowRight")
        first = b.ask(TIP)
        test.assertTrue(first)
        b.key("End")
        test.assertTrue(b.ask(TIP))
        b.key("Home")
        test.assertEqual(b.ask(TIP), first)
        b.key("Escape")
        test.assertIsNone(b.ask(TIP))


def touch(test, b):
    if sum(map(sum, groups(b))):
        plot = next(k for k, counts in enumerate(groups(b)) if sum(counts))
        group = next(k for k, count in enumerate(groups(b)[plot]) if count)
        x, y = place_of(b, plot, group, 0)
        b.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        b.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        test.assertTrue(b.ask(TIP), "a finger")


def open_what_folds(test, b):
    b.ask("document.querySelectorAll('details').forEach(d => d.open = true)")


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = devtools.Browser(cls.folder.name)
        cls.browser.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def write(self, name, fixture):
        folder = Path(self.folder.name) / name
        fixture(folder) if callable(fixture) else make_fixtures.make(fixture, folder)
        file = folder / "report.html"
        file.write_bytes(page.html(read.result(folder)).encode())
        return file

    def look(self, name):
        if LOOK:
            self.browser.picture(LOOK / f"{name}.png")

    def test_errors_are_seen(self):
        file = Path(self.folder.name) / "bad.html"
        for wrong in ("<script>console.error('said')</script>", "<script>nobody.here</script>", "<img src='nowhere.png'>",
                      "<script>setTimeout(() => nobody.here)</script>"):
            file.write_text(f"<!DOCTYPE html><meta charset=utf-8>{wrong}")
            self.browser.open(file)
            for _ in range(200):
                if not self.browser.errors:
                    self.browser.ask("new Promise(done => setTimeout(done, 50))")
            self.assertEqual(len(self.browser.errors), 1, wrong)

    def test_pages(self):
        b = self.browser
        for one in PAGES:
            with self.subTest(one.name):
                file = self.write(one.name, one.fixture)
                for width in WIDTHS:
                    b.open(file, width)
                    self.assertLessEqual(b.ask("document.documentElement.scrollWidth"), width, f"wider than {width}")
                    self.look(f"{one.name}-{width}")
                    open_what_folds(self, b)
                    self.assertLessEqual(b.ask("document.documentElement.scrollWidth"), width, f"unfolded, wider than {width}")
                    if width == 400:
                        touch(self, b)
                    if width == 1400:
                        point_at_everything(self, b)
                    self.assertEqual(b.errors, [])
                b.open(file, 1400, dark=True)
                self.look(f"{one.name}-dark")
                go_by_keyboard(self, b)
                for action in one.actions:
                    action(self, b)
                self.assertGreater(len(b.print(LOOK / f"{one.name}.pdf" if LOOK else None)), 10_000)
                self.assertEqual(b.errors, [])

    def test_without_scripts_the_page_is_whole(self):
        b = self.browser
        file = self.write("still", "time")
        b.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            b.open(file)
            self.assertEqual(b.ask("getComputedStyle(document.querySelector('.player')).display"), "none")
            self.assertFalse(b.ask("!!document.querySelector('.hint')"))
            self.assertGreater(b.ask("document.querySelectorAll('[data-mark] path').length"), 200)
        finally:
            b.call("Emulation.setScriptExecutionDisabled", value=False)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--look", type=Path)
    known, rest = parser.parse_known_args()
    LOOK = known.look
    if LOOK:
        LOOK.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *rest])
