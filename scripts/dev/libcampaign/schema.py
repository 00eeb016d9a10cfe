# SPDX-License-Identifier: Apache-2.0
"""Values drawn from the JSON Schema that `sare schema` prints: of every key that it has, small enough to run in a moment."""
import json
import subprocess

# What cannot be tried alone, and why.
LEFT_OUT = {("workload", "bridge"): "whole computers have to join", ("placement", "file"): "names the tasks of one workload",
            ("bridge_protocol", "sare"): "of whole computers", ("workload", "python"): "a class of one's own",
            ("pattern", "python"): "likewise", ("routing_function", "python"): "likewise"}

# By key, or by variant and key: the sizes that keep a run short. What is not here is drawn near its default.
HINTS = {
    "dims": [[4, 4], [3, 5], [2, 2, 3], [6], [8, 2]], "n": [2, 3, 4], "k": [2, 3], "m": [2, 4], "r": [2, 3], "p": [1, 2],
    "a": [2, 4], "h": [1, 2], "g": [2, 3, 5], "w": [3, 4], "q": [3, 5], "k_up": [1, 2], "degree": [2, 3], "extra": [0, 1],
    "concentration": [1, 1, 2], "levels": [2, 3],
    "ring.n": [2, 5, 8], "crossbar.n": [3, 8, 16], "star.n": [3, 6], "circulant.n": [9, 16], "midimew.n": [8, 13],
    "triangular_torus.h": [3, 4], "tree.depth": [1, 2, 3], "xgft.m": [[2, 3], [3, 2]], "xgft.w": [[1, 2], [1, 3]], "wrap": [True, [True, False], False],
    "steps": [1, 2], "circulant.steps": [[1, 4], [1, 3], [2, 3]], "gateway": [0, 0, 1], "clock": [1, 2, 4],
    "link_latency": [1, 1, 2, 5, 11], "node_link_latency": [1, 1, 2], "link_cycles_per_flit": [1, 1, 2, 3],
    "global_link_latency": [1, 3, 9], "flit_phits": [1, 4], "link_width": [0, 0, 2], "link_bit_error_rate": [0, 0, 0, 1e-5, 1e-4],
    "link_wake": [0, 0, 1, 8], "link_idle": [0, 5, 20], "latency": [0], "node_latency": [0], "global_latency": [0],
    "bandwidth": [0], "vcs": [1, 2, 4, 4, 4, 6, 8], "depth": [1, 2, 4, 8, 16], "apenet.depth": [32, 64], "packet": [2, 4, 16],
    "queue": [1, 2, 4], "credit_interval": [1, 8, 35], "sync": [1, 4, 20], "credit_delay": [0, 1, 3], "credit_batch": [1, 1, 5],
    "rc_delay": [0, 1, 1, 3], "va_delay": [0, 1, 1, 3], "sa_delay": [0, 1, 1, 3], "st_delay": [0, 1, 1, 3],
    "input_speedup": [1, 2, 3], "output_speedup": [1, 2, 3], "iterations": [1, 2], "global_limit": [1, 1, 0.5], "attempts": [0, 1, 4],
    "duration": [3, 8, 16], "slot": [0, 0, 40], "emergency_wait": [1, 16], "drop_wait": [1, 16], "root": [-1, -1, 0, 2],
    "power.table": [["costs.yaml"]], "power.frequency": ["500MHz", "fastest"], "power.data": ["zero", "alternating", "0.25"], "power.voltage": [0, 2],
    "power.width": [0, 16], "power.header_bits": [0, 4], "power.glitches": [False], "power.interval": [1, 70, 1000], "power.intervals": [2, 7, 200],
    "power.bridges": [0, "0-1"], "lengths": [[]],
    "threshold": [-1, 0, 3], "fan_out": [1, 3], "entries": [0, 1024], "radius": [0, 2],
    "load": [0.02, 0.1, 0.3, 0.6, 1], "burst.load": [0, 0.3], "multicast.rate": [0.005, 0.05], "start_cycle": [0, 0, 10], "stop_cycle": [0, 0, 300],
    "source_queue": [0, 0, 4], "messages": [1, 3, 5], "bursts": [1, 3], "total": [20, 60], "requests": [5, 20], "service_cycles": [0, 10],
    "outstanding": [1, 4], "limit": [50, 200], "initial": [1, 2], "min": [1, 2], "max": [2, 5], "most": [20, 200], "first": [1, 2], "second": [3, 5],
    "time_out": [200, 1000], "on_off.load": [0.05], "on_cycles": [20, 50], "off_cycles": [5, 30], "nodes": [0, [1, 3]], "group": [0, 2], "offset": [1, 2],
    "weights": [[0, 1], [0, 3, 1]], "tasks": [0, 0, 4, 8], "bytes": [0, 8, 100, 500, 4000], "result_bytes": [0, 500],
    "return_bytes": [0, 500], "sizes": [[], [100, 500]], "compute": [0, 0, 5e-7], "master_compute": [0, 1e-7], "repetitions": [1, 1, 2], "spare": ["idle"], "pairs": [[[0, 1]], [[0, 1], [1, 2]]],
    "rounds": [1, 2], "stages": [1, 3], "jobs": [1, 5], "cells": [4, 10], "data": [0, 2], "fft3d.data": [[4, 4, 4], [8, 8, 4]], "size": ["S"],
    "row": [0, 2], "site_bytes": [8, 48], "fields": [1, 3], "width": [1, 2], "kba": [1, 2], "dimensions": [1, 2, 3],
    "halo.width": [1, 8], "sweep3d.cells": [[4, 4, 4], [5, 1, 2], [2, 3, 6]], "sweep3d.dimensions": [2], "bad_dragonfly.group": [1, 2, 4], "cpu_factor": [1, 0.5, 0], "flops_per_second": [1e9, 1e10], "overhead_send": [0, 1e-7],
    "overhead_receive": [0, 1e-7], "eager_limit": [0, 0, 200], "tasks_per_node": [1, 1, 2], "local_latency": [0, 1e-8],
    "local_bandwidth": [0, 1e10], "send_queue": [1, 2, 16], "cores": [0, 1, 2], "node_cores": [0, 0, 1, 2], "lookahead": [1, 100, 65536],
    "columns": [[2, 2], [4, 4]], "neurons": [10, 50], "dpsnn.steps": [1, 2], "dpsnn.step": [1e-6], "dpsnn.rate": [1000, 1e5], "spike_counts": [""],
    "spike_time": [0, 1e-9], "neuron_time": [0, 1e-9], "synapse_time": [0, 1e-10], "z": [[2, 2], [3]], "t_i": [1e-7], "t_a": [1e-7], "beta": [1e6],
    "s_s": [100], "s_r": [200], "stochastic.n": [2, 5], "parameters": [0, 1000, 5e4], "activations": [0, 100, 3000],
    "forward": [0, 1e-7], "backward": [0, 1e-7], "experts": [0, 2], "count": [1, 2], "tensor": [1, 1, 2], "pipeline": [1, 1, 2], "expert": [1, 1, 2],
    "microbatches": [1, 3], "bucket_bytes": [0, 1000], "optimizer": [0, 1e-7], "factor": [1, 2], "instances": [1, 2], "by": [0, 1, 3], "parts": [2, 3],
    "max_packet_flits": [1, 4, 8, 16], "delay": [0, 1, 3], "ejection_depth": [0, 0, 4], "flit_bytes": [1, 4, 16], "header_bytes": [0, 0, 8],
    "window": [1, 4, 16], "acknowledge_delay": [1, 20], "retransmission": ["none", "none", "none", "go_back_n"],
    "series_interval": [0, 0, 7, 100], "warmup": [0, 50, 200], "convergence_interval": [50], "convergence_count": [0, 0, 2],
    "convergence_limit": [2, 3], "batch": [50, 100], "batches": [1, 2, 3], "max_cycles": [20000], "watchdog": [500, 1000],
    "links": [0.1], "at": [0, 100, 300], "reroute": [0, 50, 200], "between": [[0, 1]], "from": [0, 100],
    "to": [0, 400], "interval": [8, 100], "events": [[], ["injected", "consumed"], ["in", "out", "stall"]],
    "nic.rate": [0, 0.5, [1, 0.25]], "nic.burst": [256, 300], "classes": [{"0": 0.7, "1": 0.3}],
    "idle": [5, 20], "wake": [1, 8], "cycles_per_flit": [1, 2], "bit_error_rate": [0, 1e-4],
}
# Their defaults stand for nothing: by variant and key, always drawn.
ALWAYS = {"bad_dragonfly.group"}
FILES = {"graph": "net.graph", "trace": "tasks.trace", "file": "lengths.txt", "histogram": "distances.txt", "population": "pairs.txt"}


