"""Runs a command, becomes the parent of the processes that it leaves, and waits for them."""

import ctypes
import os
import subprocess
import sys

PR_SET_CHILD_SUBREAPER = 36

ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
code = subprocess.call(sys.argv[1:])
try:
    while True:
        os.wait()
except ChildProcessError:
    sys.exit(code)
