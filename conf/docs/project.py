"""Sets the facts about the project on the site: the version, the addresses of the repository and of the site."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig

CLIENT = Path(__file__).resolve().parents[2] / "gpu-feeder" / "python" / "pyproject.toml"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    version = tomllib.loads(CLIENT.read_text())["project"]["version"]
    config.copyright = f"rankfeed {version}, Apache-2.0"
    if config.repo_url:
        config.edit_uri = "edit/main/docs/"
    if "MIKE_DOCS_VERSION" in os.environ:
        # Only a site of several versions has the list that the menu reads.
        config.extra["version"] = {"provider": "mike", "default": "latest"}
    return config


def on_template_context(context: dict[str, Any], *, template_name: str, config: MkDocsConfig) -> dict[str, Any]:
    if template_name == "404.html" and not config.site_url:
        # MkDocs would link to the top of the host, where a site in a sub-path is not.
        context["base_url"] = "."
    return context
