# SPDX-License-Identifier: Apache-2.0
"""What a page of the documentation says that can be tried: blocks of code, command lines, names of parameters."""
import re
from dataclasses import dataclass

PROGRAM = re.compile(r"(sare|rtl_bench|cmake|ninja|ctest|build/[\w/]+|scripts/[\w/-]+)(?= |$)")
NOT_RUN = re.compile(r"<!-- not run: (.+?) -->")
SPAN = re.compile(r"`([^`]+)`(?:<!-- not run: (.+?) -->)?")
TARGETS = re.compile(r"\btargets? ((?:`[\w-]+`(?:, | and )?)+)")
PARAMETER = re.compile(r"((?:network|routing|router|nic|traffic|measurement|observe|checks)\.\w+)(?:: .*)?")
KINDS = ("yaml", "cpp", "cmake", "verilog", "python", "text")


@dataclass
class Piece:
    """Something of a page that can be tried: `kind` is one of KINDS, 'command', 'program', 'parameter' or
    'target'."""

    line: int
    kind: str
    text: str
    reason: str = ""  # why it is not run


class Page:
    """`pieces` in their order, and `wrong`: (line, what) of marks and blocks that cannot be understood."""

    def __init__(self, text):
        self.pieces, self.wrong = [], []
        lines = text.splitlines()
        mark = None  # (line, reason), until its block comes
        at = 0
        while at < len(lines):
            line = lines[at]
            if line.startswith("```"):
                end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("```")), len(lines))
                self._fenced(at + 1, line[3:].strip(), lines[at + 1:end], mark)
                mark, at = None, end + 1
                continue
            if line.startswith("    "):
                end = next((i for i in range(at, len(lines)) if not lines[i].startswith("    ")), len(lines))
                self._block(at + 1, [one[4:] for one in lines[at:end]], mark)
                mark, at = None, end
                continue
            at += 1
            alone = NOT_RUN.fullmatch(line)
            if alone or line.strip():
                if mark:
                    self.wrong.append((mark[0], "'not run' stands before no block"))
                mark = (at, alone[1]) if alone else None
            if not alone:
                self._spans(at, line)
        if mark:
            self.wrong.append((mark[0], "'not run' stands before no block"))

    def _fenced(self, line, language, text, mark):
        if not language:
            self._block(line + 1, text, mark)
        elif language in KINDS:
            self._add(line, language, "\n".join(text) + "\n", mark)
        else:
            self.wrong.append((line, f"a block of '{language}': page.py knows {', '.join(KINDS)}"))

    def _block(self, line, text, mark):
        """Command lines if there are any, with what their comments say; else text in a format that its first line names."""
        commands = [(line + i, one) for i, one in enumerate(text) if PROGRAM.match(one)]
        if not commands:
            self._add(line, "text", "\n".join(text) + "\n", mark)
        for number, one in commands:
            # Columns of a synopsis are commands of their own.
            for column in re.split(r" {2,}(?=sare )", one):
                self._add(number, "command", column, mark)

    def _spans(self, line, text):
        for names in TARGETS.findall(text):
            self.pieces += [Piece(line, "target", name) for name in re.findall(r"`([\w-]+)`", names)]
        for span, reason in SPAN.findall(text):
            parameter = PARAMETER.fullmatch(span)
            if PROGRAM.match(span):
                kind = "command" if " " in span else "program"
            elif parameter and not span.endswith((".md", ".h", ".cpp")):
                kind, span = "parameter", parameter[1]
            elif reason:
                kind = ""
                self.wrong.append((line, f"'not run' stands behind `{span}`, which is no command"))
            else:
                kind = ""
            if kind:
                self.pieces.append(Piece(line, kind, span, reason))

    def _add(self, line, kind, text, mark):
        self.pieces.append(Piece(line, kind, text, mark[1] if mark else ""))
        if kind == "yaml" and not mark:
            for i, comment in enumerate(re.findall(r"^.*?(?:# (sare .*))?$", text, re.M)):
                if comment:
                    self.pieces.append(Piece(line + 1 + i, "command", comment))
