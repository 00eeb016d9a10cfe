# SPDX-License-Identifier: Apache-2.0
"""What came of a question."""
from dataclasses import dataclass


@dataclass
class Answer:
    outcome: str  # "right", "wrong" or "cannot tell"
    truth: str
    said: str
