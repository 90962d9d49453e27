"""The golden lists, which the planner's port of Python's generator is held to, are those of this very Python."""

import json

from weighted_mtp_v1 import GOLDEN, golden


def test_golden_lists_equal_those_of_python():
    assert json.loads(GOLDEN.read_text()) == json.loads(json.dumps(golden()))
