import Analyzer
import FileSystem
import Foundation
import LibraryStore
import MusicalStructure
import MusicFiles
import Tagging
import TestSupport
import Testing

@testable import Companion

/// Passes over files that cue sheets divide into tracks.
@Suite("Cue sheets in a library", .timeLimit(.minutes(30)))
struct CueSheetPassTests {
    private static let sound = IntegerSound.tones(frameCount: 40 * 44_100 + 123)
    private static let flac = Result { try sound.flac(["-T", "ALBUM=From the file", "-T", "DATE=1999"]) }

    /// Starts in frames of a compact disc.
    private static let starts = [0, 11 * 75 + 33, 25 * 75 + 1]
    private static var ranges: [Range<Int>] {
        let samples = starts.map { $0 * 588 } + [sound.frameCount]
        return zip(samples, samples.dropFirst()).map { $0..<$1 }
    }

    private static func sheet(
        _ starts: [Int] = starts, titles: [String] = ["Ä", "Zwei", "Drei"], file: String = "Album.wav"
    ) -> String {
        "PERFORMER \"Band\"\nTITLE \"Live\"\nREM DATE 2003\nREM GENRE Jazz\nFILE \"\(file)\" WAVE\n"
            + starts.enumerated().map { place, start in
                let (minutes, seconds, frames) = (start / 75 / 60, start / 75 % 60, start % 75)
                return "TRACK \(place + 1) AUDIO\nTITLE \"\(titles[place % titles.count])\"\n"
                    + (place == 1 ? "PERFORMER Guest\nREM REPLAYGAIN_TRACK_GAIN -3.25 dB\n" : "")
                    + "INDEX 01 \(minutes):\(seconds < 10 ? "0" : "")\(seconds):\(frames < 10 ? "0" : "")\(frames)\n"
            }.joined()
    }

