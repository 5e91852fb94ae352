#!/usr/bin/env python3
"""Runs the parts of a batch analysis on Apache Spark.

    spark-submit audio_companion_batch.py RUN [--analyze-cli PROGRAM] [--retries N]

RUN is what `analyze-cli plan` has made: a folder, which all workers must reach under the same path, or s3://BUCKET/PREFIX. They must
also reach the music, and have `analyze-cli`; for buckets, they need the environment variables of docs/scale.md. Each part is one
task on one core. Failed tasks are repeated on other workers, and slow ones are started a second time: a part stores its results in
one step, and the same bytes each time. If the driver is lost, submit the program again: it runs the parts that have no results.
"""
import argparse
import ctypes
import signal
import subprocess
import sys
import threading

from pyspark import SparkConf, SparkContext, TaskContext

PROGRESS_SECONDS = 10


def pending_parts(program, run):
    """Returns the numbers of the parts without results."""
    output = subprocess.run([program, 'status', run, '--pending'], check=True, stdout=subprocess.PIPE, text=True).stdout
    return [int(line) for line in output.split()]


def die_with_parent():
    """Makes the system kill the child when Spark kills the worker process that started it."""
    set_parent_death_signal = 1
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGKILL)


def run_part(program, run, part):
    """Runs one part. An exception makes Spark repeat the task."""
    done = subprocess.run([program, 'part', run, '--part', str(part), '--quiet'], stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors='replace', preexec_fn=die_with_parent)
    if done.returncode:
        attempt = TaskContext.get().attemptNumber()
        raise RuntimeError(f'part {part}, attempt {attempt}: exit status {done.returncode}: {done.stderr.strip()[-2000:]}')


class Progress(threading.Thread):
    """Prints a line about the running stage from time to time."""

    def __init__(self, context, total):
        super().__init__(daemon=True)
        self.context = context
        self.total = total
        self.is_done = threading.Event()

    def run(self):
        tracker = self.context.statusTracker()
        while not self.is_done.wait(PROGRESS_SECONDS):
            for stage in map(tracker.getStageInfo, tracker.getActiveStageIds()):
                if stage:
                    print(f'{stage.numCompletedTasks} of {self.total} parts, {stage.numActiveTasks} running, '
                          f'{stage.numFailedTasks} attempts failed', flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('run', metavar='RUN', help='the folder of the run, or its address in a bucket')
    parser.add_argument('--analyze-cli', default='analyze-cli', metavar='PROGRAM', help='its path on all machines')
    parser.add_argument('--retries', type=int, default=8, metavar='N', help='attempts for a part before the job fails')
    options = parser.parse_args()

    parts = pending_parts(options.analyze_cli, options.run)
    if not parts:
        print('all parts are complete')
        return 0
    # What is given to spark-submit has precedence.
    configuration = SparkConf().setAppName('Audio Companion')
    for name, value in {'spark.task.maxFailures': str(options.retries), 'spark.speculation': 'true',
                        'spark.speculation.quantile': '0.9'}.items():
        configuration.setIfMissing(name, value)
    with SparkContext(conf=configuration) as context:
        progress = Progress(context, len(parts))
        progress.start()
        program, run = options.analyze_cli, options.run
        context.parallelize(parts, len(parts)).foreach(lambda part: run_part(program, run, part))
        progress.is_done.set()
    left = pending_parts(options.analyze_cli, options.run)
    print(f'{len(parts) - len(left)} of {len(parts)} parts complete; add them to a library with analyze-cli merge')
    return 1 if left else 0


if __name__ == '__main__':
    sys.exit(main())
