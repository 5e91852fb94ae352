"""Plays HLS streams of MP3, FLAC, AAC, ALAC and Opus files with other players: each decodes the whole stream, and the sound is compared with the file's.

Browsers do not give their sound away: of them, the length and the end of playback are checked.
"""

import array
import glob
import os
import subprocess
from contextlib import contextmanager
from pathlib import Path

from surroundings import Program, desktop, free_port, have, wait

# Name, sample rate, bits per sample, options of ffmpeg. The file's extension is the first word of the name or stated here.
EXTENSIONS = {"aac": "m4a", "alac": "m4a"}
FILES = [
    ("mp3", 44_100, 16, ["-c:a", "libmp3lame", "-b:a", "192k"]),
    ("flac 44.1 kHz", 44_100, 16, ["-c:a", "flac", "-sample_fmt", "s16"]),
    ("flac 96 kHz 24 bit", 96_000, 24, ["-c:a", "flac", "-sample_fmt", "s32", "-bits_per_raw_sample", "24"]),
    ("aac 44.1 kHz", 44_100, 16, ["-c:a", "aac", "-b:a", "192k"]),
    ("alac 44.1 kHz", 44_100, 16, ["-c:a", "alac", "-sample_fmt", "s16p"]),
    ("opus 48 kHz", 48_000, 16, ["-c:a", "libopus", "-b:a", "160k"]),
]
SECONDS = 13.7
# Chromium's own HLS player takes no MP3 frames without a container, and neither browser decodes ALAC: they play the quality high.
KNOWN = [("Chromium", "mp3"), ("Chromium", "alac 44.1 kHz"), ("Chromium with hls.js", "alac 44.1 kHz"),
         ("WebKitGTK with hls.js", "alac 44.1 kHz")]
COLLECT_MESSAGES = """
window.messages = [];
for (const name of ['error', 'debug']) console[name] = (...all) => messages.push(`${name}: ${all.map((each) => each?.details ?? each).join(' ')}`);
"""
PLAY = """
const done = arguments[arguments.length - 1];
const [url, library] = arguments;
(async () => {
    const audio = document.body.appendChild(document.createElement('audio'));
    if (!library && !audio.canPlayType('application/vnd.apple.mpegurl')) return { none: true };
    const ended = new Promise((resolve, reject) => {
        audio.onended = resolve;
        audio.onerror = () => reject(new Error(audio.error?.message || 'the element reports an error'));
    });
    if (library) {
        const code = URL.createObjectURL(new Blob([library], { type: 'text/javascript' }));
        const { t: start } = await import(code);
        await new Promise((resolve) => start(audio, url, resolve));
    } else {
        audio.src = url;
    }
    await audio.play();
    const from = Date.now();
    while (!(audio.duration > 1)) {
        if (Date.now() - from > 20000) throw new Error('no duration');
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    // The first second, the middle and the end are heard.
    for (const place of [0.5, audio.duration / 2, audio.duration - 1]) {
        audio.currentTime = Math.max(audio.currentTime, place);
        const since = audio.currentTime;
        while (audio.currentTime < since + 0.4) {
            if (Date.now() - from > 60000) throw new Error(`stuck at ${audio.currentTime}`);
            await new Promise((resolve) => setTimeout(resolve, 50));
        }
    }
    await Promise.race([ended, new Promise((_, reject) => setTimeout(() => reject(new Error('no end')), 20000))]);
    return { duration: audio.duration, ranges: audio.buffered.length, messages: window.messages ?? [] };
})().then((value) => done({ value }), (error) => done({ error: `${error}`, messages: window.messages ?? [] }));
"""


def ffmpeg(url, out, folder):
    return ["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", url, "-c:a", "pcm_s32le", out]


def mpv(url, out, folder):
    return ["mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pcm", f"--ao-pcm-file={out}", url]


def vlc(url, out, folder):
    return ["runuser", "-u", "nobody", "--", "env", f"HOME={folder}", "cvlc", "-q", "--no-video", "--aout=afile",
            f"--audiofile-file={out}", "--audiofile-format=float32", "--no-audio-time-stretch", url, "vlc://quit"]


def gstreamer(url, out, folder):
    return ["gst-launch-1.0", "-q", "uridecodebin", f"uri={url}", "!", "audioconvert", "!", "audio/x-raw,format=S32LE", "!",
            "wavenc", "!", "filesink", f"location={out}"]


PLAYERS = [("ffmpeg", ffmpeg, "ffmpeg"), ("mpv", mpv, "mpv"), ("VLC", vlc, "cvlc"), ("GStreamer", gstreamer, "gst-launch-1.0")]


def samples(path):
    """Returns the left channel of any file, as numbers with 32 bits."""
    data = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-af", "pan=mono|c0=c0", "-f", "s32le", "-"], check=True,
        stdout=subprocess.PIPE).stdout
    return array.array("i", data)


