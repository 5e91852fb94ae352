"""A bucket on this machine, which can be lost for some seconds."""
import json
import os
import subprocess
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
SERVER = PROJECT / 'Tests' / 'TestSupport' / 'Clients' / 'bucket_server.py'
NAME, PREFIX, PORT = 'archive', 'music/', 17_078
AWAY_SECONDS = 4
DELETION = '''
import os, sys, boto3
endpoint, bucket, prefix = sys.argv[1:]
objects = boto3.resource('s3', endpoint_url=endpoint, region_name='us-east-1').Bucket(bucket).objects.filter(Prefix=prefix)
objects.delete()
'''
PROXY = '''
defaults
    mode tcp
    timeout connect 5s
    timeout client 60s
    timeout server 60s
listen bucket
    bind 127.0.0.1:{port}
    server bucket {address}
'''


class Bucket:
    """A server with the interface of Amazon S3 that holds the files of a folder, and the run.

    Its objects are in memory. So clients reach it through HAProxy, which can be killed like a server that keeps its objects.
    """

    source = f's3://{NAME}/{PREFIX}'
    run = f's3://{NAME}/run'

    def __init__(self, folder, log):
        self.folder = folder
        self.log = log
        tools = subprocess.run([PROJECT / 'scripts' / 'python-tools'], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.python = Path(tools.strip()) / 'bin' / 'python'
        self.settings = Path(f'{log}.cfg')
        self.server = None
        self.proxy = None

    def __enter__(self):
        with open(self.log, 'ab') as log:
            self.server = subprocess.Popen([self.python, '-B', SERVER, self.folder, NAME, PREFIX], stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, stderr=log)
        start = json.loads(self.server.stdout.readline())
        self.settings.write_text(PROXY.format(port=PORT, address=start['endpoint'].removeprefix('http://')))
        self._start_proxy()
        # For the programs that are started from here on.
        os.environ.update(AWS_ENDPOINT_URL=f'http://127.0.0.1:{PORT}', AWS_ACCESS_KEY_ID=start['id'],
                          AWS_SECRET_ACCESS_KEY=start['secret'])
        return self

    def __exit__(self, *_):
        for process in (self.proxy, self.server):
            process.kill()
            process.wait()

    def _start_proxy(self):
        with open(self.log, 'ab') as log:
            # -db: in the foreground, as one process.
            self.proxy = subprocess.Popen(['haproxy', '-db', '-f', self.settings], stdout=log, stderr=log)

    def kill(self):
        """Breaks all connections at once, and refuses new ones for some seconds. Returns True."""
        self.proxy.kill()
        self.proxy.wait()
        time.sleep(AWAY_SECONDS)
        self._start_proxy()
        return True

    def remove_part(self, part):
        """Deletes the results of a part."""
        endpoint = os.environ['AWS_ENDPOINT_URL']
        subprocess.run([self.python, '-c', DELETION, endpoint, NAME, f'run/parts/{part:06}/'], check=True)
