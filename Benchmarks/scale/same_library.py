#!/usr/bin/env python3
"""Compares two data folders row for row, and fails if they differ.

    same_library.py DATA DATA

Compares every column of tracks, analyses, their details, failures, albums, artists and spectra. Row numbers are replaced by what
they refer to, since they depend on the order of writing; times of writing are left out. Rows are hashed, so that memory holds one
hash per row.
"""
import hashlib
import os
import sqlite3
import sys

# Columns that say when a row was written, or number it.
LEFT_OUT = {'id', 'added_at_ms', 'changed_at_ms', 'analyzed_at_ms', 'failed_at_ms', 'unavailable_since_ms', 'artist_id', 'album_id'}
EXTRA = {
    'tracks': ['unavailable_since_ms IS NULL', '(SELECT name_key FROM artists WHERE id = artist_id)',
               '(SELECT album_key FROM albums WHERE id = album_id)'],
    'albums': ['(SELECT name_key FROM artists WHERE id = artist_id)'],
}


def rows(path, tables, left_out):
    """Returns a hash of each row, with the table's name and the row's key."""
    database = sqlite3.connect(f'file:{path}?mode=ro', uri=True)
    found = {}
    for table, key in tables:
        names = [row[1] for row in database.execute(f'PRAGMA table_info({table})') if row[1] not in left_out]
        for row in database.execute(f'SELECT {key}, {", ".join(names + EXTRA.get(table, []))} FROM {table}'):
            place = (table, row[0])
            if place in found:
                sys.exit(f'{path}: {place} occurs twice')
            found[place] = hashlib.sha256(repr(row).encode()).digest()
    database.close()
    return found


def contents(folder, left_out):
    library = rows(os.path.join(folder, 'library.sqlite'), [
        ('tracks', 'relative_path'), ('analyses', 'audio_hash'), ('analysis_details', 'audio_hash'),
        ('analysis_failures', 'relative_path'), ('albums', 'album_key'), ('artists', 'name_key')], left_out)
    return library | rows(os.path.join(folder, 'visualizer.sqlite'), [('frames', 'audio_hash')], left_out)


def compare(folder, reference, leaving_out=()):
    """Prints the differences of two data folders, except in further columns. Returns an exit status."""
    left_out = LEFT_OUT.union(leaving_out)
    one, other = contents(folder, left_out), contents(reference, left_out)
    faults = [f'only in {folder}: {place}' for place in one.keys() - other.keys()]
    faults += [f'only in {reference}: {place}' for place in other.keys() - one.keys()]
    faults += [f'differs: {place}' for place in one.keys() & other.keys() if one[place] != other[place]]
    for fault in sorted(faults)[:20]:
        print(fault)
    counts = {}
    for table, _ in one:
        counts[table] = counts.get(table, 0) + 1
    print(f'{len(faults)} differences in', ', '.join(f'{count} {table}' for table, count in sorted(counts.items())))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(compare(*sys.argv[1:3]))
