import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import StreamHost

@Suite("Extensions of the OpenSubsonic API", .timeLimit(.minutes(30)))
struct SubsonicExtensionTests {
    private let library: SubsonicLibrary

    init() async throws { library = try await SubsonicLibrary.shared.value }

    private func get(_ endpoint: String, _ query: String, _ options: [String] = []) async throws
        -> ServedLibrary.Answer
    {
        try await library.served.get("/rest/\(endpoint)?\(library.credentials)&\(query)", options, key: "")
    }

    // MARK: - Transcoding

    private func decision(_ file: String, _ client: String) async throws -> [String: Any] {
        let answer = try await get(
            "getTranscodeDecision", "f=json&mediaId=\(library.id(file))&mediaType=song",
            ["-H", "Content-Type: application/json", "-d", client])
        let root = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        let fields = try #require(root?["subsonic-response"] as? [String: Any], "\(answer.text)")
        return try #require(fields["transcodeDecision"] as? [String: Any], "\(answer.text)")
    }

    private static let cases: [(client: String, canDirectPlay: Bool, canTranscode: Bool)] = [
        ("\"name\": \"x\"", false, false),
        (direct(anything), true, false),
        (direct(flac), false, false),
        (direct(flac + ", " + anything), true, false),
        (
            direct(
                #"{"containers": ["mp3"], "audioCodecs": ["MP3"], "protocols": ["http"], "maxAudioChannels": 1}"#
            ),
            false, false
        ),
        (direct(anything) + ", " + transcoding(lowMP3), true, true),
        (direct(anything) + #", "maxAudioBitrate": 128000, "# + transcoding(lowMP3), false, true),
        (#""maxTranscodingAudioBitrate": 32000, "# + transcoding(lowMP3), false, false),
        (transcoding(#"{"container": "mp3", "audioCodec": "mp3", "protocol": "hls"}"#), false, false),
        (
            limited("audioBitrate", "LessThanEqual", #""96000""#, true) + ", " + transcoding(lowMP3), false,
            true
        ),
        (limited("audioBitrate", "LessThanEqual", #""96000""#, false), true, false),
        (limited("audioSamplerate", "Equals", #""48000", "44100""#, true), true, false),
        (limited("audioChannels", "NotEquals", #""2""#, true), false, false),
        (limited("audioBitrate", "GreaterThanEqual", #""96000""#, true), true, false),
        (limited("audioBitdepth", "LessThanEqual", #""16""#, true), true, false),
    ]
    private static let anything = #"{"containers": [], "audioCodecs": [], "protocols": []}"#
    private static let flac = #"{"containers": ["flac"], "audioCodecs": [], "protocols": []}"#
    private static let lowMP3 = #"{"container": "MP3", "audioCodec": "mp3", "protocol": "http"}"#

    private static func direct(_ profiles: String) -> String { "\"directPlayProfiles\": [" + profiles + "]" }

    private static func transcoding(_ profile: String) -> String {
        "\"transcodingProfiles\": [" + profile + "]"
    }

    /// Plays everything, with a limit for MP3.
    private static func limited(
        _ name: String, _ comparison: String, _ values: String, _ isRequired: Bool
    ) -> String {
        direct(anything) + """
            , "codecProfiles": [{"type": "AudioCodec", "name": "mp3", "limitations": [{"name": "\(name)",
                "comparison": "\(comparison)", "values": [\(values)], "required": \(isRequired)}]}]
            """
    }

    @Test(
        "A client's profiles and limits decide between the original and the low quality",
        arguments: SubsonicExtensionTests.cases)
    func decisions(client: String, canDirectPlay: Bool, canTranscode: Bool) async throws {
        let decision = try await decision("c/1.mp3", "{\(client)}")
        #expect(decision["canDirectPlay"] as? Bool == canDirectPlay, "\(decision)")
        #expect(decision["canTranscode"] as? Bool == canTranscode, "\(decision)")
        #expect((decision["transcodeReason"] as? [String])?.isEmpty == canDirectPlay)
        #expect((decision["errorReason"] as? String)?.isEmpty == (canDirectPlay || canTranscode))
        let source = try #require(decision["sourceStream"] as? [String: Any])
        #expect(source["codec"] as? String == "mp3")
        #expect(abs((source["audioBitrate"] as? Int ?? 0) - 160_000) < 1000)
        let target = decision["transcodeStream"] as? [String: Any]
        #expect(target?["audioBitrate"] as? Int == (canTranscode ? 64_000 : nil))
    }

    @Test("The decided stream is the low quality, from an offset too; errors have HTTP statuses")
    func stream() async throws {
        let parameters = try #require(
            try await decision("c/1.mp3", "{\"transcodingProfiles\": [\(Self.lowMP3)]}")["transcodeParams"]
                as? String)
        let directory = try TemporaryDirectory()
        for (offset, length) in [("", 4.0), ("&offset=3", 1.07)] {
            let query =
                "mediaId=\(try library.id("c/1.mp3"))&mediaType=song&transcodeParams=\(parameters)\(offset)"
            let answer = try await get("getTranscodeStream", query)
            #expect(answer.status == 200 && answer.field("Content-Type") == "audio/mpeg")
            let path = try directory.write(answer.body, as: "low.mp3")
            let probe = try await ProcessRun.aside(
                "ffprobe",
                ["-v", "error", "-show_entries", "format=duration,bit_rate", "-of", "csv=p=0", path]
            ).text
            let numbers = probe.split(whereSeparator: { ",\n".contains($0) }).compactMap { Double($0) }
            #expect(numbers.count == 2 && abs(numbers[0] - length) < 0.2, "\(probe)")
            #expect(numbers.count == 2 && abs(numbers[1] - 64_000) < 2_000, "\(probe)")
        }
        let song = "mediaId=\(try library.id("c/1.mp3"))&mediaType=song"
        for (query, status) in [
            ("mediaId=tr-999999&mediaType=song&transcodeParams=low", 404), ("\(song)&transcodeParams=x", 400),
            (song, 400), ("\(song)&transcodeParams=low&offset=99", 400),
            ("mediaId=\(try library.id("c/1.mp3"))&mediaType=podcast&transcodeParams=low", 404),
        ] {
            #expect(try await get("getTranscodeStream", query).status == status, "\(query)")
        }
    }

    @Test("A decision needs a POST with JSON")
    func malformedDecision() async throws {
        let query = "mediaId=\(try library.id("c/1.mp3"))&mediaType=song"
        #expect(try await library.error("getTranscodeDecision", query) == 0)
        for body in [
            "", "[]", "{", #"{"maxAudioBitrate": "x"}"#, #"{"codecProfiles": [{"limitations": [{}]}]}"#,
        ] {
            let answer = try await get(
                "getTranscodeDecision", "f=json&\(query)",
                ["-H", "Content-Type: application/json", "-d", body])
            #expect(answer.status == 200 && answer.text.contains("\"code\":0"), "\(body)")
        }
    }

    @Test("timeOffset also starts the low quality at the frame that plays then")
    func lowQualityOffset() async throws {
        let rest = try await get("stream", "id=\(library.id("c/1.mp3"))&maxBitRate=96&timeOffset=2")
        let path = try TemporaryDirectory()
        let file = try path.write(rest.body, as: "rest.mp3")
        let seconds = try await ProcessRun.aside(
            "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file]
        ).text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(abs((Double(seconds) ?? 0) - 2.07) < 0.1, "\(seconds)")
    }

    // MARK: - Playback

    @Test("Reports show what is played with its position; a stop after half of the song is a play")
    func playback() async throws {
        try await SubsonicLibrary.with { library in
            let id = try library.id("c/1.mp3")
            func report(_ state: String, _ position: Int, _ more: String = "") async throws -> Int? {
                try await library.error(
                    "reportPlayback",
                    "mediaId=\(id)&mediaType=song&positionMs=\(position)&state=\(state)\(more)")
            }
            #expect(try await report("starting", 0) == nil)
            #expect(try await report("paused", 1500, "&playbackRate=1.5") == nil)
            let entry = try #require(
                try await library.list("getNowPlaying", "", "nowPlaying", "entry").first)
            #expect(entry["id"] as? String == id && entry["state"] as? String == "paused")
            #expect(entry["positionMs"] as? Int == 1500 && entry["playbackRate"] as? Double == 1.5)
            #expect(try await report("stopped", 1500) == nil)
            #expect(try await library.list("getNowPlaying", "", "nowPlaying", "entry").isEmpty)
            for (query, code) in [
                ("mediaId=\(id)&mediaType=song&positionMs=0", 10),
                ("mediaId=\(id)&positionMs=0&state=playing", 10),
                ("mediaId=\(id)&mediaType=podcast&positionMs=0&state=playing", 70),
                ("mediaId=tr-999999&mediaType=song&positionMs=0&state=playing", 70),
                ("mediaId=\(id)&mediaType=song&positionMs=-1&state=playing", 0),
                ("mediaId=\(id)&mediaType=song&positionMs=0&state=dancing", 0),
                ("mediaId=\(id)&mediaType=song&positionMs=0&state=playing&playbackRate=0", 0),
                ("mediaId=\(id)&mediaType=song&positionMs=0&state=playing&playbackRate=nan", 0),
            ] {
                #expect(try await library.error("reportPlayback", query) == code, "\(query)")
            }
            // Fast enough that half of the four seconds is played at once.
            #expect(try await report("playing", 0, "&playbackRate=100") == nil)
            try await until {
                let playing = try await library.list("getNowPlaying", "", "nowPlaying", "entry")
                return (playing.first?["positionMs"] as? Int ?? 0) >= 4000
            }
            #expect(try await report("stopped", 4000, "&playbackRate=100") == nil)
            let song = try #require(try await library.ask("getSong", "id=\(id)")["song"] as? [String: Any])
            #expect(song["playCount"] as? Int == 1)
        }
    }

    // MARK: - Analysis

    @Test("A song's analysis has the values of the native API")
    func analysis() async throws {
        let (id, next) = (try library.served.id("a/1.mp3"), try library.served.id("c/1.mp3"))
        let answer = try await library.ask("getSongAnalysis", "id=tr-\(id)&nextId=tr-\(next)")
        let analysis = try #require(answer["songAnalysis"] as? [String: Any])
        let report = try await library.served.get("/tracks/\(id)/analysis")
        let native = try #require(
            try JSONSerialization.jsonObject(with: Data(report.body)) as? [String: Any])
        func milliseconds(_ object: [String: Any], _ key: String) -> Int? {
            (object[key] as? Double).map { Int(($0 * 1000).rounded()) }
        }
        let cue = try #require(analysis["cue"] as? [String: Any])
        for (key, nativeKey) in [
            ("inMs", "cue_in_seconds"), ("outMs", "cue_out_seconds"), ("startNextMs", "start_next_seconds"),
            ("fadeInEndMs", "fade_in_end_seconds"), ("fadeOutStartMs", "fade_out_start_seconds"),
        ] {
            #expect(cue[key] as? Int != nil && cue[key] as? Int == milliseconds(native, nativeKey), "\(key)")
        }
        let loudness = try #require(analysis["loudness"] as? [String: Any])
        #expect(loudness["integrated"] as? Double == native["integrated_lufs"] as? Double)
        #expect(loudness["truePeak"] as? Double == native["true_peak_dbtp"] as? Double)
        let waveform = try #require(analysis["waveform"] as? [String: Any])
        let file = try await library.served.get("/tracks/\(id)/waveform")
        let data = try #require(try JSONSerialization.jsonObject(with: Data(file.body)) as? [String: Any])
        #expect(waveform["extreme"] as? [Int] == data["data"] as? [Int])
        #expect(waveform["samplesPerPixel"] as? Int == data["samples_per_pixel"] as? Int)
        let plan = try await library.served.get("/crossfade?from=\(id)&to=\(next)")
        let crossfade = try #require(
            try JSONSerialization.jsonObject(with: Data(plan.body)) as? [String: Any])
        let transition = try #require(analysis["transition"] as? [String: Any])
        #expect(transition["kind"] as? String == crossfade["transition"] as? String)
        #expect(transition["startMs"] as? Int == milliseconds(crossfade, "start_seconds"))
        #expect(transition["nextId"] as? String == "tr-\(next)")
        let gain = (crossfade["outgoing"] as? [String: Any])?["gain_db"] as? Double
        #expect(gain != nil && (transition["outgoing"] as? [String: Any])?["gain"] as? Double == gain)
        let alone = try await library.ask("getSongAnalysis", "id=tr-\(id)")["songAnalysis"] as? [String: Any]
        #expect(alone != nil && alone?["transition"] == nil)
        for (query, code) in [("", 10), ("id=tr-999999", 70), ("id=tr-\(id)&nextId=al-1", 70)] {
            #expect(try await library.error("getSongAnalysis", query) == code)
        }
    }

    @Test("The order of songs for mixing is that of the native API")
    func mixOrder() async throws {
        let ids = try ["a/1.mp3", "c/1.mp3", "a/2.mp3"].map { try library.served.id($0) }
        let query = ids.map { "id=tr-\($0)" }.joined(separator: "&")
        let answer = try await library.ask("getMixOrder", "\(query)&energy=falling&keepFirst=true")
        let order = try #require(answer["mixOrder"] as? [String: Any])
        let native = try await library.served.send(
            "POST", "/mix", ["track_ids": ids, "energy": "falling", "keep_first": true])
        let expected = try #require(try native.json("track_ids") as? [Int])
        #expect(order["songId"] as? [String] == expected.map { "tr-\($0)" })
        #expect(expected.first == ids[0] && Set(expected) == Set(ids))
        let steps = try #require(order["step"] as? [[String: Any]])
        #expect(steps.count == 2 && steps[0]["fromId"] as? String == "tr-\(ids[0])")
        #expect((steps[1]["reason"] as? String)?.isEmpty == false)
        for (query, code) in [
            ("", 10), ("id=al-1", 70), ("id=tr-999999", 70), ("id=tr-\(ids[0])&energy=loud", 0),
        ] {
            #expect(try await library.error("getMixOrder", query) == code)
        }
    }
}
