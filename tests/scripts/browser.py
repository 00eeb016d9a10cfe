# SPDX-License-Identifier: Apache-2.0
"""A page in a browser: chromium loads it, does what a script says, and answers with what the script found."""
import json
import re
import shutil
import subprocess
import tempfile
from html import unescape
from pathlib import Path

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

# Errors are caught before the page's own scripts run; `found` is what the script gives.
HEAD = """<script>window.errors = []; addEventListener("error", e => errors.push(e.message));
console.error = console.warn = (...words) => errors.push(words.join(" "));</script>"""
TAIL = """<script>addEventListener("load", () => { const found = {}; try { (() => { %s })(); } catch (e) { errors.push(String(e)); }
const answer = document.createElement("pre"); answer.id = "answer"; answer.textContent = JSON.stringify({found, errors});
document.body.append(answer); });</script></body>"""


def drive(page, script, width=1400, height=1000):
    """(found, errors): what the script has put into `found`, and errors of the page's and its own."""
    text = page.read_text()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        file.write_text(text.replace("<head>", "<head>" + HEAD, 1).replace("</body>", TAIL % script))
        done = subprocess.run([PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
                               f"--window-size={width},{height}", "--dump-dom", file.as_uri()], capture_output=True, text=True)
    answer = re.search(r'<pre id="answer">(.*?)</pre>', done.stdout, re.DOTALL)
    if not answer:
        raise AssertionError(f"{PROGRAM} has not answered: {done.stderr[-2000:]}")
    answer = json.loads(unescape(answer[1]))
    return answer["found"], answer["errors"]
