"""``rankfeed completion bash|zsh``: a script that completes commands, options and files."""

from __future__ import annotations

import json
from pathlib import Path

from rankfeed_cli.failure import CONFIGURATION, Failure

OPTIONS = Path(__file__).parent / "options.json"
"""By command its options, written by CommandsTest out of the commands themselves."""
SHELLS = ("bash", "zsh")
HELP = """\
Usage: rankfeed completion bash|zsh
Print a script that completes commands, options and files. Add a line to ~/.bashrc or ~/.zshrc:

  source <(rankfeed completion bash)
  source <(rankfeed completion zsh)
"""


def script(words: list[str]) -> str:
    """Returns the script for a shell, or the help."""
    if words in (["-h"], ["--help"]):
        return HELP
    if len(words) != 1 or words[0] not in SHELLS:
        raise Failure(CONFIGURATION, "completion requires the name of a shell: rankfeed completion bash, or zsh")
    options = json.loads(OPTIONS.read_text())
    commands = sorted([*options, "completion", "docs"])
    cases = [f"        {command}) options='{' '.join(options[command])}' ;;" for command in options]
    cases += ["        docs) options='--open --help' ;;"]
    cases += [f"        completion) options='{' '.join(SHELLS)}'; offered=1 ;;"]
    head = "autoload -U +X compinit bashcompinit && compinit -u && bashcompinit\n" if words == ["zsh"] else ""
    return head + _SCRIPT.replace("COMMANDS", " ".join(commands)).replace("CASES", "\n".join(cases))


# After -- comes the command of the trainers, and where nothing is offered the shell completes files.
_SCRIPT = """\
_rankfeed() {
    local word="${COMP_WORDS[COMP_CWORD]}" command="" options="" offered="" i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "${COMP_WORDS[i]}" in
            --) return ;;
            --spark) i=$((i + 1)) ;;
            -*) ;;
            *) [ -n "$command" ] || command="${COMP_WORDS[i]}" ;;
        esac
    done
    case "$command" in
        "") options='--spark --help --version COMMANDS'; offered=1 ;;
CASES
    esac
    case "$word" in
        -*) offered=1 ;;
    esac
    [ -z "$offered" ] || COMPREPLY=($(compgen -W "$options" -- "$word"))
}
complete -o bashdefault -o default -F _rankfeed rankfeed ./rankfeed
"""
