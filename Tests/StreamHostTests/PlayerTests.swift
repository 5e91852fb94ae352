import Analyzer
import Companion
import Foundation
import HostAccounts
import LibraryStore
import Testing
import TestSupport

@testable import StreamHost

/// Players used in practice.
@Suite("Players", .timeLimit(.minutes(30)))
struct PlayerTests {
    private let served: ServedLibrary

    init() async throws { served = try await ServedStreams.library.value }

    @Test("mpv plays the whole playlist without losing a sample", arguments: ["stream.m3u8", "master.m3u8"])
    func mpv(playlist: String) async throws {
        for name in ["cbr.mp3", "vbr.mp3", "mpeg2.mp3"] {
            let id = try served.id(name)
            let stream = try #require(try served.library.track(id: id)?.analysis?.stream)
            let directory = try TemporaryDirectory()
            try await ProcessRun.aside(
                "timeout",
                [
                    "200", "mpv", "--no-config", "--no-video", "--no-terminal", "--ao=pcm",
                    "--ao-pcm-file=\(directory.file("played.wav"))",
                    "--http-header-fields=\(served.authorization)",
                    "\(served.base)/tracks/\(id)/\(playlist)",
                ])
            let samples =
                try await ProcessRun.aside(
                    "ffmpeg",
                    ["-nostdin", "-v", "error", "-i", directory.file("played.wav"), "-f", "f32le", "-"]
                ).output.count / 4
            #expect(samples == stream.decodedSampleCount * stream.channels, "\(name)")
        }
    }

    /// Appends unchanged segments one after the other, like HLS libraries in browsers.
    @Test("Chromium plays the segments of a playlist, seeks and reaches the end")
    func chromium() async throws {
        let id = try served.id("cbr.mp3")
        let stream = try #require(try served.library.track(id: id)?.analysis?.stream)
        try await Self.playInChromium(
            "/tracks/\(id)/stream.m3u8", of: served, type: "audio/mpeg",
            seconds: Double(stream.decodedSampleCount) / Double(stream.sampleRateHz))
    }

    /// Plays all segments of a playlist, and checks the length, a seek and the end.
    static func playInChromium(
        _ playlist: String, of served: ServedLibrary, type: String, seconds: Double
    ) async throws {
        let key = served.secrets.apiKeyText
        var played: [String: Any] = [:]
        try await WebBrowser.with(open: "\(served.base)/health", errors: .any) { browser in
            played = try await browser.run(script, [playlist, key, type])
        }
        let duration = try #require(played["duration"] as? Double)
        #expect(abs(duration - seconds) < 0.06)
        // A single buffered range, without gaps between segments.
        #expect(played["ranges"] as? Int == 1)
        #expect((played["soughtTo"] as? Double).map { $0 >= 9 && $0 < 12 } == true)
        #expect(played["ended"] as? Bool == true)
    }

    private static let script = """
        const headers = {Authorization: 'Bearer ' + args[1]};
        const get = async url => {
          const answer = await fetch(url, {headers});
          if (!answer.ok) throw new Error(url + ': ' + answer.status);
          return answer;
        };
        const once = (target, name) => new Promise((resolve, reject) => {
          target.addEventListener(name, resolve, {once: true});
          target.addEventListener('error', () => reject(new Error(audio.error ? audio.error.message : name)), {once: true});
        });
        const text = await (await get(args[0])).text();
        const lines = text.split('\\n');
        const urls = lines.flatMap(line => /^#EXT-X-MAP:URI="(.*)"$/.exec(line)?.[1] ?? (line && !line.startsWith('#') ? [line] : []));
        const audio = document.body.appendChild(document.createElement('audio'));
        const source = new MediaSource();
        audio.src = URL.createObjectURL(source);
        await once(source, 'sourceopen');
        const buffer = source.addSourceBuffer(args[2]);
        if (args[2] === 'audio/mpeg') buffer.mode = 'sequence';
        for (const url of urls) {
          const bytes = await (await get(new URL(url, new URL(args[0], location)))).arrayBuffer();
          buffer.appendBuffer(bytes);
          await once(buffer, 'updateend');
        }
        source.endOfStream();
        const duration = audio.duration, ranges = audio.buffered.length;
        await audio.play();
        audio.currentTime = 9;
        await once(audio, 'seeked');
        await once(audio, 'timeupdate');
        const soughtTo = audio.currentTime;
        audio.currentTime = duration - 0.5;
        await once(audio, 'ended');
        return {duration, ranges, soughtTo, ended: audio.ended};
        """
}
