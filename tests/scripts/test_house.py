#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The house: which room (folder) may include which, and how large files, folders, classes and sentences of pages may be. What
breaks a rule today is listed here with its figure, and may only shrink: a new offence fails, and so does one that is listed and gone."""
import ast
import re
import unittest
from collections import Counter, defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CODE = [f for top in ("tlm", "traffic", "cosim", "tb", "tests", "rtl", "scripts") for f in sorted((ROOT / top).rglob("*"))
        if f.is_file() and "__pycache__" not in f.parts]
HEADERS = [f for f in CODE if f.suffix == ".h" and "tests" not in f.relative_to(ROOT).parts]

# What a room may include beside itself and the C++ library is said where it is a target: sare_room() of these files, in which no
# arrow points back: test_no_cycles() sees that. A folder without a rule belongs to the room above it.
TABLES = ("CMakeLists.txt", "tlm/CMakeLists.txt", "traffic/CMakeLists.txt", "cosim/CMakeLists.txt")


def rules():
    """Of each room, those that it may include: what CMake links to it."""
    lists, found = {}, {"traffic/capture": "", "traffic/bridge/client": ""}  # these two are libraries of their own
    for table in TABLES:
        for call, words in re.findall(r"^\s*(set|sare_room)\(([^()]*)\)", (ROOT / table).read_text(), re.M):
            name, *rest = re.sub(r"\$\{(\w+)\}", lambda m: lists.get(m[1], ""), words).split()
            if call == "set":
                lists[name] = " ".join(rest)
            else:
                found[name] = " ".join(" ".join(rest).partition("MAY ")[2].partition("SOURCES")[0].split())
    return found


MAY = rules()  # tb's rooms may include all of these
OFFENCES = {  # from, to: how many includes, why
}
LONG = {  # files of more than 500 lines
    "tests/tlm/memory/memory_modes_test.cpp": 579, "tests/tlm/routing/routing_test.cpp": 510, "tests/traffic/application_test.cpp": 515,
}
FULL = {"tb/experiments": 48}  # folders of more than 25 files
WIDE = {  # classes of more than 40 public methods
    "tlm/analytic/contention_free.h contention_free": 41,  # it is network_engine, counted_network and traffic_port in one
    "tlm/fabric/network_state.h network_state": 50,  # 25 of them are those of router_context
    "tlm/fabric/view/network_view.h network_view": 52,  # one line each, nothing but looking; 17 are those of counted_network
}
FULL_CLASSES = {  # classes of more than 25 members
    "tlm/fabric/network_state.h network_state": 28,  # what a network is made of, each a part with a name; only tlm/fabric sees it
    # Data without functions: results, options, what follows from parameters.
    "tlm/stats/results.h run_result": 63, "tlm/router/vc/shape.h vc_shape": 36,
}
OF_A_ROOM = {"bank.h", "block.h", "model.h", "params.h", "step.h"}  # what each kind of router has
TWICE = dict.fromkeys("bits bridge burst collectives coverage cut layout multicast picture plugin "
                      "protocol random_run recorder registry route_table scheduler signals tree".split(), 2)
TWICE.update(checker=3, congestion=3)  # headers of one name: how many

MOST_WORDS, MOST_OF_PARAGRAPH = 30, 90  # of a sentence, of a paragraph
WORDY = {}  # pages: longer sentences and paragraphs

# Doc comments of headers that begin without their noun. No room that is not here has any.
TELEGRAMS = {}


def room(file):
    return str(file.parent.relative_to(ROOT))


TOPS = {"tlm", "traffic", "cosim", "tb"}


def ruled(folder):
    """The room whose rule a folder goes by."""
    if folder.startswith("tb/"):
        return "/".join(folder.split("/")[:2])
    while folder not in MAY and not folder.startswith("tests") and "/" in folder:
        folder = folder.rsplit("/", 1)[0]
    return folder


def includes():
    """From which room to which: the lines that say so."""
    found = defaultdict(list)
    for file in (f for f in CODE if f.suffix in (".h", ".cpp", ".c") and room(f).split("/")[0] in TOPS):
        for name in re.findall(r'^\s*#\s*include "([^"]+)"', file.read_text(), re.M):
            target = next((t for t in (ROOT / name, file.parent / name) if t.is_file()), None)
            if target and ruled(room(target.resolve())) != ruled(room(file)):
                found[ruled(room(file)), ruled(room(target.resolve()))].append(f"{file.relative_to(ROOT)}: {name}")
    return found


def allowed(source, target):
    if source.startswith("tb"):  # a program is included by nothing
        return not target.startswith("tb")
    return target in MAY[source].split()


def imports(file):
    """Full names of the modules that a file in Python imports, those in functions, too."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = list(file.relative_to(ROOT / "tb/python").parts[:-node.level]) if node.level else []
            found.append(".".join([*above, *([node.module] if node.module else [])]))
    return found


