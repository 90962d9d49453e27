"""``python -P -m rankfeed_cli``: the command, where its script is not in PATH."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # the current folder, whose modules are the user's

from rankfeed_cli.main import main

main()
