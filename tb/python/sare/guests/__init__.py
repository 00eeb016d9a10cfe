# SPDX-License-Identifier: Apache-2.0
"""What scripts/guests does: it makes images of computers for QEMU, and runs them on a network."""
