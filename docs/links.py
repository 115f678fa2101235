#!/usr/bin/env python3
"""Finds broken links in the built book and in the README: links.py FOLDER"""
import html.parser
import pathlib
import re
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                self.ids.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def main(folder):
    root = pathlib.Path(folder)
    repository = pathlib.Path(__file__).resolve().parent.parent
    # The single page for printing repeats all pages with other addresses, and the error page has absolute addresses.
    names = [path for path in sorted(root.rglob("*.html")) if path.name not in ("print.html", "404.html", "toc.html")]
    pages = {path.resolve(): Page(path) for path in names}
    good, broken = 0, []
    for path, page in pages.items():
        for link in page.links:
            address = urllib.parse.urlsplit(link)
            if address.scheme or address.netloc:
                continue
            target = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
            anchor = urllib.parse.unquote(address.fragment)
            known = pages.get(target)
            if not target.exists() or (anchor and known and anchor not in known.ids):
                broken.append(f"{path.relative_to(root.resolve())}: {link}")
            else:
                good += 1
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", (repository / "README.md").read_text(encoding="utf-8")):
        if (repository / link).exists():
            good += 1
        else:
            broken.append(f"README.md: {link}")
    for line in broken:
        print(f"leads nowhere: {line}")
    if len(pages) < 10:
        broken.append("the book is missing")
    print(f"{good} passed, {len(broken)} failed")
    return 1 if broken else 0


sys.exit(main(sys.argv[1]))