def of(program):
    """The schema of a program."""
    return json.loads(subprocess.run([program, "schema"], capture_output=True, text=True, check=True).stdout)


def fits(value, node):
    """The schema allows it; of keys that several variants have, some have other types."""
    if "anyOf" in node or "oneOf" in node:
        return any(fits(value, one) for one in node.get("anyOf") or node["oneOf"])
    if "enum" in node:
        return value in node["enum"]
    if isinstance(value, list):
        return node.get("type") == "array" and all(fits(v, node["items"]) for v in value)
    if isinstance(value, dict):
        return node.get("type") == "object" and "additionalProperties" in node
    if isinstance(value, bool) or isinstance(value, str):
        return node.get("type") == {bool: "boolean", str: "string"}[type(value)]
    whole = ("integer", "number") if isinstance(value, int) else ("number",)
    return node.get("type") in whole and node.get("minimum", value) <= value <= node.get("maximum", value)


class Source:
    """Draws by a `random.Random`, from the schema of one program."""

    def __init__(self, schema, draw):
        self.schema, self.draw = schema, draw
        self.variants = {name: self._names(name) for name in schema["$defs"]}

    def _names(self, definition):
        return {o["title"]: o for o in self.schema["$defs"][definition]["oneOf"] if "properties" in o}

    def chance(self, probability):
        return self.draw.random() < probability

    def pick(self, values):
        return self.draw.choice(list(values))

    def names(self, definition):
        return [n for n in self.variants[definition] if (definition, n) not in LEFT_OUT]

    def variant(self, definition, name=None, keys=0.3, **fixed):
        """A section of a kind: by `name`, or of any; each of its keys with the probability `keys`."""
        name = name or self.pick(self.names(definition))
        return {**self.section(self.variants[definition][name], keys, name), **fixed}

    def section(self, node, keys=0.3, name=""):
        """An object of the schema; `name`: what it is called, for HINTS."""
        drawn = {}
        for key, of_key in node.get("properties", {}).items():
            if "const" in of_key:
                drawn[key] = of_key["const"]
            elif key == "file":
                if name in FILES:
                    drawn[key] = FILES[name]
            elif key in node.get("required", ()) or f"{name}.{key}" in ALWAYS or self.chance(keys):
                value = self.value(of_key, key, keys, name)
                if value is not None:
                    drawn[key] = value
        return drawn

    def value(self, node, key="", keys=0.3, name=""):
        """None: better left out."""
        if fitting := [v for v in HINTS.get(f"{name}.{key}", HINTS.get(key)) or () if fits(v, node)]:
            return self.pick(fitting)
        if "$ref" in node:
            return self.variant(node["$ref"].rpartition("/")[2], keys=keys)
        if "anyOf" in node or "oneOf" in node:
            return self.value(self.pick(node.get("anyOf") or node["oneOf"]), key, keys, name)
        if "enum" in node:
            return self.pick(node["enum"])
        return self._by_type(node, key, keys, name)

    def _by_type(self, node, key, keys, name):
        kind = node.get("type")
        if kind == "boolean":
            return self.chance(0.5)
        if kind == "integer":
            return self._number(node, lambda low, high: self.draw.randint(int(low), int(high)))
        if kind == "number":
            return self._number(node, self.draw.uniform)
        if kind == "array":
            drawn = [self.value(node["items"], "", keys, name) for _ in range(self.pick([1, 1, 2]))]
            return [v for v in drawn if v != "all"] or ["1"]  # 'all' stands alone
        if kind == "object":
            return self.section(node, keys, name)
        return self.pick(["all", "0-2", "1"]) if "set" in node.get("description", "") or not key else None

    def _number(self, node, between):
        least, most = node.get("minimum", 0), node.get("maximum", 1e9)
        usual = node.get("default", least)
        usual = usual if isinstance(usual, (int, float)) else least
        return self.pick([usual, between(least, min(most, max(2 * usual, least + 3)))])
