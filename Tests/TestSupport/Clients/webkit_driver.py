"""WebKitWebDriver with a virtual screen: it prints its port, like chromedriver.

usage: webkit_driver.py PORT
"""
import os
import socket
import subprocess
import sys
import time

from driver_helpers import end_with_caller, start

end_with_caller()
screen = start(["Xvfb", "-displayfd", "1", "-screen", "0", "1920x1200x24", "-nolisten", "tcp"], stdout=subprocess.PIPE)
number = screen.stdout.readline().decode().strip()
if not number:
    sys.exit("Xvfb did not start")
port = int(sys.argv[1])
driver = start(["WebKitWebDriver", f"--port={port}"], env={**os.environ, "DISPLAY": f":{number}"})
while True:
    if driver.poll() is not None:
        sys.exit(f"WebKitWebDriver did not start: {driver.returncode}")
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        break
    except OSError:
        time.sleep(0.05)
print(f"on port {port}.", flush=True)
sys.exit(driver.wait())
