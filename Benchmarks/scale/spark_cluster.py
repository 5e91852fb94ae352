"""A standalone Spark cluster on this machine, whose processes can be killed."""
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent.parent / 'deploy' / 'batch' / 'audio_companion_batch.py'
PORT = 17_077


def spark_home(cache):
    """Installs pyspark, and returns its folder and the Python that belongs to it."""
    venv = cache / 'venv'
    if not (venv / 'is-complete').exists():
        subprocess.run([sys.executable, '-m', 'venv', venv], check=True)
        subprocess.run([venv / 'bin/pip', 'install', '--quiet', '--disable-pip-version-check', 'pyspark==4.3.0'], check=True)
        (venv / 'is-complete').touch()
    return next(venv.glob('lib/*/site-packages/pyspark')), venv / 'bin' / 'python'


def children():
    """Returns the children of each process, by process id."""
    found = {}
    for entry in os.listdir('/proc'):
        if entry.isdigit():
            try:
                with open(f'/proc/{entry}/stat', encoding='latin-1') as file:
                    parent = int(file.read().rsplit(')', 1)[1].split()[1])
            except OSError:
                continue
            found.setdefault(parent, []).append(int(entry))
    return found


def descendants(process):
    tree = children()
    found = []
    waiting = [process]
    while waiting:
        for child in tree.get(waiting.pop(), []):
            found.append(child)
            waiting.append(child)
    return found


def command_of(process):
    try:
        with open(f'/proc/{process}/cmdline', 'rb') as file:
            return file.read().replace(b'\0', b' ').decode(errors='replace')
    except OSError:
        return ''


class Cluster:
    """A master and workers of one core each."""

    def __init__(self, cache, workers):
        self.home, python = spark_home(cache)
        self.folder = cache / 'spark'
        self.folder.mkdir(exist_ok=True)
        self.python = str(python)
        self.environment = os.environ | {
            'SPARK_HOME': str(self.home), 'PYSPARK_PYTHON': self.python, 'SPARK_LOCAL_IP': '127.0.0.1',
            'SPARK_LOCAL_DIRS': str(self.folder / 'local'), 'SPARK_DAEMON_MEMORY': '256m'}
        self.count = workers
        self.master = None
        self.workers = []
        self.drivers = []

    def __enter__(self):
        self.master = self._start('org.apache.spark.deploy.master.Master', '--host', '127.0.0.1', '--port', str(PORT),
                                  '--webui-port', '0')
        time.sleep(4)
        self.workers = [self._start_worker() for _ in range(self.count)]
        time.sleep(4)
        return self

    def __exit__(self, *_):
        for process in [*self.drivers, *self.workers, self.master]:
            for each in [*descendants(process.pid), process.pid]:
                try:
                    os.kill(each, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            process.wait()

    def _start(self, *arguments):
        with open(self.folder / f'{arguments[0].rsplit(".", 1)[1]}.log', 'ab') as log:
            return subprocess.Popen([self.home / 'bin/spark-class', *arguments], env=self.environment, cwd=self.folder, stdout=log,
                                    stderr=log)

    def _start_worker(self):
        return self._start('org.apache.spark.deploy.worker.Worker', '--cores', '1', '--memory', '1g', '--host', '127.0.0.1',
                           '--webui-port', '0', '--work-dir', str(self.folder / 'work'), f'spark://127.0.0.1:{PORT}')

    def submit(self, program, run):
        """Starts a driver with the runner for Spark."""
        with open(self.folder / 'driver.log', 'ab') as log:
            driver = subprocess.Popen(
                [self.home / 'bin/spark-submit', '--master', f'spark://127.0.0.1:{PORT}', '--driver-memory', '512m',
                 '--executor-memory', '512m', '--conf', 'spark.ui.enabled=false', SCRIPT, run, '--analyze-cli', program,
                 '--retries', '50'],
                env=self.environment, cwd=self.folder, stdout=log, stderr=log)
        self.drivers.append(driver)
        return driver

    def kill(self, kind, driver, generator):
        """Kills a process of the cluster at once. Returns whether there was one to kill."""
        if kind == 'driver':
            found = [driver.pid] if driver.poll() is None else []
        elif kind == 'worker':
            found = [worker.pid for worker in self.workers if worker.poll() is None]
        else:
            pattern = {'executor': r'CoarseGrainedExecutorBackend', 'part': r'analyze-cli part '}[kind]
            found = [each for worker in self.workers for each in descendants(worker.pid) if re.search(pattern, command_of(each))]
        if not found:
            return False
        victim = generator.choice(found)
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            return False
        if kind == 'worker':
            index = [worker.pid for worker in self.workers].index(victim)
            self.workers[index].wait()
            self.workers[index] = self._start_worker()
        return True