def compared(heard, original, bits):
    """Says how the heard samples differ from the original ones."""
    if heard == original:
        return "bit for bit"
    # Where the original's loudest part of a thousand samples is found.
    middle = len(original) // 2
    part = original[middle:middle + 1000]
    best = None
    for shift in range(-3000, 3001):
        if not 0 <= middle + shift <= len(heard) - 1000:
            continue
        error = sum(abs(one - other) for one, other in zip(heard[middle + shift:middle + shift + 1000:37], part[::37]))
        if best is None or error < best[0]:
            best = (error, shift)
    if best is None:
        return f"only {len(heard)} of {len(original)} samples"
    error, shift = best
    exact = heard[middle + shift:middle + shift + 1000] == part
    return f"{len(heard) - len(original):+d} samples, shifted by {shift}, {'same' if exact else 'other'} values"


def make_files(folder):
    made = []
    for name, rate, bits, options in FILES:
        kind = name.split()[0]
        path = folder / f"players {kind} {rate} {bits}.{EXTENSIONS.get(kind, kind)}"
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
             f"aevalsrc=0.3*sin(2*PI*(300+40*t)*t)|0.3*sin(2*PI*500*t):s={rate}:d={SECONDS}", *options,
             "-metadata", f"title={name}", "-metadata", "artist=Players", path], check=True)
        os.utime(path, (1_700_000_000, 1_700_000_000))
        made.append((name, path, bits))
    return made


def hls_library(python):
    """Returns the text of hls.js, which a package of PyPI bundles."""
    folder = Path(python).parents[1] / "hls"
    names = glob.glob(f"{folder}/**/frontend/assets/hls-*.js", recursive=True)
    return Path(names[0]).read_text() if names else None


@contextmanager
def chromium(folder):
    from selenium import webdriver
    options = webdriver.ChromeOptions()
    for each in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--mute-audio",
                 "--autoplay-policy=no-user-gesture-required", f"--user-data-dir={folder}/chromium"]:
        options.add_argument(each)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path="/usr/bin/chromedriver"))
    try:
        yield driver
    finally:
        driver.quit()


@contextmanager
def webkit(folder):
    from selenium import webdriver
    environment = desktop(folder)
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(Path(__file__).parents[1] / "TestSupport/Clients/minibrowser")
    options.add_argument("--automation")
    options.add_argument("--autoplay-policy=allow")
    service = webdriver.WebKitGTKService(executable_path="/usr/bin/WebKitWebDriver", port=free_port(), env=environment)
    driver = webdriver.WebKitGTK(options=options, service=service)
    try:
        yield driver
    finally:
        driver.quit()


def in_browser(driver, host, url, library):
    driver.set_script_timeout(120)
    # A page without a Content-Security-Policy.
    driver.get(f"{host.base}/health")
    driver.execute_script(COLLECT_MESSAGES)
    answer = driver.execute_async_script(PLAY, url, library)
    if "error" in answer:
        return f"fails: {answer['error']} {answer['messages'][:2]}"
    value = answer["value"]
    if value.get("none"):
        return "has no HLS of its own"
    trouble = [message for message in value["messages"] if message]
    return f"plays to the end, {value['duration']:.3f} s" + (f", messages {trouble[:2]}" if trouble else "")


def check(host, folder, python):
    folder.mkdir()
    # VLC refuses to run as root.
    folder.chmod(0o777)
    folder.parent.chmod(0o755)
    files = make_files(host.music)
    wait("the analysis of the files", lambda: sum(song["artist"] == "Players" for song in host.songs()) == len(files))
    rows = []
    ids = {song["title"]: song["id"] for song in host.songs()}
    addresses = {name: host.address("hls", ("id", ids[name])) for name, _, _ in files}
    for name, path, bits in files:
        original = samples(path)
        for player, command, program in PLAYERS:
            if have(program):
                rows.append((player, name, "not installed"))
                continue
            out = folder / f"{player}.wav"
            out.unlink(missing_ok=True)
            end = subprocess.run(
                ["timeout", "90", *command(addresses[name], str(out), str(folder))], stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True)
            if end.returncode != 0 or not out.exists():
                rows.append((player, name, f"fails ({end.returncode}): {end.stdout.strip()[-200:]}"))
            else:
                rows.append((player, name, compared(samples(out), original, bits)))
    library = hls_library(python)
    browsers = [
        ("Chromium with hls.js", chromium, library, "chromedriver"), ("Chromium", chromium, None, "chromedriver"),
        ("WebKitGTK with hls.js", webkit, library, "WebKitWebDriver"), ("WebKitGTK", webkit, None, "WebKitWebDriver"),
    ]
    for label, browser, code, program in browsers:
        if have(program) or (label.endswith("hls.js") and not code):
            rows.append((label, "", "not installed"))
            continue
        place = folder / label.replace(" ", "-")
        place.mkdir()
        with browser(place) as driver:
            for name, _, _ in files:
                rows.append((label, name, in_browser(driver, host, addresses[name], code)))
    text = "\n".join(f"    {player:<23}{name:<20}{result}" for player, name, result in rows)
    broken = [row for row in rows if row[2].startswith(("fails", "only")) and row[:2] not in KNOWN]
    print(text)
    assert not broken, f"{len(broken)} of {len(rows)} fail"
    return f"{len(rows)} streams played"
