# SPDX-License-Identifier: Apache-2.0
"""What mkdocs asks while it makes the site: the order of pages is that of docs/README.md, and links to files outside of docs lead
to the repository, whose address is in SARE_SOURCE (https://HOST/OWNER/NAME/blob/COMMIT); without one they are plain text."""
import os
import posixpath
import re
from pathlib import Path

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")


def on_config(config):
    sections = [["Sare", [{"Contents": "README.md"}]]]
    named = {"README.md"}
    for line in re.split(r"\n(?=## |- )", (Path(config["docs_dir"]) / "README.md").read_text()):
        if line.startswith("## "):
            sections.append([line[3:].split("\n")[0].strip(), []])
        for text, target in LINK.findall(line):
            page = target.split("#")[0]
            if page.endswith(".md") and page not in named:
                named.add(page)
                title = " ".join(text.split()).replace("`", "")
                sections[-1][1].append({title[0].upper() + title[1:]: page})
    config["nav"] = [{title: pages} for title, pages in sections if pages]
    return config


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname("docs/" + page.file.src_uri)
    source = os.environ.get("SARE_SOURCE")

    def outside(link):
        text, target = link.groups()
        path = posixpath.normpath(posixpath.join(folder, target))
        if re.match(r"[a-z]+:|#", target) or path.startswith("docs/"):
            return link[0]
        return f"[{text}]({source}/{path})" if source else text

    return LINK.sub(outside, markdown)
