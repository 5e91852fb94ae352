import Foundation
import TestSupport
import Testing

/// URLs with an audio hash, after the file of the track has changed.
@Suite("URLs with an audio hash", .timeLimit(.minutes(30)))
struct AudioAddressTests {
    private func piece(_ seed: UInt64) throws -> [UInt8] {
        try Encoders.lame(PCM.music(frameCount: 8 * 44_100, seed: seed), ["-b", "160"])
    }

    /// Waits until the host has analysed the new file, and returns its segments.
    private func index(
        _ served: ServedLibrary, _ id: Int, isNew: (ServedLibrary.Answer) throws -> Bool
    ) async throws -> ServedLibrary.Answer {
        try await until {
            let answer = try await served.get("/tracks/\(id)/segments.json")
            return try answer.status == 200 && isNew(answer) ? answer : nil
        }
    }

    /// Returns the URLs of the track's audio, from playlists and as built by clients from the hash.
    private func addresses(_ served: ServedLibrary, _ id: Int, _ hash: String) async throws -> [String] {
        var found: [String] = []
        for form in ["", "?form=byteranges", "?trim=silence&normalize=-20", "?quality=low"] {
            let playlist = try await served.get("/tracks/\(id)/stream.m3u8\(form)")
            try #require(playlist.status == 200, "\(form): \(playlist.text)")
            let address = try #require(playlist.text.split(separator: "\n").last { !$0.hasPrefix("#") })
            found.append(
                address.hasPrefix("../../") ? "/" + address.dropFirst(6) : "/tracks/\(id)/\(address)")
        }
        return found
            + ["segments.json", "waveform", "visualizer", "master.m3u8", "stream.m3u8"].map {
                "/tracks/\(id)/\($0)?v=\(hash)"
            } + ["/api/files/\(id)/stream?v=\(hash)"]
    }

    @Test("After a file is replaced, old URLs return 404 and new ones the new audio")
    func replaced() async throws {
        try await ServedLibrary.with([("one.mp3", try piece(1))]) { served in
            let id = try served.id("one.mp3")
            let before = try await index(served, id) { _ in true }
            let hash = try #require(try before.json("audio_hash") as? String)
            let old = try await addresses(served, id, hash)
            for address in old {
                let answer = try await served.get(address)
                #expect(answer.status == 200, "\(address): \(answer.status)")
            }
            try Data(try piece(2)).write(to: URL(filePath: served.file("one.mp3")), options: .atomic)
            let after = try await index(served, id) { try $0.json("audio_hash") as? String != hash }
            for address in old {
                let answer = try await served.get(address)
                #expect(answer.status == 404, "\(address): \(answer.status)")
                #expect(answer.errorCode == "no_such_audio")
                #expect(answer.field("Cache-Control")?.contains("immutable") != true)
            }
            let new = try #require(try after.json("audio_hash") as? String)
            for address in try await addresses(served, id, new) {
                #expect(!address.contains(hash) && address.contains(new), "\(address)")
                #expect(try await served.get(address).status == 200, "\(address)")
            }
        }
    }

    @Test("A longer tag moves the audio: segments are unchanged, old byte ranges return 404")
    func retagged() async throws {
        let bytes = try piece(3)
        try await ServedLibrary.with([("one.mp3", bytes)]) { served in
            let id = try served.id("one.mp3")
            let before = try await index(served, id) { _ in true }
            let hash = try #require(try before.json("audio_hash") as? String)
            let old = try await addresses(served, id, hash)
            let segment = try await served.get(old[0])
            #expect(segment.field("Cache-Control")?.contains("immutable") == true)
            // Prepend an ID3v2 tag with 5,000 bytes of padding.
            let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 39, 8] + [UInt8](repeating: 0, count: 39 << 7 | 8)
            try Data(tag + bytes).write(to: URL(filePath: served.file("one.mp3")), options: .atomic)
            _ = try await index(served, id) {
                try $0.json("file_size_bytes") as? Int == tag.count + bytes.count
            }
            #expect(try await served.get(old[0]).body == segment.body)
            #expect(try await served.get(old[1]).status == 404)
            // A client that has the former index must not keep its offsets.
            let known = try #require(before.field("ETag"))
            let asked = try await served.get(
                "/tracks/\(id)/segments.json", ["-H", "If-None-Match: \(known)"])
            #expect(asked.status == 200 && asked.field("ETag") != known)
            let fresh = try await addresses(served, id, hash)
            #expect(try await served.get(fresh[1]).body == tag + bytes)
        }
    }

    @Test("Only URLs with an audio hash may be cached forever")
    func caching() async throws {
        let served = try await ServedStreams.library.value
        let id = try served.id("cbr.mp3")
        let path = "/tracks/\(id)/segments/0.mp3"
        #expect(try await served.get(path).field("Cache-Control") == "no-cache")
        for wrong in ["", "x", "00000000000000000000000000000000"] {
            #expect(try await served.get("\(path)?v=\(wrong)").status == 404, "\(wrong)")
        }
    }
}
