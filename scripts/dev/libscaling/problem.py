# SPDX-License-Identifier: Apache-2.0
"""What is said in one line."""


class Problem(Exception):
    pass
