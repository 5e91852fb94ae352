#!/usr/bin/env python3
"""Fails if folders of the web player's modules import each other in a circle, and prints their imports."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from circles import circles

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "Sources/WebPlayer/Site/scripts"
# A module path that an import or export names; types in comments are not followed.
IMPORT = re.compile(r"^(?:import|export)\s(?:[\w\s*{},$]*?\sfrom\s)?['\"](\.[^'\"]+)['\"]", re.MULTILINE)


def imports():
    """Returns the imports between folders: lines that name module and path, by importing and imported folder."""
    found = {}
    for module in sorted(SCRIPTS.rglob("*.js")):
        for path in IMPORT.findall(module.read_text()):
            target = (module.parent / path).resolve()
            if not target.is_file():
                sys.exit(f"{module.relative_to(SCRIPTS)}: no module {path}")
            if target.parent != module.parent:
                found.setdefault((module.parent, target.parent), []).append(f"{module.relative_to(SCRIPTS)} imports {path}")
    return found


def main():
    found = imports()
    groups = circles(found)
    for group in groups:
        print("check-page: these folders import each other:", file=sys.stderr)
        for (folder, target), lines in found.items():
            if folder in group and target in group:
                for line in lines:
                    print(f"    {line}", file=sys.stderr)
    sys.exit(1 if groups else 0)


if __name__ == "__main__":
    main()
