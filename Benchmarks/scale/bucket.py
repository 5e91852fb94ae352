"""A bucket on this machine, whose server can be killed."""
import json
import os
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
SERVER = PROJECT / 'Tests' / 'TestSupport' / 'Clients' / 'bucket_server.py'
NAME, PREFIX, PORT = 'archive', 'music/', 17_078


class Bucket:
    """A server with the interface of Amazon S3 that holds the files of a folder."""

    source = f's3://{NAME}/{PREFIX}'

    def __init__(self, folder, log):
        self.log = log
        tools = subprocess.run([PROJECT / 'scripts' / 'python-tools'], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.command = [Path(tools.strip()) / 'bin' / 'python', '-B', SERVER, folder, NAME, PREFIX, str(PORT)]
        self.server = None

    def __enter__(self):
        self._start()
        return self

    def __exit__(self, *_):
        self.server.kill()
        self.server.wait()

    def _start(self):
        with open(self.log, 'ab') as log:
            self.server = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        start = json.loads(self.server.stdout.readline())
        # For the programs that are started from here on.
        os.environ.update(AWS_ENDPOINT_URL=start['endpoint'], AWS_ACCESS_KEY_ID=start['id'], AWS_SECRET_ACCESS_KEY=start['secret'])

    def kill(self):
        """Kills the server at once, and starts another one with the same content, which takes some seconds. Returns True."""
        self.server.kill()
        self.server.wait()
        self._start()
        return True
