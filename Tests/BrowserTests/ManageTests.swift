import Foundation
import TestSupport
import Testing

/// The management views in a real browser with a real host.
@Suite("Management views", .timeLimit(.minutes(30)))
struct ManageTests {
    private static let page = Task {
        try await CheckedPage.run("manage-checks.js", files: try await aside { try files() })
    }

    private let page: CheckedPage

    init() async throws { page = try await Self.page.value }

    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        func music(_ seed: UInt64, _ options: [String]) throws -> [UInt8] {
            try Encoders.lame(PCM.music(frameCount: 66_150, seed: seed), ["-b", "128"] + options)
        }
        // More than two parts of an upload.
        let samples = (0..<115 * 44_100).map { Int16(sin(Double($0) * 0.05) * 9000) }
        let large = PCM(sampleRate: 44_100, channelCount: 1, samples: samples)
        return [
            ("one.mp3", try music(1, ["--tt", "One", "--ta", "First", "--tl", "Album"])),
            ("two.mp3", try music(2, ["--tt", "Two", "--ta", "Second", "--tl", "Album"])),
            ("spaced.mp3", try music(3, ["--tt", " Spaced out  ", "--ta", "Third"])),
            ("padded.mp3", try music(6, ["--tt", "Padded   ", "--ta", "Fourth"])),
            ("mix/1.mp3", try music(7, ["--tn", "1", "--tt", "Uno", "--ta", "Ann", "--tl", "Mix"])),
            ("mix/2.mp3", try music(8, ["--tn", "2", "--tt", "Dos", "--ta", "Bob", "--tl", "Mix"])),
            ("mix/3.mp3", try music(9, ["--tn", "3", "--tt", "Tres", "--ta", "Cara", "--tl", "Mix"])),
            ("bin.mp3", try music(4, ["--tt", "Bin"])),
            (
                "low.mp3",
                try Encoders.lame(
                    PCM.music(frameCount: 529_200, seed: 5),
                    ["-b", "96", "--resample", "44.1", "--tt", "Twice"])
            ),
            (
                "high.mp3",
                try Encoders.lame(PCM.music(frameCount: 529_200, seed: 5), ["-b", "192", "--tt", "Twice"])
            ),
            ("large.mp3", try Encoders.lame(large, ["-b", "320", "--tt", "Large", "--ta", "Tone"])),
            ("broken.mp3", Array("This is a text, and not music at all.\n".utf8)),
        ]
    }

    @Test("The status panel shows counts and hides the key, and tabs respond to arrow keys")
    func status() throws {
        let seen = try page.of("status")
        #expect(seen["tracks"] == 0)
        #expect([seen["isHidden"], seen["isShown"], seen["moved"], seen["nobody"]] == [1, 1, 1, 1])
    }

    @Test("Tags of one or several tracks are saved, only edited fields, and never over other changes")
    func tags() throws {
        let seen = try page.of("tags")
        #expect([seen["mixed"], seen["offered"], seen["hasTitle"], seen["refusesYear"]] == [1, 2, 0, 1])
        #expect(seen["genres"] == 2)
        #expect([seen["artistsKept"], seen["renamed"], seen["theirs"]] == [1, 1, 1])
        let form = try page.of("changes")
        #expect(form["nothing"] == 0)
        #expect([form["title"], form["yearRemoved"], form["genreRemoved"], form["wrong"]] == [1, 1, 1, 1])
    }

    @Test("Edits are undone one after the other, and never over later changes")
    func undo() throws {
        let seen = try page.of("tags")
        #expect([seen["named"], seen["restored0"], seen["restored1"]] == [1, 1, 2])
        #expect([seen["isBack"], seen["edits"]] == [1, 2])
        #expect([seen["failed"], seen["untouched"], seen["reason"], seen["isForgotten"]] == [1, 1, 1, 1])
    }

    @Test("Files in the trash are restored, or deleted after confirmation")
    func trash() throws {
        let seen = try page.of("trash")
        #expect([seen["back"], seen["asked"]] == [1, 1])
    }

    @Test("Duplicates are listed, and the chosen ones go to the trash after confirmation")
    func duplicates() throws {
        let seen = try page.of("duplicates")
        #expect(
            [seen["groups"], seen["keepsBest"], seen["swapped"], seen["asked"], seen["isMoved"]] == [
                1, 1, 1, 1, 1,
            ])
    }

    @Test("Uploads report the result of each file and resume after a lost connection")
    func uploads() throws {
        let seen = try page.of("uploads")
        #expect([seen["isOver"], seen["duplicate"], seen["refused"], seen["leftOut"]] == [1, 1, 1, 1])
        #expect(seen["flac"] == 1)
        #expect((seen["size"] ?? 0) > 4_300_000)
        #expect(seen["isDone"] == 1)
        #expect(seen["paused"] == 1)
        // Three parts, one of which was sent twice; the stored file equals the sent one.
        #expect(seen["puts"] == 4)
        #expect((seen["steps"] ?? 0) >= 4)
        #expect(seen["differing"] == 0)
        #expect(seen["cancelled"] == 1)
    }

    @Test("Fixes are previewed, applied to the chosen rows after confirmation, and undone")
    func fixes() throws {
        let seen = try page.of("fixes")
        #expect([seen["rows"], seen["isVisible"], seen["isNothing"], seen["isOne"]] == [1, 1, 1, 1])
        #expect([seen["kept"], seen["isTrimmed"], seen["isLeft"]] == [1, 1, 1])
        #expect([seen["isUnited"], seen["isUndone"]] == [1, 1])
    }

    @Test("Fixes are described in words, with visible spaces")
    func fixTexts() throws {
        let seen = try page.of("fixTexts")
        #expect([seen["visible"], seen["compilation"], seen["artist"]] == [1, 1, 1])
    }

    @Test("A job's progress is shown live until it ends, and failures show a reason")
    func analysis() throws {
        let seen = try page.of("analysis")
        #expect([seen["isDone"], seen["live"], seen["reason"]] == [1, 1, 1])
    }
}