def declares_members(head):
    """How many data members a declaration within a class has: none if it is of something else."""
    head = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", head)))
    if re.match(r"(friend|using|typedef|static|template|enum|class|struct|union|return)\b|.*\boperator\b", head):
        return 0
    declared, _, values = head.partition("=")
    if "(" in declared or not re.search(r"\w[\s*&]+\w", declared):
        return 0
    return 1 + re.sub(r"\([^()]*\)", "", declared + values).count(",")


def parts_of_classes(text):
    """By class: how many functions its public part declares or defines, and how many data members it has; bodies, comments and
    strings do not count."""
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|^\s*#[^\n]*(?:\\\n[^\n]*)*', " ", text, flags=re.S | re.M)
    functions, members, scopes, start = Counter(), Counter(), [], 0  # a scope: name of its class or none, whether public
    for at in re.finditer(r"[{};]|\b(public|private|protected)\s*:(?!:)", text):
        head, start = text[start:at.start()].strip(), at.end()
        inside = scopes[-1] if scopes else (None, False)
        if at[1]:
            scopes[-1] = (inside[0], at[1] == "public")
            continue
        if at[0] in "{;" and all(inside) and re.match(r"[^=(]*(\boperator|\w\s*\()", head):
            functions[inside[0]] += not re.search(r"^(friend|using|typedef|static_assert)\b|=\s*delete$", head)
        if at[0] in "{;" and inside[0]:
            members[inside[0]] += declares_members(head)
        if at[0] == "{":
            kind = re.search(r"(?<!enum )\b(class|struct)\s+(\w+)(?:\s*<[^{;]*>)?(?:\s+final)?\s*(?::[^;]*)?$", head)
            scopes.append((kind[2], kind[1] == "struct") if kind else (None, False))
        elif at[0] == "}" and scopes:
            scopes.pop()
    return +functions, +members


def telegrams(text):
    """The doc comments (/// and ///<) that begin with a word in the place of their noun, by the first of their lines."""
    found, before = [], ""
    for line in text.splitlines():
        comment = re.search(r"///(<?) ?(.*)", line)
        kind = (comment[1] or "/") if comment else ""
        goes_on = comment and line.lstrip().startswith("///") and kind == before and not comment[2].startswith("@")
        if comment and not goes_on and re.match(r"(@\w+ )?(of|that|those|likewise|the same|others|as in the beginning)\b", comment[2], re.I):
            found.append(line.strip())
        before = kind if comment and comment[2] else ""
    return found


def words(text):
    return sum(1 for word in text.split() if re.search(r"\w", word))


def paragraphs(page):
    """Paragraphs and items of lists, each with its line; without headings, tables, comments, blocks of code and addresses of
    links. A command or name in backticks is one word."""
    page = re.sub(r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), page, flags=re.M | re.S)
    found, begins = [], True
    for at, line in enumerate(page.splitlines(), 1):
        line = re.sub(r"<!--.*?-->|\]\([^)]*\)", "", re.sub(r"`[^`]+`", "Code", line))
        if not line.strip() or line.startswith(("    ", "#", "|")):
            begins = True
        elif begins or re.match(r" *(-|\d+\.) ", line):
            found.append((at, line.strip()))
            begins = False
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
    return found


