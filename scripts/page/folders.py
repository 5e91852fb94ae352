#!/usr/bin/env python3
"""Fails if folders of the web player's modules import each other in a circle, and prints the circle with its imports."""

import pathlib
import re
import sys

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "Sources/WebPlayer/Site/scripts"
# A module path that an import or export names; types in comments are not followed.
IMPORT = re.compile(r"^(?:import|export)\s(?:[\w\s*{},$]*?\sfrom\s)?['\"](\.[^'\"]+)['\"]", re.MULTILINE)


def imports():
    """Returns the imports between folders: the modules that import, by importing and imported folder."""
    found = {}
    for module in sorted(SCRIPTS.rglob("*.js")):
        for path in IMPORT.findall(module.read_text()):
            target = (module.parent / path).resolve()
            if not target.is_file():
                sys.exit(f"{module.relative_to(SCRIPTS)}: no module {path}")
            if target.parent != module.parent:
                found.setdefault(module.parent, {}).setdefault(target.parent, []).append(f"{module.relative_to(SCRIPTS)} imports {path}")
    return found


def circle(found):
    """Returns the folders of a circle; None without one."""
    done, path = set(), []

    def visit(folder):
        if folder in path:
            return path[path.index(folder):]
        if folder in done:
            return None
        path.append(folder)
        for target in found.get(folder, {}):
            if around := visit(target):
                return around
        done.add(path.pop())
        return None

    return next((around for folder in list(found) if (around := visit(folder))), None)


def main():
    found = imports()
    if around := circle(found):
        print("check-page: these folders import each other:", file=sys.stderr)
        for folder, target in zip(around, around[1:] + around[:1]):
            for line in found[folder][target]:
                print(f"    {line}", file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
