import Foundation
import LibraryStore
import TestSupport
import Testing

@Suite("Duplicates over HTTP", .timeLimit(.minutes(30)))
struct DuplicateRouteTests {
    /// Three encodings of one recording, two of another, and a piece that is there once.
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let (first, second) = (
            PCM.music(frameCount: 44_100 * 12, seed: 70), PCM.music(frameCount: 44_100 * 12, seed: 71)
        )
        return [
            ("a/low.mp3", try Encoders.lame(first, ["-b", "96", "--resample", "44.1", "--tt", "Piece"])),
            ("a/high.mp3", try Encoders.lame(first, ["-b", "192", "--tt", "Piece"])),
            ("a/middle.mp3", try Encoders.lame(first, ["-b", "128"])),
            ("b/one.mp3", try Encoders.lame(second, ["-b", "128"])),
            ("b/two.mp3", try Encoders.lame(second, ["-b", "160"])),
            ("single.mp3", try Encoders.lame(PCM.music(frameCount: 44_100 * 12, seed: 72), ["-b", "128"])),
        ]
    }

    private func id(_ served: ServedLibrary, _ name: String) throws -> Int {
        let path = try #require(RelativePath(text: name))
        return try #require(try served.library.track(path: path)).track.id
    }

    private func names(_ group: [String: Any]) -> [String] {
        let files = [group["best"] as? [String: Any] ?? [:]] + (group["copies"] as? [[String: Any]] ?? [])
        return files.map { $0["relative_path"] as? String ?? "" }
    }

    private func exists(_ served: ServedLibrary, _ name: String) -> Bool {
        FileManager.default.fileExists(atPath: served.file(name))
    }

    @Test("Groups are listed; a removal is a dry run at first, and moves the chosen files")
    func removal() async throws {
        try await ServedLibrary.with(try Self.files()) { served in
            let page = try await served.get("/duplicates")
            let items = try #require(try page.json("items") as? [[String: Any]])
            #expect(
                items.map(names).sorted { $0.count > $1.count } == [
                    ["a/high.mp3", "a/middle.mp3", "a/low.mp3"], ["b/two.mp3", "b/one.mp3"],
                ])
            #expect(try page.json("total") as? Int == 2 && page.json("copy_count") as? Int == 3)
            let bytes = try ["a/middle.mp3", "a/low.mp3", "b/one.mp3"].map { try served.bytes($0).count }
            #expect(try page.json("copy_bytes") as? Int == bytes.reduce(0, +))
            let second = try await served.get("/duplicates?limit=1&offset=1")
            #expect(try (second.json("items") as? [[String: Any]])?.map(names) == [names(items[1])])

            // Not the best is kept.
            let (low, middle, high) = (
                try id(served, "a/low.mp3"), try id(served, "a/middle.mp3"), try id(served, "a/high.mp3")
            )
            _ = try await served.send("PATCH", "/listening/tracks/\(high)", ["is_starred": true])
            let choice: [String: Any] = ["groups": [["kept_id": middle, "removed_ids": [low, high]]]]
            let shown = try await served.send("POST", "/duplicates/removal", choice)
            #expect(try shown.json("dry_run") as? Bool == true && shown.json("changed_count") as? Int == 2)
            #expect(exists(served, "a/low.mp3") && exists(served, "a/high.mp3"))
            let done = try await served.send(
                "POST", "/duplicates/removal", choice.merging(["dry_run": false]) { $1 })
            #expect(try done.json("changed_count") as? Int == 2, "\(done.text)")
            #expect(!exists(served, "a/low.mp3") && !exists(served, "a/high.mp3"))
            #expect(exists(served, "a/middle.mp3"))
            let kept = try await served.get("/listening/tracks/\(middle)")
            #expect(try kept.json("is_starred") as? Bool == true, "\(kept.text)")
            #expect(try await served.get("/duplicates").json("total") as? Int == 1)

            let rest = try await served.send(
                "POST", "/duplicates/removal", ["all": true, "dry_run": false])
            #expect(try rest.results().keys.sorted() == ["b/one.mp3"])
            #expect(!exists(served, "b/one.mp3") && exists(served, "b/two.mp3"))
            #expect(try await served.get("/duplicates").json("total") as? Int == 0)
        }
    }

    @Test("Other files, missing and changed ones are not removed")
    func refusals() async throws {
        try await ServedLibrary.with(try Self.files()) { served in
            func code(_ content: [String: Any]) async throws -> String? {
                let answer = try await served.send(
                    "POST", "/duplicates/removal", content.merging(["dry_run": false]) { $1 })
                guard answer.status == 200 else { return answer.errorCode }
                let result = (try answer.json("results") as? [[String: Any]])?.first
                return (result?["error"] as? [String: Any])?["code"] as? String
            }
            func choice(_ kept: String, _ removed: String...) throws -> [String: Any] {
                [
                    "kept_id": try id(served, kept),
                    "removed_ids": try removed.map { try id(served, $0) },
                ]
            }
            #expect(try await code([:]) == "nothing_selected")
            #expect(try await code(["groups": [choice("a/high.mp3")]]) == "nothing_selected")
            let groups = try [choice("a/high.mp3", "a/low.mp3")]
            #expect(try await code(["groups": groups, "all": true]) == "unclear_files")
            for invalid in [["kept_id": 1, "removed_ids": [0]], ["kept_id": -1, "removed_ids": [1]]] as [Any]
            {
                #expect(try await code(["groups": [invalid]]) == "invalid_field")
            }
            for wrong in [
                [try choice("a/high.mp3", "single.mp3")], [try choice("a/high.mp3", "b/one.mp3")],
                [try choice("a/high.mp3", "a/high.mp3")],
                // Each would remove what the other keeps.
                [try choice("a/high.mp3", "a/low.mp3"), try choice("a/low.mp3", "a/high.mp3")],
            ] {
                #expect(try await code(["groups": wrong]) == "not_duplicates")
            }
            // The file to keep has gone, or the one to remove is another now.
            let best = served.file("a/high.mp3")
            try FileManager.default.moveItem(atPath: best, toPath: best + ".away")
            #expect(try await code(["groups": groups]) == "file_missing")
            try FileManager.default.moveItem(atPath: best + ".away", toPath: best)
            let new = try served.bytes("single.mp3")
            try new.write(to: URL(filePath: served.file("a/low.mp3")))
            #expect(try await code(["groups": groups]) == "changed_meanwhile")
            for (name, _) in try Self.files() { #expect(exists(served, name), "\(name)") }
        }
    }
}
