"""Writes src/test/resources/chat/published.json: conversations with published templates, as transformers renders them.

    python schema/text/src/test/python/published_golden.py [--check]
    python schema/text/src/test/python/published_golden.py --show TEMPLATE CONVERSATION

transformers 5.23.0 and Jinja 3.1.6 made the file in the repository; ``--check`` compares instead of writing, ``--show``
prints one text. A result is the beginning of the text's SHA-256 in 16 digits, followed by the [begin, end) pairs of code
points in ``{% generation %}`` blocks, or ``refused``. ``NAME, continued`` is the same with ``continue_final_message``.
"""

import datetime
import hashlib
import json
import re
import sys
from pathlib import Path

from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from transformers import PreTrainedTokenizerFast
from transformers.utils import chat_template_utils

RESOURCES = Path(__file__).resolve().parents[1] / "resources/chat"
GENERATION = re.compile(r"\{%[-+]?\s*generation\s*[-+]?%\}")
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}


class FixedDate(datetime.datetime):
    """What templates get as the present time."""

    @classmethod
    def now(cls, tz=None):
        return cls(2026, 7, 1, tzinfo=tz)


def tokenizer() -> PreTrainedTokenizerFast:
    """A tokenizer with special tokens and nothing else."""
    words = {token: number for number, token in enumerate(["<unk>", "<s>", "</s>", "<pad>"])}
    return PreTrainedTokenizerFast(tokenizer_object=Tokenizer(WordLevel(words, unk_token="<unk>")), **SPECIAL)


def joined(spans: list[tuple[int, int]]) -> list[list[int]]:
    """Spans without empty ones, and without borders where two touch."""
    made: list[list[int]] = []
    for begin, end in spans:
        if begin < end and made and made[-1][1] == begin:
            made[-1][1] = end
        elif begin < end:
            made.append([begin, end])
    return made


def continued(conversation: dict) -> dict:
    """The same conversation, whose last message goes on."""
    return {
        **conversation,
        "name": f"{conversation['name']}, continued",
        "arguments": {**conversation.get("arguments", {}), "continue_final_message": True},
    }


def rendered(source: str, conversation: dict) -> tuple[str, list[list[int]]] | None:
    """The text of a conversation and its spans; None where the template refuses it."""
    settings = {
        "tools": conversation.get("tools"),
        "documents": conversation.get("documents"),
        "chat_template": source,
        **conversation.get("arguments", {}),
    }
    try:
        text = tokenizer().apply_chat_template(conversation["messages"], tokenize=False, **settings)
        if not GENERATION.search(source) or "continue_final_message" in settings:
            return text, []
        # As apply_chat_template does before it calls this function.
        messages = [
            {key: value for key, value in message.items() if value is not None} for message in conversation["messages"]
        ]
        _, spans = chat_template_utils.render_jinja_template(
            [messages], return_assistant_tokens_mask=True, **SPECIAL, **settings
        )
        return text, joined(spans[0])
    except Exception:
        return None


def result(source: str, conversation: dict) -> str:
    """One result, as the file has it."""
    made = rendered(source, conversation)
    if made is None:
        return "refused"
    digest = hashlib.sha256(made[0].encode()).hexdigest()[:16]
    return " ".join([digest, *(f"{begin}-{end}" for begin, end in made[1])])


def source(template: str) -> str:
    """The template with the ends of its lines."""
    return (RESOURCES / f"published/{template}.jinja").read_bytes().decode()


def main() -> None:
    vars(chat_template_utils)["datetime"] = FixedDate
    conversations = json.loads((RESOURCES / "conversations.json").read_text())
    conversations += [continued(one) for one in conversations]
    if "--show" in sys.argv:
        template, name = sys.argv[-2:]
        print(rendered(source(template), next(one for one in conversations if one["name"] == name)))
        return
    templates = sorted(path.stem for path in (RESOURCES / "published").glob("*.jinja"))
    results = {
        template: {one["name"]: result(source(template), one) for one in conversations} for template in templates
    }
    content = json.dumps(results, indent=0, ensure_ascii=False) + "\n"
    file = RESOURCES / "published.json"
    if "--check" not in sys.argv:
        file.write_text(content)
    elif file.read_text() != content:
        sys.exit(f"{file} differs from what transformers makes now")


if __name__ == "__main__":
    main()
