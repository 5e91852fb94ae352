import Analyzer
import Companion
import Foundation
import TestSupport

extension ServedLibrary {
    /// Sends JSON with curl.
    func send(
        _ method: String, _ path: String, _ content: Any, _ options: [String] = []
    ) async throws -> Answer {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            [UInt8](try JSONSerialization.data(withJSONObject: content)), as: "content.json")
        return try await get(
            path,
            ["-X", method, "-H", "Content-Type: application/json", "--data-binary", "@\(file)"] + options)
    }

    /// Edits tags.
    func edit(_ content: [String: Any], _ options: [String] = []) async throws -> Answer {
        try await send("PATCH", "/edit-metadata", content, options)
    }

    /// Returns the audio of a file as extracted by ffmpeg.
    func audio(_ name: String) async throws -> String {
        try await ProcessRun.aside(
            "ffmpeg", ["-v", "error", "-i", file(name), "-map", "0:a", "-c", "copy", "-f", "md5", "-"]
        ).text
    }

    /// Returns a file's tags as read by ffprobe.
    func ffprobe(_ name: String) async throws -> [String: String] {
        let run = try await ProcessRun.aside(
            "ffprobe", ["-v", "error", "-show_format", "-of", "json", file(name)])
        let object = try JSONSerialization.jsonObject(with: run.output) as? [String: [String: Any]]
        return object?["format"]?["tags"] as? [String: String] ?? [:]
    }

    /// Runs another scan of the folder, for profiles only.
    func pass() async throws -> PassSummary {
        var options = PassOptions()
        options.parts = .profile
        let chosen = options
        return try await aside { [music, data] in
            try LibraryPass(music: music, data: data, options: chosen).run()
        }
    }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: file(name))) }
}

extension ServedLibrary.Answer {
    /// Returns the results of a batch, keyed by path.
    func results() throws -> [String: [String: Any]] {
        let list = try json("results") as? [[String: Any]] ?? []
        return Dictionary(
            list.map { ($0["relative_path"] as? String ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }

    var errorCode: String? { try? json("error", "code") as? String }
}

/// A few seconds of audio with tags.
enum TaggedMusic {
    static func bytes(_ seed: UInt64, _ options: [String] = [], seconds: Int = 3) throws -> [UInt8] {
        try Encoders.lame(PCM.music(frameCount: seconds * 44_100, seed: seed), ["-b", "64"] + options)
    }

    /// ID3v2.3 frames that edits must preserve: an object, private data, a chapter, lyrics, an unknown frame.
    static let foreignFrames: [(id: String, content: [UInt8])] = [
        ("GEOB", [0] + Array("text/plain\0name\0what\0".utf8) + [1, 2, 3, 0xFF, 0xE0, 0]),
        ("PRIV", Array("me@example.org\0".utf8) + [0xFF, 0xFB, 0, 1]),
        (
            "CHAP",
            Array("one\0".utf8) + [0, 0, 0, 0, 0, 0, 3, 0xE8, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        ),
        ("USLT", [0] + Array("engwords\0la la".utf8)), ("XQZ9", [UInt8](0...99)),
        ("TXXX", [0] + Array("mood\0blue".utf8)),
    ]

    static func foreignTag(_ texts: [(String, String)] = []) -> [UInt8] {
        func frame(_ id: String, _ content: [UInt8]) -> [UInt8] {
            Array(id.utf8) + [0, 0, UInt8(content.count >> 8), UInt8(content.count & 255), 0, 0] + content
        }
        let body =
            texts.flatMap { frame($0, [0] + Array($1.unicodeScalars.map { UInt8($0.value) })) }
            + foreignFrames.flatMap { frame($0.id, $0.content) }
        return Array("ID3".utf8) + [3, 0, 0, 0, 0, UInt8(body.count >> 7), UInt8(body.count & 127)] + body
    }
}
