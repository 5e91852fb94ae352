import Foundation
import TestSupport
import Testing

/// Files that change while they are being read.
@Suite("Changing files", .serialized)
struct ChangingFilesTests {
    /// Long enough to be caught while it is being read.
    private static let long = Result { try MadeMusic.long(megabytes: 24) }

    private enum Change: String, CaseIterable {
        case cut, grown, gone, replaced
    }

    @Test(
        "A file that is truncated, grows or vanishes while being read affects no other file",
        arguments: Change.allCases)
    private func change(_ change: Change) throws {
        let rounds = change == .cut ? 12 : 3
        var random = SeededGenerator(seed: 42)
        let fixture = try MusicFixture(pieces: 0..<2)
        let long = try Self.long.get()
        var caught = 0
        for round in 0..<rounds {
            try fixture.add(long, as: "long.mp3")
            let program = try fixture.start("--jobs", "1", "--force", "--json")
            // The largest file is read first, for at least a second from scanning its headers to decoding.
            _ = program.waits(20) { program.errors.contains("to analyse") }
            usleep(UInt32.random(in: 0..<400_000, using: &random))
            try apply(change, round: round, to: fixture.file("long.mp3"))
            let run = try program.wait()
            #expect(run.status == 0 || run.status == 1, "\(run.status): \(run.errors.suffix(300))")
            let lines = try TrackLine.byPath(run)
            for path in ["0.mp3", "1.mp3"] { #expect(lines[path]?.error == nil && lines[path] != nil) }
            if let error = lines["long.mp3"]?.error {
                let code = error["code"] as? String
                if code == "file_changed" { caught += 1 }
                // Truncated before its turn, on a busy machine, it is just an empty file.
                #expect(code == "file_changed" || change == .cut && code == "empty", "\(error)")
            }
        }
        // A file that was deleted or replaced can still be read unchanged: that is not a failure.
        if change == .cut || change == .grown { #expect(caught >= 1, "no change hit the reading") }

        // The next pass processes files that were only partly read.
        let last = try fixture.pass("--json")
        #expect(last.status == 0, "\(last.errors)")
        #expect(try fixture.databases.incomplete().isEmpty)
        try fixture.databases.expectIntact()
        let hash = try fixture.tracks()["long.mp3"]?.audioHash
        #expect((hash == nil) == (change == .gone))
    }

    private func apply(_ change: Change, round: Int, to path: String) throws {
        switch change {
        case .cut:
            // To nothing, to half a page, to the middle.
            truncate(path, [0, 2_000, 5 << 20][round % 3])
        case .grown:
            let file = try #require(FileHandle(forWritingAtPath: path))
            try file.seekToEnd()
            try file.write(contentsOf: Data(MadeMusic.pieces[3]))
            try file.close()
        case .gone:
            try FileManager.default.removeItem(atPath: path)
        case .replaced:
            try Data(MadeMusic.pieces[4]).write(to: URL(filePath: path + ".part"))
            #expect(rename(path + ".part", path) == 0)
        }
    }

    @Test("A file that vanishes between the scan and its turn is reported, but is not a failure")
    func vanished() throws {
        let fixture = try MusicFixture(pieces: 0..<1)
        try fixture.add(try Self.long.get(), as: "a.mp3")
        let program = try fixture.start("--jobs", "1")
        #expect(program.waits(20) { program.errors.contains("to analyse") })
        try fixture.remove("0.mp3")
        let run = try program.wait()
        #expect(run.status == 0)
        #expect(run.errors.contains("vanished  0.mp3"), "\(run.errors)")
    }
}
