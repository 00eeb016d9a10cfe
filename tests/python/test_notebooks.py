#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Each notebook of docs/notebooks runs from its first cell to its last."""
import os
import unittest
from pathlib import Path

os.environ["JUPYTER_PLATFORM_DIRS"] = "1"
os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[2] / "docs/notebooks"


class Notebooks(unittest.TestCase):
    def test_each(self):
        names = sorted(FOLDER.glob("*.ipynb"))
        self.assertGreaterEqual(len(names), 7)
        for name in names:
            with self.subTest(name.name):
                book = nbformat.read(name, as_version=4)
                NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": FOLDER}}).execute()
                for cell in book.cells:
                    for output in cell.get("outputs", ()):
                        self.assertNotEqual(output.get("name"), "stderr", output.get("text"))


if __name__ == "__main__":
    unittest.main()
