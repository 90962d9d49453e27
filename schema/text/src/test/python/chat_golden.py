"""Writes src/test/resources/chat/golden.json: conversations as transformers renders and tokenizes them with the templates next to it.

    python schema/text/src/test/python/chat_golden.py [--check]

transformers 5.23.0 made the file in the repository; ``--check`` compares instead of writing. The tokenizer is ``tokenizer/tiny.json``.
"""

import json
import re
import sys
from pathlib import Path

from transformers import PreTrainedTokenizerFast

RESOURCES = Path(__file__).resolve().parents[1] / "resources"
TEMPLATES = ["gemma_training", "llama3", "phi3", "qwen2_5", "qwen2_5_training"]
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Weather in a city, é <x> \"q\"",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]},
    },
}
CALL = {"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Köln", "days": 2, "x": 1.5, "y": None, "z": [True]}}}
CONVERSATIONS = {
    "one turn": ([{"role": "user", "content": "Hi there"}, {"role": "assistant", "content": "Hello! 1 < 2 & \"q\""}], None),
    "system": (
        [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": " 2+2? \n"},
            {"role": "assistant", "content": "4"},
            {"role": "user", "content": "and 3+3? 日本 😀"},
            {"role": "assistant", "content": "  6 😀 é\n"},
        ],
        None,
    ),
    "tools": (
        [
            {"role": "system", "content": "Use tools."},
            {"role": "user", "content": "Weather in Köln?"},
            {"role": "assistant", "content": "", "tool_calls": [CALL]},
            {"role": "tool", "name": "get_weather", "content": "{\"t\": 3}"},
            {"role": "assistant", "content": "3 degrees"},
        ],
        [WEATHER],
    ),
    "no answer": ([{"role": "user", "content": "Hi"}], None),
    "empty answer": ([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": ""}], None),
    "markup": ([{"role": "user", "content": "{{ 7*7 }} {% if x %}"}, {"role": "assistant", "content": "<|im_end|> {{ x }}"}], None),
    "refused": ([{"role": "robot", "content": "Hi"}, {"role": "user", "content": "Hi"}], None),
}


def case(template: Path, name: str) -> dict:
    source = template.read_text()
    messages, tools = CONVERSATIONS[name]
    tokenizer = PreTrainedTokenizerFast(tokenizer_file=str(RESOURCES / "tokenizer/tiny.json"), chat_template=source, **SPECIAL)
    made = {"template": template.name, "conversation": name, "messages": messages, "tools": tools}
    has_tags = re.search(r"{%-?\s*generation\s*-?%}", source) is not None
    try:
        made["text"] = tokenizer.apply_chat_template(messages, tools=tools, tokenize=False)
        whole = tokenizer.apply_chat_template(messages, tools=tools, return_dict=True, return_assistant_tokens_mask=has_tags)
        made["ids"] = whole["input_ids"]
        if has_tags:
            made["mask"] = whole["assistant_masks"]
    except Exception as e:
        made["error"] = type(e).__name__
    return made


def main() -> None:
    templates = [RESOURCES / f"chat/published/{name}.jinja" for name in TEMPLATES]
    cases = [case(template, name) for template in templates for name in CONVERSATIONS]
    content = "[\n" + ",\n".join(json.dumps(one, ensure_ascii=False) for one in cases) + "\n]\n"
    file = RESOURCES / "chat/golden.json"
    if "--check" in sys.argv:
        if file.read_text() != content:
            sys.exit(f"{file} differs from what transformers makes now")
    else:
        file.write_text(content)


if __name__ == "__main__":
    main()
