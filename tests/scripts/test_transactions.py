#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Transactions as FTR and FST, read back by readers that are not ours: they are those of transactions.csv."""

import csv
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import cbor2


def read(path):
    """Info, streams, generators, transactions and relations; names in place of the dictionary's numbers."""
    with open(path, "rb") as file:
        marked = cbor2.load(file)
    chunks = marked.value if isinstance(marked, cbor2.CBORTag) else marked
    words, found = {}, {"streams": {}, "generators": {}, "transactions": {}, "relations": []}
    for chunk in chunks:
        if chunk.tag == 6:
            found["exponent"], found["created"] = cbor2.loads(chunk.value)
        elif chunk.tag == 8:
            words.update(cbor2.loads(chunk.value))
        elif chunk.tag == 10:
            for entry in cbor2.loads(chunk.value):
                number, name, last = entry.value
                if entry.tag == 16:
                    found["streams"][number] = (words[name], words[last])
                else:
                    found["generators"][number] = (words[name], last)
        elif chunk.tag == 12:
            stream, first, last, content = chunk.value
            for event, *attributes in cbor2.loads(content):
                number, generator, begin, end = event.value
                assert event.tag == 6 and found["generators"][generator][1] == stream
                assert first <= begin <= end <= last and number not in found["transactions"]
                values = {words[a.value[0]]: words[a.value[2]] if a.value[1] == 10 else a.value[2] for a in attributes}
                found["transactions"][number] = (generator, begin, end, values)
        elif chunk.tag == 14:
            for name, source, sink, *streams in cbor2.loads(chunk.value):
                of = [found["generators"][found["transactions"][t][0]][1] for t in (source, sink)]
                assert of == streams
                found["relations"].append((words[name], source, sink))
        else:
            raise AssertionError(f"a chunk with tag {chunk.tag}")
    return found


class Signals:
    """Of a VCD: values by scope and name, each at a time."""

    def __init__(self, text):
        self.values, names, scopes, now = {}, {}, [], 0
        for words in map(str.split, text[text.index("$scope"):].splitlines()):
            if words[:1] == ["$scope"]:
                scopes.append(words[2])
            elif words[:1] == ["$upscope"]:
                scopes.pop()
            elif words[:1] == ["$var"]:
                names[words[3]] = (scopes[-1], words[4])
            elif words and words[0][0] == "#":
                now = int(words[0][1:])
            elif words and words[0][0] in "bs":
                self.values.setdefault(names[words[-1]], []).append((now, words[0][1:]))

    def at(self, scope, name, time):
        return [value for when, value in self.values[scope, name] if when <= time][-1]


class Transactions(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.scratch = Path(folder.name)
        subprocess.run([os.environ["EXAMPLE"]], cwd=self.scratch, check=True, stdout=subprocess.DEVNULL)
        self.rows = list(csv.DictReader((self.scratch / "transactions.csv").read_text().splitlines()))

    @unittest.skipUnless(shutil.which("fst2vcd"), "there is no fst2vcd (package gtkwave)")
    def test_fst_has_those_of_the_table(self):
        vcd = subprocess.run(["fst2vcd", self.scratch / "transactions.fst"], capture_output=True, text=True, check=True).stdout
        signals = Signals(vcd)
        for row in self.rows:
            begin, end = (int(1000 * float(row[point])) for point in ("made", "answered"))
            scope = "".join(c if c.isalnum() else "_" for c in row["initiator"])
            self.assertEqual(int(signals.at(scope, "open", begin), 2), 1)
            self.assertIn(row["command"], signals.at(scope, "access", end - 1))
        self.assertEqual(int(signals.at(scope, "open", end), 2), 0)
        self.assertEqual({name for _, name in signals.values}, {"open", "access"})
        self.assertEqual(len(signals.values), 2 * len({r["memory"] for r in self.rows} | {r["initiator"] for r in self.rows}))

    def test_ftr_has_those_of_the_table(self):
        found, rows = read(self.scratch / "transactions.ftr"), self.rows
        self.assertEqual(found["exponent"], -12)
        kinds = [kind for _, kind in found["streams"].values()]
        self.assertEqual((kinds.count("initiator"), kinds.count("memory")), (1, len({r["memory"] for r in rows})))

        def of_kind(kind):
            for number, (generator, begin, end, values) in found["transactions"].items():
                name, stream = found["generators"][generator]
                if found["streams"][stream][1] == kind:
                    yield number, found["streams"][stream][0], name, begin, end, values

        accesses = list(of_kind("initiator"))
        self.assertEqual(len(accesses), len(rows))
        for (number, owner, command, begin, end, values), row in zip(accesses, rows):
            self.assertEqual((owner, command), (row["initiator"], row["command"]))
            self.assertEqual((begin / 1000, end / 1000), (float(row["made"]), float(row["answered"])))
            self.assertEqual(values["address"], int(row["address"], 16))
            self.assertEqual(values["status"], row["status"])
            parts = [values[part] for part in ("queueing", "request", "memory", "response")]
            self.assertEqual(sum(parts), end - begin)
            self.assertEqual(parts[2] / 1000, float(row["memory_time"]))
            packets = [found["transactions"][sink][3]["packet"] for name, source, sink in found["relations"]
                       if source == number and name == "packet"]
            self.assertEqual(sorted(packets), sorted(map(int, (row["request_packets"] + " " + row["response_packets"]).split())))
            served = [sink for name, source, sink in found["relations"] if source == number and name == "memory"]
            self.assertEqual(len(served), 1)
        self.assertEqual(len(list(of_kind("memory"))), len(rows))


if __name__ == "__main__":
    unittest.main(verbosity=2)
