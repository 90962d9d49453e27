"""The golden lists, which the planner's port of Python's generator is held to, are those of this very Python."""

import json

from weighted_mtp_v1 import GOLDEN, golden


def test_the_golden_lists_are_what_python_draws():
    assert json.loads(GOLDEN.read_text()) == json.loads(json.dumps(golden()))
