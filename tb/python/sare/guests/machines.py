# SPDX-License-Identifier: Apache-2.0
"""Starts guests, waits for them, and leaves none behind."""
import subprocess
import time

from .problem import Problem, require

BOOT_MS = 4000  # of guest time, at which the network's begins: the NIC has its link by then
CLOCK_ERROR_MS = 250  # of the guest's own clock, which has been in the hands of the kernel
SHIFT = 0       # an instruction takes 2^SHIFT ns
KERNEL_LINE = ("console=ttyS0 quiet loglevel=1 panic=-1 mitigations=off nokaslr no_timer_check tsc=reliable "
               "tsc_early_khz=1000000 cryptomgr.notests ipv6.disable=1 random.trust_cpu=on")


def mac(node):
    return f"52:54:00:{node >> 16 & 255:02x}:{node >> 8 & 255:02x}:{node & 255:02x}"


class Guest:
    """One QEMU, its console in guest-N.txt and what it says itself in guest-N.log."""

    def __init__(self, settings, node):
        self.node = node
        self.console = settings.folder / f"guest-{node}.txt"
        self.log = settings.folder / f"guest-{node}.log"
        self.console.write_bytes(b"")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(_command(settings, node, self.console), stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log)

    def lines(self):
        return [line.strip("\r") for line in self.console.read_text(errors="replace").split("\n")]

    def has_finished(self):
        return "guest: finished" in self.lines()

    def why(self):
        """What says most about its end."""
        said = self.log.read_text(errors="replace").strip().splitlines()
        panic = [line for line in self.lines() if "Kernel panic" in line]
        errors = [line for line in said if "; hash " not in line]
        status = self.process.returncode
        return (panic or errors or [f"status {status}" if status else "it went off before its programs were done"])[-1]


def _nic(node):
    # An e1000 interrupts 7813 times a second at most: a frame would wait for 128 us, whatever the network does.
    return f"e1000,netdev=sare,mac={mac(node)},romfile=,mitigation=off"


def _command(settings, node, console):
    line = (f"{KERNEL_LINE} NODE={node} COUNT={settings.count} BOOT={(BOOT_MS + CLOCK_ERROR_MS) / 1000:.2f} "
            f"MPI={settings.mpi} PROGRAMS={','.join(settings.programs)}")
    plugin = f"{settings.plugin},bridge={settings.bridge},node={node},mac={mac(node)},boot={BOOT_MS}"
    # The guest dies with this script, however that ends.
    return ["setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64", "-machine", "pc", "-cpu", "qemu64,+rdrand", "-m",
            str(settings.memory), "-icount", f"shift={SHIFT},sleep=off", "-rtc", "base=2024-01-01,clock=vm", "-seed",
            str(node + 1), "-nodefaults", "-no-user-config", "-display", "none", "-vga", "none", "-no-reboot",
            "-kernel", str(settings.image / "vmlinux"), "-initrd", str(settings.initrd), "-append", line,
            "-plugin", plugin, "-device", _nic(node),
            "-chardev", f"file,id=console,path={console}", "-serial", "chardev:console"]


def _check(guests):
    """True if all have finished; a Problem if one has ended otherwise."""
    all_done = True
    for guest in guests:
        status = guest.process.poll()
        all_done &= status is not None
        if status is not None and (status or not guest.has_finished()):
            raise Problem(f"guest {guest.node} has died: {guest.why()} (see {guest.log})")
    return all_done


def _wait(guests, seconds):
    end = time.monotonic() + seconds
    while not _check(guests):
        if time.monotonic() > end:
            raise Problem(f"the guests have not ended after {seconds:g} s (--timeout); see {guests[0].console}")
        time.sleep(0.05)


def run(settings):
    """Guests 0 to count-1 until all have finished; the lines that the first one's programs printed."""
    require("qemu-system-x86_64", "setpriv")
    guests = []
    try:
        for node in range(settings.count):
            guests.append(Guest(settings, node))
        _wait(guests, settings.timeout)
    except SystemExit:  # stopped by a run that a guest's end has ended: that is told, if it is so
        time.sleep(0.2)
        _check(guests)
        raise
    finally:
        for guest in guests:
            if guest.process.poll() is None:
                guest.process.kill()
            guest.process.wait()
    return guests[0].lines(), [guest.log.read_text(errors="replace").strip() for guest in guests]