def wordy(page):
    """Sentences and paragraphs with too many words, each after its line."""
    found = []
    for at, text in paragraphs(page):
        found += [f"{at}: {words(one)} words: {one}" for one in re.split(r"[.?!][)*\"]*\s+(?=[^a-z])", text) if words(one) > MOST_WORDS]
        if words(text) > MOST_OF_PARAGRAPH:
            found.append(f"{at}: {words(text)} words of a paragraph: {text[:60]}")
    return found


class HouseTest(unittest.TestCase):
    def held(self, what, found, listed):
        """What is found over a limit is what is listed, and no larger."""
        wrong = [f"{k}: {n}, new" for k, n in found.items() if k not in listed]
        wrong += [f"{k}: {n}, was {listed[k]}" for k, n in found.items() if n > listed.get(k, n)]
        wrong += [f"{k}: listed, and gone: take it off the list" for k in listed if k not in found]
        self.assertFalse(wrong, f"{what} (rules and lists: {Path(__file__).name})\n" + "\n".join(wrong))

    def test_include_directions(self):
        every = includes()
        self.assertFalse({a for a, _ in every if not a.startswith("tb")} - set(MAY), "rooms without a rule")
        bad = {pair: lines for pair, lines in every.items() if not allowed(*pair)}
        self.held("includes against the arrows", {k: len(v) for k, v in bad.items()}, {k: n for k, (n, _) in OFFENCES.items()})
        for pair, (number, _) in OFFENCES.items():  # exactly as many, so that none comes back
            self.assertEqual(len(bad[pair]), number, f"{pair}: lower its number in OFFENCES\n" + "\n".join(bad[pair]))

    def test_parts_that_may_be_left_out(self):
        """A build without a part of SARE_PARTS compiles none of its files: only these of the rest include its headers."""
        parts = ("cosim/", "tb/sare/adapter/", "tb/sare/cosim/", "tlm/axi/", "tlm/chi/", "traffic/bridge/", "traffic/moves/", "traffic/trace/formats/")
        may = {"tb/sare/run/rtl.cpp", "tb/sare/regress/regress_coverage.cpp",  # built with them alone
               "tb/sare/describe/catalogue.cpp",  # the registry of its protocols, a header
               "traffic/trace/write/binary_sink.cpp"}  # our own format, which is always there
        core = [f for f in CODE if f.suffix in (".h", ".cpp") and str(f.relative_to(ROOT)).startswith(("tlm/", "traffic/", "tb/sare/"))]
        wrong = [str(f.relative_to(ROOT)) for f in core if str(f.relative_to(ROOT)) not in may and not str(f.relative_to(ROOT)).startswith(parts)
                 and re.search(rf'#include "({"|".join(parts)})', f.read_text())]
        self.assertEqual(wrong, [])

    def test_python_of_users(self):
        """It imports nothing of developers; reports and clients of the bridge, which are installed without the part `python`, nothing
        of the package but themselves."""
        developers = {f.stem for f in (ROOT / "scripts/dev").iterdir()}
        commands = [f for f in (ROOT / "scripts").iterdir() if f.is_file() and not f.is_symlink() and f.read_text().startswith("#!/usr/bin/python3")]
        package = ROOT / "tb/python/sare"
        alone = [package / "bridge.py", *(package / "report").rglob("*.py")]
        self.assertGreater(len(alone), 30)
        for file in [*commands, *package.rglob("*.py")]:
            self.assertFalse({name.split(".")[0] for name in imports(file)} & developers, file)
        for file in alone:
            others = [name for name in imports(file) if name.startswith("sare") and not name.startswith("sare.report")]
            self.assertEqual(others, [], file)

    def test_no_cycles(self):
        graph = {a: set(MAY[a].split()) for a in MAY}
        for a, b in set(includes()) - set(OFFENCES):
            graph.setdefault(a, set()).add(b)
        list(TopologicalSorter(graph).static_order())  # CycleError names the rooms

    def test_file_sizes(self):
        lines = {str(f.relative_to(ROOT)): f.read_bytes().count(b"\n") for f in CODE
                 if f.suffix in (".h", ".cpp", ".c", ".sv", ".py")}
        self.held("files of more than 500 lines", {f: n for f, n in lines.items() if n > 500}, LONG)

    def test_folders(self):
        folders = Counter(room(f) for f in CODE if not room(f).startswith("tests/data"))
        self.held("folders of more than 25 files", {d: n for d, n in folders.items() if n > 25}, FULL)

    def test_classes(self):
        self.assertEqual(parts_of_classes("class a : b { int x(); public: a() : m(1) {} ~a(); int f() const { g(); } int m = h(), *n{}; "
                                          "a(const a&) = delete; struct in { void p(); std::map<int, int> q; static int r; }; "
                                          "bool operator==(a) const; };"),
                         ({"a": 4, "in": 1}, {"a": 2, "in": 1}))
        parts = {str(f.relative_to(ROOT)): parts_of_classes(f.read_text()) for f in HEADERS}
        self.held("classes of more than 40 public methods",
                  {f"{f} {c}": n for f, (functions, _) in parts.items() for c, n in functions.items() if n > 40}, WIDE)
        self.held("classes of more than 25 members",
                  {f"{f} {c}": n for f, (_, members) in parts.items() for c, n in members.items() if n > 25}, FULL_CLASSES)

    def test_header_names(self):
        names = Counter(f.name for f in HEADERS)
        self.held("headers of one name", {n[:-2]: k for n, k in names.items() if k > 1 and n not in OF_A_ROOM}, TWICE)

    def test_doc_comments(self):
        """A doc comment says what its declaration is, noun or verb first: docs/CONTRIBUTING.md has examples."""
        self.assertEqual(telegrams("/// Of a class.\nint a;  ///< of it\n                     ///< others\n/// Number\n/// of it.\n///\n"
                                   "/// Likewise.\n/// @name The same\nint thatch;  ///< Office\n"),
                         ["/// Of a class.", "int a;  ///< of it", "/// Likewise.", "/// @name The same"])
        found = defaultdict(list)
        for f in HEADERS:
            found["/".join(f.relative_to(ROOT).parts[:-1][:2])] += [f"{f.relative_to(ROOT)}: {c}" for c in telegrams(f.read_text())]
        found = {r: all for r, all in found.items() if all}
        self.held("doc comments that begin without their noun", {r: len(all) for r, all in found.items()}, TELEGRAMS)
        for r, number in TELEGRAMS.items():  # exactly as many, so that none comes back
            self.assertEqual(len(found[r]), number, f"{r}: lower its number in TELEGRAMS\n" + "\n".join(found[r]))

    def test_pages(self):
        """Each page is clear at first reading: short sentences, short paragraphs."""
        long = " ".join(["word"] * MOST_WORDS)
        self.assertEqual(wordy(f"# {long} one\n{long} [one\nmore](two three)\n- {long}. `A B` {long}\n\n| {long} one |\n"
                               f"    {long} one\n```\n{long} one\n```\n{long}. <!-- not run: one -->\n{(long + '. ').title() * 4}"),
                         [f"2: 32 words: {long} [one more", f"4: 31 words: Code {long}",
                          f"11: 150 words of a paragraph: {long[:60]}"])
        found = {str(f.relative_to(ROOT)): wordy(f.read_text()) for f in PAGES}
        for f, all in found.items():
            if len(all) != WORDY.get(f, 0):
                print(*(f"{f}:{one}" for one in all), sep="\n")
        self.held(f"sentences of more than {MOST_WORDS} words, paragraphs of more than {MOST_OF_PARAGRAPH}",
                  {f: len(all) for f, all in found.items() if all}, WORDY)

    def test_fetches(self):
        """By fetch_ahead() alone: elsewhere the compiler may drop them."""
        those = [str(f.relative_to(ROOT)) for f in CODE if f.suffix in (".h", ".cpp") and "__builtin_prefetch" in f.read_text()]
        self.assertEqual(those, ["tlm/base/fetch_ahead.h"])


if __name__ == "__main__":
    unittest.main()
