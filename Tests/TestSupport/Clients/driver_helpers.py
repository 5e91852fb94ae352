"""Starts a browser and ends with the caller."""
import os
import subprocess
import sys
import threading


def end_with_caller():
    """Exits this process, and thereby its children, when the caller closes its end."""
    def wait():
        sys.stdin.read()
        os._exit(0)
    threading.Thread(target=wait, daemon=True).start()


def start(command, **options):
    """Starts a program that is killed when this one exits."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options}
    return subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command], **options)
