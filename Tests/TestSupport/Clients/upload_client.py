"""Uploads files to a host in all supported ways, until the host is gone or the rounds are done.

upload_client.py BASE FOLDER STATE ROUNDS SEED

FOLDER contains MP3 files. STATE is a file for the host's acknowledgements: the current upload in parts, and the number of
bytes of it that the host has confirmed.
"""

import http.client
import io
import json
import os
import random
import sys
import uuid
import zipfile
from urllib.parse import quote, urlsplit

base, folder, state, rounds, seed = sys.argv[1:6]
address = urlsplit(base).netloc
chance = random.Random(int(seed))
names = sorted(os.listdir(folder))
content = {name: open(os.path.join(folder, name), "rb").read() for name in names}


def ask(method, path, body=None, headers=None):
    connection = http.client.HTTPConnection(address, timeout=60)
    connection.request(method, path, body=body, headers=headers or {})
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    # All requests are valid, but leftovers of a kill may be occupied or missing.
    if answer.status not in (200, 201, 204, 404, 409, 422, 503):
        sys.exit(f"{method} {path}: {answer.status} {data[:500]}")
    return answer.status, (json.loads(data) if data else None), answer.headers


def form(parts):
    boundary = uuid.uuid4().hex
    out = io.BytesIO()
    for name, file_name, data in parts:
        out.write(f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'.encode())
        if file_name is not None:
            out.write(f'; filename="{file_name}"\r\nContent-Type: audio/mpeg'.encode())
        out.write(b"\r\n\r\n" + data + b"\r\n")
    out.write(f"--{boundary}--\r\n".encode())
    return out.getvalue(), {"Content-Type": f"multipart/form-data; boundary={boundary}"}


def remember(**told):
    with open(state + ".draft", "w") as file:
        json.dump(told, file)
    os.rename(state + ".draft", state)


def by_form():
    chosen = chance.sample(names, chance.randint(1, 3))
    parts = [("file", name, content[name]) for name in chosen]
    if len(chosen) == 1:
        parts.insert(0, ("title", None, f"Title {chance.randint(0, 9)}".encode()))
    parts.append(("album", None, b"Sent"))
    ask("POST", "/upload-track", *form(parts))


def by_zip():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
        for name in chance.sample(names, 3):
            archive.writestr(f"folder/{name}", content[name])
    ask("POST", "/upload-track", *form([("file", "some.zip", data.getvalue())]))


def as_it_is():
    name = chance.choice(names)
    ask("POST", f"/upload-track?filename={quote(name)}", content[name], {"Content-Type": "audio/mpeg"})


def in_parts():
    name = chance.choice(names)
    data = content[name]
    ticket = {"file_name": name, "byte_count": len(data), "fields": {"title": "In parts"}}
    status, upload, headers = ask(
        "POST", "/upload-track/resumable", json.dumps(ticket), {"Content-Type": "application/json"})
    if status != 201:
        return
    path = headers["Location"]
    remember(path=path, offset=0, name=name)
    at = 0
    while at < len(data):
        end = min(len(data), at + chance.randint(1, len(data) // 2))
        status, answer, _ = ask(
            "PUT", path, data[at:end], {"Content-Range": f"bytes {at}-{end - 1}/{len(data)}"})
        if status != 200:
            return
        at = end
        remember(path=path, offset=at, name=name)
    ask("DELETE", path)
    remember()


def to_trash():
    _, page, _ = ask("GET", "/api/tracks?limit=500")
    if page["items"]:
        ask("DELETE", f"/tracks/{chance.choice(page['items'])['id']}")


def from_trash():
    _, page, _ = ask("GET", "/trash")
    if page["items"]:
        item = chance.choice(page["items"])
        # A restored file must exist, even if the same file was uploaded again meanwhile.
        with open(state + ".restored", "a") as file:
            file.write(item["relative_path"] + "\n")
        ask("POST", f"/trash/{item['trash_id']}/restore")


try:
    for number in range(int(rounds)):
        chance.choice([by_form, by_form, by_zip, as_it_is, in_parts, in_parts, to_trash, from_trash])()
except (ConnectionError, http.client.HTTPException, TimeoutError) as error:
    print("the host is gone:", error)
