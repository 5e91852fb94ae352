import Analyzer
import Companion
import Foundation
import MusicShared
import TestSupport
import Testing

@Suite("Changes of the catalogue over HTTP", .timeLimit(.minutes(30)))
struct CatalogueChangesRouteTests {
    private func changes(_ served: ServedLibrary, since revision: String? = nil) async throws
        -> CatalogueChanges
    {
        let query = revision.map { "?since=\($0)" } ?? ""
        let answer = try await served.get("/api/changes\(query)")
        #expect(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(CatalogueChanges.self, from: Data(answer.body))
    }

    private func lists(_ served: ServedLibrary) async throws -> CatalogueMirror {
        func items<Item: Codable & Sendable & Equatable>(_ path: String) async throws -> [Item] {
            let answer = try await served.get("\(path)?limit=500")
            return try JSONDecoder().decode(CataloguePage<Item>.self, from: Data(answer.body)).items
        }
        return CatalogueMirror(
            tracks: try await items("/api/tracks"), albums: try await items("/api/albums"),
            artists: try await items("/api/artists"), revision: try await changes(served).revision)
    }

    @Test(
        "Changes by edits, batch edits, uploads, trash and restore lead to the same lists"
    )
    func companion() async throws {
        func music(_ number: Int) throws -> (String, [UInt8]) {
            let tags = [
                "--id3v2-only", "--ta", "Artist \(number % 2)", "--tl", "Album", "--tt", "Song \(number)",
            ]
            return ("\(number).mp3", try TaggedMusic.bytes(UInt64(number), tags))
        }
        try await ServedLibrary.with(try (1...3).map(music), parts: .profile) { served in
            var known = try await lists(served)
            func step(_ comment: Comment, _ body: () async throws -> Void) async throws {
                let first = known.revision
                try await body()
                // Later analysis changes more; compare only if nothing has changed between the two reads.
                try await until {
                    let told = try await changes(served, since: known.revision)
                    #expect(!told.isReset && !told.hasMore, comment)
                    known.apply(told)
                    let present = try await lists(served)
                    guard present.revision == known.revision else { return false }
                    #expect(known == present && known.counts(as: told.totals), comment)
                    return true
                }
                #expect(known.revision != first, comment)
            }
            try await step("one edit") {
                let answer = try await served.edit([
                    "relative_path": "1.mp3", "title": "Other", "artist": "Third",
                ])
                #expect(answer.status == 200, "\(answer.text)")
            }
            try await step("many edits") {
                let answer = try await served.send(
                    "PATCH", "/batch-edit-metadata",
                    [
                        "relative_paths": ["2.mp3", "3.mp3"],
                        "changes": ["album_artist": "All", "genre": "Jazz"],
                    ])
                #expect(answer.status == 200, "\(answer.text)")
            }
            try await step("an upload") {
                let path = try served.directory.write(music(4).1, as: "sent.mp3")
                let sent = try await served.get(Routes.upload, ["-F", "file=@\(path)"])
                #expect(sent.status < 300, "\(sent.text)")
            }
            let id = try served.id("2.mp3")
            var trashed: TrashItem?
            try await step("the trash") {
                let answer = try await served.get("/tracks/\(id)", ["-X", "DELETE"])
                trashed = try JSONDecoder().decode(TrashItem.self, from: Data(answer.body))
            }
            #expect(known.tracks[id] == nil)
            let item = try #require(trashed)
            try await step("restore") {
                _ = try await served.get("/trash/\(item.trashID)/restore", ["-X", "POST"])
            }
            #expect(known.tracks[id] != nil)
        }
    }

    @Test("The ETag is valid until the catalogue changes; invalid revisions are rejected")
    func conditional() async throws {
        let served = try await ServedStreams.library.value
        let revision = try await changes(served).revision
        let path = "/api/changes?since=\(revision)"
        let tag = try #require(try await served.get(path).field("ETag"))
        #expect(try await served.get(path, ["-H", "If-None-Match: \(tag)"]).status == 304)
        let all = try await changes(served, since: "1-00000000")
        #expect(all.isReset && all.revision == revision && all.totals == nil)
        for (query, field) in [
            ("since=1", "since"), ("since=", "since"), ("limit=501", "limit"), ("limit=0", "limit"),
        ] {
            let answer = try await served.get("/api/changes?\(query)")
            #expect(answer.status == 422 && answer.errorCode == "invalid_parameter", "\(query)")
            #expect(try answer.json("error", "field") as? String == field)
        }
        #expect(try await served.get("/api/changes?offset=1").errorCode == "unknown_parameter")
        #expect(try await served.get("/api/changes", key: "").status == 401)
    }
}
