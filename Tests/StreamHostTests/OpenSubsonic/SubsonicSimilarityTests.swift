import Foundation
import TestSupport
import Testing

@testable import StreamHost

@Suite("Sonic similarity of the OpenSubsonic API", .timeLimit(.minutes(30)))
struct SubsonicSimilarityTests {
    private let library: SubsonicLibrary

    init() async throws { library = try await SubsonicLibrary.shared.value }

    private func matches(_ endpoint: String, _ query: String) async throws -> [(
        id: String, similarity: Double
    )] {
        let answer = try await library.ask(endpoint, query)
        let matches = try #require(answer["sonicMatch"] as? [[String: Any]], "\(answer)")
        return try matches.map { match in
            let entry = try #require(match["entry"] as? [String: Any])
            return (try #require(entry["id"] as? String), try #require(match["similarity"] as? Double))
        }
    }

    @Test("The extension is announced")
    func announced() async throws {
        let answer = try await library.ask("getOpenSubsonicExtensions", credentials: "")
        let extensions = try #require(answer["openSubsonicExtensions"] as? [[String: Any]])
        let found = extensions.first { $0["name"] as? String == "sonicSimilarity" }
        #expect(found?["versions"] as? [Int] == [1])
    }

    @Test("Similar songs are listed with their similarity, the most similar first, without the song itself")
    func similar() async throws {
        let id = try library.id("a/1.mp3")
        let found = try await matches("getSonicSimilarTracks", "id=\(id)")
        #expect(found.count == 5 && Set(found.map(\.id)).count == 5 && !found.map(\.id).contains(id))
        #expect(found.allSatisfy { (0...1).contains($0.similarity) })
        #expect(zip(found, found.dropFirst()).allSatisfy { $0.similarity >= $1.similarity })
        #expect(
            try await matches("getSonicSimilarTracks", "id=\(id)&count=2").map(\.id)
                == Array(found.map(\.id).prefix(2)))
        // Both older endpoints list the same songs.
        let songs = try await library.list("getSimilarSongs2", "id=\(id)&count=3", "similarSongs2", "song")
        #expect(songs.texts("id") == Array(found.map(\.id).prefix(3)))
        let older = try await library.list("getSimilarSongs", "id=\(id)&count=3", "similarSongs", "song")
        #expect(older.texts("id") == songs.texts("id"))
    }

    @Test("A path contains both songs as its ends")
    func path() async throws {
        let (start, end) = (try library.id("a/1.mp3"), try library.id("c/3.mp3"))
        let found = try await matches("findSonicPath", "startSongId=\(start)&endSongId=\(end)&count=4")
        #expect(found.count == 4 && found.first?.id == start && found.last?.id == end)
        #expect(found.first?.similarity == 1)
        #expect(
            try await matches("findSonicPath", "startSongId=\(start)&endSongId=\(start)").map(\.id) == [start]
        )
    }

    @Test("Missing and unknown songs are errors 10 and 70")
    func errors() async throws {
        let id = try library.id("a/1.mp3")
        #expect(try await library.error("getSonicSimilarTracks") == 10)
        #expect(try await library.error("getSonicSimilarTracks", "id=tr-999") == 70)
        #expect(try await library.error("findSonicPath", "startSongId=\(id)") == 10)
        #expect(try await library.error("findSonicPath", "startSongId=\(id)&endSongId=tr-999") == 70)
    }
}
