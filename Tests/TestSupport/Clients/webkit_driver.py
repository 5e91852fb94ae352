"""WebKitWebDriver with a screen of its own, which nobody sees: it prints its port, as chromedriver does."""
import os
import socket
import subprocess
import sys

from driver_helpers import end_with_caller, start

end_with_caller()
screen = start(["Xvfb", "-displayfd", "1", "-screen", "0", "1920x1200x24", "-nolisten", "tcp"], stdout=subprocess.PIPE)
number = screen.stdout.readline().decode().strip()
if not number:
    sys.exit("Xvfb did not start")
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
driver = start(["WebKitWebDriver", f"--port={port}"], env={**os.environ, "DISPLAY": f":{number}"})
while driver.poll() is None:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        break
    except OSError:
        continue
print(f"on port {port}.", flush=True)
sys.exit(driver.wait())
