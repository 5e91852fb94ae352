"""What starts a browser and ends with whoever wanted it."""
import os
import subprocess
import sys
import threading


def end_with_caller():
    """Ends this process, and so what it started, when the caller closes its end."""
    def wait():
        sys.stdin.read()
        os._exit(0)
    threading.Thread(target=wait, daemon=True).start()


def start(command, **options):
    """Starts a program that dies when this one does."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options}
    return subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command], **options)
