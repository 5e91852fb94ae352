"""Writes a run whose parts hold synthetic rows: copies of measured ones with other paths, hashes and tags."""
import hashlib
import shutil
import sqlite3
import subprocess
from pathlib import Path

PART_SIZE = 300
TRACKS_PER_ALBUM = 12
ALBUMS_PER_ARTIST = 5
# An analysis without these columns takes 1 kB; with them it takes 25 kB, most of which a merge only copies.
LARGE = ('waveform', 'momentary_loudness', 'gating_blocks', 'short_term_blocks', 'fingerprint', 'beats')


def make(program, template, run, start, count):
    """Makes a run of `count` tracks, numbered from `start`."""
    run = Path(run)
    run.mkdir()
    paths = run / 'list'
    with open(paths, 'w', encoding='ascii') as file:
        for number in range(start, start + count):
            file.write(_path(number) + '\n')
    subprocess.run([program, 'plan', paths, '--output', run, '--root', '/synthetic', '--part-size', str(PART_SIZE), '--force'],
                   check=True, stdout=subprocess.DEVNULL)
    paths.unlink()
    measured = Path(template) / 'parts' / '000000' / 'results.sqlite'
    rows = _rows(measured)
    for part, first in enumerate(range(start, start + count, PART_SIZE)):
        folder = run / 'parts' / f'{part:06}'
        folder.mkdir(parents=True)
        (folder / 'spectra.bin').touch()
        shutil.copy(measured, folder / 'results.sqlite')
        _fill(folder / 'results.sqlite', rows, range(first, min(first + PART_SIZE, start + count)))


def _path(number):
    album = number // TRACKS_PER_ALBUM
    return f'Artist {album // ALBUMS_PER_ARTIST}/Album {album}/{number}.mp3'


def _rows(measured):
    """Returns the rows of each table as dictionaries."""
    database = sqlite3.connect(measured)
    database.row_factory = sqlite3.Row
    found = {table: [dict(row) for row in database.execute(f'SELECT * FROM {table}')]
             for table in ('tracks', 'analyses', 'analysis_details')}
    database.close()
    for row in found['analysis_details']:
        row['frame_index'] = row['frame_index'][:16]
        row.update(dict.fromkeys(LARGE))
    return found


def _fill(path, rows, numbers):
    database = sqlite3.connect(path, isolation_level=None)
    database.execute('PRAGMA synchronous = OFF')
    database.execute('BEGIN')
    for table in ('tracks', 'analyses', 'analysis_details', 'analysis_failures', 'spectra'):
        database.execute(f'DELETE FROM {table}')
    for table, templates in rows.items():
        names = list(templates[0])
        statement = f'INSERT INTO {table} ({", ".join(names)}) VALUES ({", ".join("?" * len(names))})'
        database.executemany(statement, (_values(table, templates, names, number, numbers.start) for number in numbers))
    database.execute('COMMIT')
    database.close()


def _values(table, templates, names, number, first):
    row = dict(templates[number % len(templates)])
    row['audio_hash'] = hashlib.md5(str(number).encode()).digest()
    if 'id' in row:
        row['id'] = number - first + 1
    if table == 'tracks':
        album = number // TRACKS_PER_ALBUM
        row |= {'relative_path': _path(number), 'title': f'Song {number}', 'artist': f'Artist {album // ALBUMS_PER_ARTIST}',
                'album': f'Album {album}', 'track_number': number % TRACKS_PER_ALBUM + 1}
    return [row[name] for name in names]