    private let directory: TemporaryDirectory
    private let music: MusicFolder
    private let data: DataFolder

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.file("music"), withIntermediateDirectories: true)
        music = try MusicFolder(path: directory.file("music"))
        data = try DataFolder(path: directory.file("data"))
    }

    @discardableResult
    private func pass(_ options: PassOptions = PassOptions()) throws -> PassSummary {
        try LibraryPass(music: music, data: data, options: options).run()
    }

    private func write(_ text: String, as name: String) throws {
        try directory.write(text.utf8, as: "music/\(name)")
    }

    private func track(_ path: String) throws -> AnalysedTrack? {
        try LibraryStore(data).track(path: #require(RelativePath(text: path)))
    }

    /// The paths of the available tracks.
    private func paths() throws -> [String] {
        var paths: [String] = []
        try LibraryStore(data).forEachAvailablePath { paths.append($0.text) }
        return paths.sorted()
    }

    private static let parts = ["Album.flac/01", "Album.flac/02", "Album.flac/03"]

    @Test("Each track of a sheet is measured like a file of its own that flac has cut")
    func measured() throws {
        try directory.write(Self.flac.get(), as: "music/Album.flac")
        try write(Self.sheet(), as: "Album.cue")
        let summary = try pass()
        #expect(summary.fileCount == 1 && summary.analyzedCount == 1 && summary.failedCount == 0)
        #expect(try paths() == Self.parts)
        for (place, range) in Self.ranges.enumerated() {
            let found = try #require(try track(Self.parts[place]))
            let analysis = try #require(found.analysis)
            #expect(analysis.stream.sampleCount == range.count && analysis.stream.bitDepth == 16)
            #expect(analysis.stream.remarks.isEmpty)
            #expect(found.track.part?.startSample == range.lowerBound)
            // The same samples, encoded by flac.
            let cut = directory.file("cut.flac")
            let wave = directory.file("cut.wav")
            try ProcessRun.run(
                "flac",
                [
                    "-d", "-s", "-f", "--skip=\(range.lowerBound)", "--until=\(range.upperBound)", "-o", wave,
                    directory.file("music/Album.flac"),
                ])
            try ProcessRun.run("flac", ["-s", "-f", "-o", cut, wave])
            guard
                case .analyzed(let reference, _) = try TrackAnalyzer().analyze(
                    MappedFile(path: Array(cut.utf8)))
            else {
                Issue.record("not analysed")
                return
            }
            let theirs = try #require(reference.profile)
            let whole = try MappedFile(path: Array(directory.file("music/Album.flac").utf8))
            let part = try FileDescriptor.open(
                directory.file("part.flac"), for: .readAndWrite, [.create, .truncate])
            try PartFile.write(#require(found.track.part), of: whole, to: part)
            guard
                case .analyzed(let own, _) = try TrackAnalyzer().analyze(MappedFile(descriptor: part.number))
            else {
                Issue.record("not analysed")
                return
            }
            let profile = try #require(own.profile)
            #expect(own.audioHash == found.track.audioHash)
            #expect(profile.waveform == theirs.waveform && profile.silence == theirs.silence)
            #expect(profile.fingerprint == theirs.fingerprint)
            let stored = try #require(analysis.profile)
            #expect(stored.loudness.integratedLUFS == theirs.loudness.integratedLUFS)
            #expect(stored.loudness.truePeak == theirs.loudness.truePeak && stored.cue == theirs.cue)
            #expect(stored.key == theirs.key && stored.tempo?.bpm == theirs.tempo?.bpm)
            let spectra = try #require(try SpectrumStore(data).description(of: found.track.audioHash))
            #expect(spectra.frameCount == reference.frames?.frameCount)
        }
        // Nothing is read again.
        let second = try pass()
        #expect(second.unchangedCount == 1 && second.analyzedCount == 0 && second.linkedCount == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: data.path).allSatisfy {
                !$0.contains("temporary")
            })
    }

    @Test("Tracks have the texts of the sheet, and what it does not state from the file")
    func tags() throws {
        try directory.write(Self.flac.get(), as: "music/Album.flac")
        // Windows-1252, as older rippers write.
        try directory.write(
            Self.sheet().unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }, as: "music/anything.cue")
        try pass()
        let tracks = try Self.parts.map { try #require(try track($0)).track }
        #expect(tracks.map(\.tags.title) == ["Ä", "Zwei", "Drei"])
        #expect(tracks.map(\.tags.artist) == ["Band", "Guest", "Band"])
        #expect(tracks.map(\.tags.track) == (1...3).map { NumberInSet(number: $0, total: 3) })
        #expect(tracks.allSatisfy { $0.tags.album == "Live" && $0.tags.albumArtist == "Band" })
        #expect(tracks.allSatisfy { $0.tags.year == 2003 && $0.tags.genre == "Jazz" })
        #expect(tracks.map(\.tags.replayGain.trackGainDB) == [nil, -3.25, nil])
        #expect(Set(tracks.map(\.albumID)).count == 1 && tracks[0].albumID != nil)
        let album = try LibraryStore(data).albumLoudness(id: #require(tracks[0].albumID))
        #expect(album != nil)
    }

    @Test(
        "Sheets within the file divide it: the comment CUESHEET, or the CUESHEET block",
        arguments: [true, false])
    func embedded(isComment: Bool) throws {
        let path = try directory.write(Self.flac.get(), as: "music/Album.flac")
        try directory.write(Self.sheet().utf8, as: "sheet.cue")
        if isComment {
            try ProcessRun.run(
                "metaflac", ["--set-tag-from-file=CUESHEET=\(directory.file("sheet.cue"))", path])
        } else {
            try ProcessRun.run("metaflac", ["--import-cuesheet-from=\(directory.file("sheet.cue"))", path])
        }
        try pass()
        #expect(try paths() == Self.parts)
        let tracks = try Self.parts.map { try #require(try track($0)) }
        #expect(tracks.map { $0.analysis?.stream.sampleCount } == Self.ranges.map(\.count))
        #expect(
            tracks.map(\.track.tags.title)
                == (isComment ? ["Ä", "Zwei", "Drei"] : ["Track 1", "Track 2", "Track 3"]))
        #expect(tracks.allSatisfy { $0.track.tags.album == (isComment ? "Live" : "From the file") })
        // A sheet in the folder goes first.
        try write(Self.sheet([0, 750]), as: "Album.cue")
        try pass()
        #expect(try paths() == Array(Self.parts.prefix(2)))
    }

    @Test(
        "A changed sheet changes its tracks, which keep their ids; a removed one gives back the file as one track"
    )
    func changed() throws {
        try directory.write(Self.flac.get(), as: "music/Album.flac")
        try pass()
        let whole = try #require(try track("Album.flac")).track.id
        #expect(try paths() == ["Album.flac"])

        try write(Self.sheet(), as: "Album.cue")
        try pass()
        #expect(try paths() == Self.parts)
        let ids = try Self.parts.map { try #require(try track($0)).track.id }
        let first = try #require(try track(Self.parts[0])).track.audioHash

        try write(Self.sheet([0, 15 * 75], titles: ["Eins", "Rest"]), as: "Album.cue")
        let summary = try pass()
        #expect(summary.analyzedCount == 1)
        #expect(try paths() == Array(Self.parts.prefix(2)))
        let changed = try Self.parts.prefix(2).map { try #require(try track($0)) }
        #expect(
            changed.map(\.track.id) == Array(ids.prefix(2))
                && changed.map(\.track.tags.title) == ["Eins", "Rest"])
        #expect(
            changed.map { $0.analysis?.stream.sampleCount } == [
                15 * 44_100, Self.sound.frameCount - 15 * 44_100,
            ])
        #expect(changed[0].track.audioHash != first)

        try FileManager.default.removeItem(atPath: directory.file("music/Album.cue"))
        try pass()
        #expect(try paths() == ["Album.flac"] && track("Album.flac")?.track.id == whole)
        // Its analysis was kept, so nothing is decoded.
        #expect(try pass().unchangedCount == 1)

        try write(Self.sheet(), as: "Album.cue")
        try pass()
        #expect(try paths() == Self.parts)
        #expect(try Self.parts.map { try track($0)?.track.id } == ids)
    }

    @Test("Tracks are missing with their file, return with it, and keep their ids when it is moved")
    func moved() throws {
        let folder = try directory.makeFolder(
            "music/a", of: [("Album.flac", Self.flac.get()), ("Album.cue", Array(Self.sheet().utf8))])
        try directory.write(
            Encoders.lame(PCM.music(frameCount: 44_100 * 3), ["-b", "128"]), as: "music/other.mp3")
        try pass()
        let ids = try Self.parts.map { try #require(try track("a/\($0)")).track.id }
        try FileManager.default.moveItem(atPath: folder, toPath: directory.file("music/b"))
        let summary = try pass()
        #expect(summary.linkedCount == 1 && summary.analyzedCount == 0)
        #expect(try Self.parts.map { try track("b/\($0)")?.track.id } == ids)

        try FileManager.default.moveItem(atPath: directory.file("music/b"), toPath: directory.file("away"))
        #expect(try pass().removedCount == 3)
        #expect(try paths() == ["other.mp3"])
        try FileManager.default.moveItem(atPath: directory.file("away"), toPath: directory.file("music/b"))
        #expect(try pass().unchangedCount == 2)
        #expect(try paths() == Self.parts.map { "b/\($0)" } + ["other.mp3"])
    }

    @Test("99 tracks are tracks of the library that follow each other without a gap")
    func manyTracks() throws {
        try directory.write(Self.flac.get(), as: "music/Album.flac")
        try write(Self.sheet((0..<99).map { $0 * 30 }), as: "Album.cue")
        try pass()
        let paths = try paths()
        #expect(paths.count == 99 && paths.first == "Album.flac/01" && paths.last == "Album.flac/99")
        var parts: [UInt8] = []
        for path in paths {
            let found = try #require(try track(path))
            let part = try #require(found.track.part)
            let cut = directory.file("cut.flac")
            try? FileManager.default.removeItem(atPath: cut)
            let output = try FileDescriptor.open(cut, for: .readAndWrite, .create)
            try PartFile.write(
                part, of: MappedFile(path: Array(directory.file("music/Album.flac").utf8)), to: output)
            parts += try ProcessRun.run(
                "flac", ["-d", "-s", "-c", "--force-raw-format", "--endian=little", "--sign=signed", cut]
            ).output
        }
        #expect(parts == Self.sound.bytes)
    }

    @Test(
        "A sheet that does not fit leaves the file as one track, with the reason",
        arguments: [
            (sheet([0, 500, 400]), "overlap"), (sheet([0, 75 * 3600]), "after the end"),
            (sheet([0]), "fewer than two"),
            (
                sheet().replacing(
                    "FILE", with: "FILE other.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nFILE"), "2 files"
            ),
            ("FILE \"Album.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:99:00\n", "line 3"),
        ])
    func unsuitable(text: String, words: String) throws {
        try directory.write(Self.flac.get(), as: "music/Album.flac")
        try write(text, as: "Album.cue")
        try pass()
        #expect(try paths() == ["Album.flac"])
        let division = try LibraryStore(data).division(of: #require(RelativePath(text: "Album.flac")))
        #expect(division?.remark?.contains(words) == true, "\(division?.remark ?? "")")
        #expect(try pass().unchangedCount == 1)
    }

    @Test("A sheet applies to the file that it names, and by its own name only if it names a missing one")
    func names() throws {
        for name in ["Album.flac", "Other.flac"] { try directory.write(Self.flac.get(), as: "music/\(name)") }
        // Names a missing file, and no file has its name.
        try write(Self.sheet(file: "Gone.wav"), as: "Lost.cue")
        try pass()
        #expect(try paths() == ["Album.flac", "Other.flac"])
        // Has the name of one file, but names another one.
        try write(Self.sheet(file: "C:\\Music\\other.FLAC"), as: "Album.cue")
        try pass()
        #expect(try paths() == ["Album.flac", "Other.flac/01", "Other.flac/02", "Other.flac/03"])
        // Names a missing file, but has the name of one.
        try write(Self.sheet(file: "Gone.wav"), as: "Album.cue")
        try pass()
        #expect(try paths() == Self.parts + ["Other.flac"])
    }

    @Test("The tracks of a WAV file are cut from its samples, and those of an MP3 file are left as they are")
    func otherFormats() throws {
        try directory.write(Self.flac.get(), as: "whole.flac")
        try ProcessRun.run(
            "flac", ["-d", "-s", "-o", directory.file("music/Album.wav"), directory.file("whole.flac")])
        try write(Self.sheet(), as: "Album.cue")
        try directory.write(
            Encoders.lame(PCM.music(frameCount: 44_100 * 40), ["-b", "128"]), as: "music/Song.mp3")
        try write(Self.sheet(file: "Song.mp3"), as: "Song.cue")
        try pass()
        #expect(try paths() == ["Album.wav/01", "Album.wav/02", "Album.wav/03", "Song.mp3"])
        let counts = try (1...3).map { try track("Album.wav/0\($0)")?.analysis?.stream.sampleCount }
        #expect(counts == Self.ranges.map(\.count))
        #expect(try pass().unchangedCount == 2)
    }

    @Test("The tracks of a file that becomes unreadable are missing")
    func damaged() throws {
        try directory.write(Self.flac.get(), as: "music/Album.flac")
        try write(Self.sheet(), as: "Album.cue")
        try pass()
        try directory.write(Array("no music".utf8), as: "music/Album.flac")
        try pass()
        #expect(try paths().isEmpty)
        try directory.write(Self.flac.get(), as: "music/Album.flac")
        try pass()
        #expect(try paths() == Self.parts)
    }

    @Test("A folder that is named like a music file, with an entry of two digits, is no track")
    func collision() throws {
        _ = try directory.makeFolder(
            "music/Album.flac", of: [("03", Self.flac.get()), ("real.flac", Self.flac.get())])
        try pass()
        #expect(try paths() == ["Album.flac/real.flac"])
    }

    @Test("Edits, fixes and the trash leave the file of a part alone")
    func guarded() throws {
        let bytes = try Self.flac.get()
        try directory.write(bytes, as: "music/Album.flac")
        try write(Self.sheet(), as: "Album.cue")
        try pass()
        let path = try #require(RelativePath(text: "Album.flac/02"))
        #expect(music.entry(at: path) == nil)
        var edit = TagEdit()
        edit.title = .set("x")
        #expect(throws: TagEditError.self) { try TagEditor(music).apply(edit, to: path) }
        let library = try LibraryStore(data)
        let found = try #require(try library.track(path: path)).track
        let plan = try TagFixPlanner(library: library, music: music, fixes: Set(TagFix.allCases)).plan(found)
        #expect(plan.edit.isEmpty)
        #expect(
            try MeasuredTagPlanner(library: library, options: MeasuredTagOptions()).plan(found).outcome
                == .unchanged)
        #expect(try directory.read("music/Album.flac") == bytes)
    }
}
