"""The targets of the package, read from its manifest, for other scripts."""
import json
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def targets():
    """Returns all targets by name, each as in `swift package dump-package`, with the names of its dependencies in `needs`."""
    # A build folder of its own: the package's is locked while a build runs.
    with tempfile.TemporaryDirectory() as scratch:
        text = subprocess.run(
            ['swift', 'package', '--scratch-path', scratch, 'dump-package'],
            cwd=ROOT, check=True, capture_output=True, text=True).stdout
    found = {}
    for target in json.loads(text)['targets']:
        target['needs'] = [next(iter(each.values()))[0] for each in target['dependencies']]
        found[target['name']] = target
    return found


def folder(target):
    """The folder of a target's sources, below the package's."""
    return target.get('path') or os.path.join('Tests' if target['type'] == 'test' else 'Sources', target['name'])


def is_c_module(target):
    return target['type'] == 'system' or folder(target).startswith('Sources/CLibraries/')


def reachable(all_targets, name, found=None):
    """Returns the names of all targets that a target needs, directly or through others."""
    found = set() if found is None else found
    for each in all_targets[name]['needs']:
        if each in all_targets and each not in found:
            found.add(each)
            reachable(all_targets, each, found)
    return found
