# SPDX-License-Identifier: Apache-2.0
"""Chromium without a window, driven over its pipe (the DevTools protocol): pages are opened, sized, moved over with
the mouse, typed at, photographed and printed, and whatever they report as an error is kept."""
import base64
import json
import os
import shutil
import subprocess
import time
import unittest
from pathlib import Path

PROGRAM = shutil.which("chromium")


class Failed(Exception):
    """What the browser or a script in the page said."""


class Browser:
    """with Browser(): one page at a time; `errors` are those of the page since it was opened."""

    def __init__(self, folder):
        self.folder, self.errors, self.loaded, self.last, self.unread = Path(folder), [], False, 0, b""

    def __enter__(self):
        if PROGRAM is None:
            raise unittest.SkipTest("there is no chromium")
        theirs, self.to = os.pipe()
        self.of, answers = os.pipe()
        arguments = ["--headless", "--no-sandbox", "--remote-debugging-pipe", "--hide-scrollbars", "--disable-gpu",
                     "--no-first-run", "--disable-extensions", "--disable-background-networking",
                     f"--user-data-dir={self.folder / 'browser'}", "about:blank"]
        # It reads from 3 and writes to 4.
        shell = f'exec "$0" "$@" 3<&{theirs} 4>&{answers}'
        self.process = subprocess.Popen(["bash", "-c", shell, PROGRAM, *arguments], pass_fds=(theirs, answers),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(answers)
        target = next(t for t in self.call("Target.getTargets", of_page=False)["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", of_page=False, targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        return self

    def __exit__(self, *_):
        os.close(self.to)
        os.close(self.of)
        self.process.terminate()
        self.process.wait(timeout=20)

    # ---- the protocol: one JSON object after the other, a zero byte behind each

    def call(self, method, of_page=True, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if of_page:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") != self.last:
                continue
            if "error" in answer:
                raise Failed(f"{method}: {answer['error']['message']}")
            return answer["result"]

    def receive(self):
        while b"\0" not in self.unread:
            part = os.read(self.of, 1 << 20)
            if not part:
                raise Failed("chromium has ended")
            self.unread += part
        text, _, self.unread = self.unread.partition(b"\0")
        message = json.loads(text)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, event, about):
        if event == "Page.loadEventFired":
            self.loaded = True
        elif event == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif event == "Runtime.consoleAPICalled" and about["type"] in ("error", "assert", "warning"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in about["args"]))
        elif event == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.errors.append(f"{about['entry']['text']} {about['entry'].get('url', '')}")

    # ---- what tests do

    def open(self, file, width=1400, height=900, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media="", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.loaded, self.errors = False, []
        self.call("Page.navigate", url=Path(file).resolve().as_uri())
        while not self.loaded:
            self.receive()

    def ask(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failed(f"{script}: {answer['exceptionDetails'].get('exception', {}).get('description')}")
        return answer["result"].get("value")

    def until(self, script, seconds=5):
        """Waits until the expression is true."""
        end = time.monotonic() + seconds
        while not self.ask(script):
            if time.monotonic() > end:
                raise Failed(f"still not so after {seconds} s: {script}")
            time.sleep(0.02)

    def place(self, selector, across=0.5, down=0.5):
        """Of an element that is scrolled to: a point in it, by shares of its width and height."""
        box = self.ask(f"""(async () => {{ const e = document.querySelector({json.dumps(selector)});
            if (!e) return null; e.scrollIntoView({{block: "center"}});
            for (let frame = 0; frame < 2; ++frame) await new Promise(requestAnimationFrame);  // scrolling has been told
            const b = e.getBoundingClientRect(); return [b.x, b.y, b.width, b.height]; }})()""")
        if box is None:
            raise Failed(f"nothing is {selector}")
        return box[0] + box[2] * across, box[1] + box[3] * down

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def hover(self, selector, across=0.5, down=0.5):
        self.mouse("mouseMoved", *self.place(selector, across, down))

    def click(self, selector, across=0.5, down=0.5):
        x, y = self.place(selector, across, down)
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def touch(self, selector, across=0.5, down=0.5):
        x, y = self.place(selector, across, down)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, name, code=0):
        """A key by its name; one letter is typed."""
        text = {"text": name} if len(name) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=code or KEYS.get(name, 0), **(text if kind == "keyDown" else {}))

    def type(self, selector, text):
        self.ask(f"document.querySelector({json.dumps(selector)}).focus()")
        self.call("Input.insertText", text=text)

    def picture(self, file, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        Path(file).write_bytes(base64.b64decode(data))

    def print(self, file=None):
        """The page on paper, as PDF: its bytes."""
        data = base64.b64decode(self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])
        if file:
            Path(file).write_bytes(data)
        return data


KEYS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13, "Escape": 27, " ": 32, "Tab": 9,
        "Home": 36, "End": 35}
