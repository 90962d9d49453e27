"""``python -m rankfeed_cli``: the command, where its script is not in PATH."""

from rankfeed_cli.main import main

main()
