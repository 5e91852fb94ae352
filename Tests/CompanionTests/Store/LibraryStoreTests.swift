import Analyzer
import Companion
import Foundation
import LibraryStore
import SQLiteDatabase
import Tagging
import Testing
import TestSupport

@Suite struct LibraryStoreTests {
    private let data: TemporaryData
    private let library: LibraryStore
    private let now = Date(timeIntervalSince1970: 1_700_000_000.125)

    init() throws {
        data = try TemporaryData()
        library = try LibraryStore(data.folder)
    }

    @Test("All fields of a track are read back as stored")
    func everythingComesBack() throws {
        var tags = Sample.tags("Títle", artist: "A; B", album: "Älbum", albumArtist: "Group")
        tags.track = NumberInSet(number: 3, total: 12)
        tags.disc = NumberInSet(number: 1, total: 2)
        tags.year = 1987
        tags.genre = "Jazz"
        tags.composer = "C"
        tags.comment = "line\nline"
        tags.isCompilation = true
        tags.hasCover = true
        tags.musicBrainzAlbumID = "id"
        tags.replayGain = ReplayGainTags(trackGainDB: -7.5, trackPeak: 0.9, albumGainDB: -6.5, albumPeak: 1.1)
        tags.mixRamp = MixRampTags(start: "s", end: "e", reference: "89")
        tags.isrc = "USSM18300073"
        tags.musicBrainzTrackID = "recording"
        tags.titleSort = "Title, The"
        tags.mood = "calm; slow"
        tags.advisory = 2
        tags.lyricist = "L"
        tags.conductor = "K"
        tags.remixer = "R"
        tags.kinds = [.id3v2, .id3v1]
        let record = try Sample.record(
            "Group/x.mp3", size: 5_000_000_000, modified: 1_700_000_000_123_456_789, tags: tags,
            analysis: Sample.analysis())
        let id = try library.record([record], now: now, isPresent: Sample.present)[0]

        let stored = try #require(try library.track(id: id))
        #expect(stored.track.path == record.path)
        #expect(stored.track.file == record.file)
        #expect(stored.track.audioHash == record.audioHash)
        #expect(stored.track.tags == tags)
        #expect(stored.track.addedAt == now && stored.track.changedAt == now)
        #expect(stored.track.unavailableSince == nil)
        #expect(stored.track.artistID != nil && stored.track.albumID != nil)
        #expect(stored.analysis == record.analysis)
        #expect(try library.track(path: record.path) == stored)
        #expect(try library.analysis(of: record.audioHash) == record.analysis)
        #expect(try library.track(id: id + 1) == nil)
        #expect(try library.analysis(of: Sample.hash(99)) == nil)
    }

    @Test("All optional fields may be missing")
    func everythingThatMayBeMissing() throws {
        var profile = Sample.profile()
        profile.tempo = nil
        profile.key = nil
        profile.cue.innerSilence = nil
        profile.cue.startRamp = []
        profile.loudness.integratedLUFS = nil
        profile.loudness.maxMomentaryLUFS = nil
        profile.loudness.maxShortTermLUFS = nil
        profile.loudness.samplePeak = 0
        profile.loudness.truePeak = 0
        profile.loudness.gatingBlocks = EnergyHistogram()
        profile.silence.isSilent = true
        var analysis = Sample.analysis(profile: profile)
        analysis.stream.remarks = []
        let record = try Sample.record("x.mp3", tags: TrackTags(), analysis: analysis)
        let id = try library.record([record], isPresent: Sample.present)[0]
        let stored = try #require(try library.track(id: id))
        #expect(stored.track.tags == TrackTags() && stored.analysis == analysis)
        #expect(stored.track.albumID == nil && stored.track.artistID == nil)
    }

    @Test("Columns contain the values that their names say")
    func theColumnsSayWhatTheyAreNamed() throws {
        try library.record(
            [Sample.record("x.mp3", analysis: Sample.analysis())], isPresent: Sample.present)
        let columns = [
            "integrated_lufs": "-9.87", "loudness_range_lu": "6.54", "max_momentary_lufs": "-5.01",
            "max_short_term_lufs": "-6.02", "silence_start_seconds": "0.12", "silence_end_seconds": "237.5",
            "cue_in_seconds": "0.13", "cue_out_seconds": "237.1", "start_next_seconds": "231.75",
            "fade_in_end_seconds": "0.5", "fade_out_start_seconds": "229.25", "ending": "long_tail",
            "bpm": "127.97", "bpm_confidence": "0.64", "beat_confidence": "0.42", "beats_per_bar": "3",
            "first_downbeat": "2", "bar_confidence": "0.37", "key_tonic": "9",
            "key_mode": "minor",
            "encoder_delay_samples": "576", "encoder_padding_samples": "1105", "frame_count": "9187",
            "sample_rate_hz": "44100", "channels": "2", "duration_seconds": "239.9488217",
            "round(sample_peak_dbfs, 4)": "-0.1137", "round(true_peak_dbtp, 4)": "0.1975",
            "round(plr_db, 4)": "10.0675",
            "end_ramp": "-24.0 0.3333333333333333", "hex(audio_hash)": "0100000000000000ABABABABABABABAB",
        ]
        for (column, expected) in columns {
            let shown = try sqlite3Tool(data.folder.libraryDatabase, "SELECT \(column) FROM analyses").output
            #expect(shown == expected + "\n", "\(column)")
        }
    }

    @Test("Retagging keeps the id and the analysis")
    func retaggingKeepsIdAndAnalysis() throws {
        let first = try Sample.record(
            "x.mp3", size: 10, tags: Sample.tags("old"), analysis: Sample.analysis())
        let id = try library.record([first], now: now, isPresent: Sample.present)[0]
        let later = now.addingTimeInterval(60)
        let second = try Sample.record("x.mp3", size: 11, tags: Sample.tags("new"))
        #expect(try library.record([second], now: later, isPresent: Sample.present) == [id])
        let stored = try #require(try library.track(id: id))
        #expect(stored.track.tags.title == "new" && stored.analysis == first.analysis)
        #expect(stored.track.addedAt == now && stored.track.changedAt == later)
        // The same record again changes nothing, not even the time.
        try library.record([second], now: later.addingTimeInterval(60), isPresent: Sample.present)
        #expect(try library.track(id: id) == stored)
    }

    @Test("A moved file keeps its id")
    func aMovedFileKeepsItsId() throws {
        let id = try library.record([Sample.record("a/x.mp3")], isPresent: Sample.present)[0]
        let moved = try Sample.record("b/y.mp3")
        let gone = try Sample.path("a/x.mp3")
        #expect(try library.record([moved], isPresent: { $0 != gone }) == [id])
        #expect(try library.track(id: id)?.track.path == moved.path)
        #expect(try library.track(path: gone) == nil)
        #expect(try library.trackCount() == 1)
    }

    @Test("Of several missing files, the one with the same size has moved")
    func ofSeveralGoneFilesTheOneOfTheSameSizeMoved() throws {
        let ids = try library.record(
            [Sample.record("a.mp3", size: 1), Sample.record("b.mp3", size: 2)], isPresent: Sample.present)
        let moved = try library.record([Sample.record("c.mp3", size: 2)], isPresent: Sample.absent)
        #expect(moved == [ids[1]])
        // Moved and retagged at the same time: another size, the same audio.
        let retagged = try library.record(
            [Sample.record("d.mp3", size: 3)], isPresent: { $0.text == "c.mp3" })
        #expect(retagged == [ids[0]])
    }

    @Test("A copy is a separate track that shares the analysis")
    func aCopyIsATrackOfItsOwnAndSharesTheAnalysis() throws {
        let original = try Sample.record("a.mp3", analysis: Sample.analysis())
        let ids = try library.record([original, Sample.record("b.mp3")], isPresent: Sample.present)
        #expect(Set(ids).count == 2)
        #expect(try library.track(id: ids[1])?.analysis == original.analysis)
        #expect(try sqlite3Tool(data.folder.libraryDatabase, "SELECT count(*) FROM analyses").output == "1\n")
    }

    @Test("Ids are never reused")
    func idsAreNeverUsedAgain() throws {
        let id = try library.record([Sample.record("a.mp3")], now: now, isPresent: Sample.present)[0]
        try library.markUnavailable(now: now, unless: Sample.absent)
        #expect(
            try library.prune(goneBefore: now.addingTimeInterval(1), frames: SpectrumStore(data.folder))
                .tracks
                .count == 1)
        let next = try library.record([Sample.record("b.mp3", hash: 2)], isPresent: Sample.present)[0]
        #expect(next > id)
    }

    @Test("Paths that are not UTF-8 are stored exactly")
    func pathsThatAreNotUTF8() throws {
        let names: [[UInt8]] = [
            [0x61, 0xFF, 0x2E, 0x6D], [0x61, 0xFE, 0x2E, 0x6D], Array("a\u{FFFD}FF.m".utf8),
        ]
        let paths = try names.map { try #require(RelativePath(bytes: $0)) }
        let records = try paths.enumerated().map { index, path in
            var record = try Sample.record("x", hash: index)
            record.path = path
            return record
        }
        let ids = try library.record(records, isPresent: Sample.present)
        #expect(Set(ids).count == 3)
        for (id, path) in zip(ids, paths) {
            #expect(try library.track(id: id)?.track.path.bytes == path.bytes)
            #expect(try library.track(path: path)?.track.id == id)
        }
        let stored = try sqlite3Tool(
            data.folder.libraryDatabase, "SELECT hex(path_bytes) FROM tracks ORDER BY id"
        ).output
        #expect(stored == "61FF2E6D\n61FE2E6D\n61EFBFBD46462E6D\n")
        try library.recordFailure(path: paths[0], file: records[0].file, errorCode: "e", message: "m")
        #expect(try library.failures().map(\.path) == [paths[0]])
    }

    @Test("A pass for spectra keeps the profile")
    func aPassForFramesLeavesTheProfile() throws {
        let full = Sample.analysis()
        try library.save(full)
        try library.save(Sample.analysis(profile: nil))
        #expect(try library.analysis(of: full.audioHash) == full)
        // The other way round: a profile is added to a stream without one.
        try library.save(Sample.analysis(2, profile: nil))
        #expect(try library.analysis(of: Sample.hash(2))?.profile == nil)
        #expect(try !library.hasCurrentProfile(of: Sample.hash(2)))
        try library.save(Sample.analysis(2))
        #expect(try library.analysis(of: Sample.hash(2)) == Sample.analysis(2))
        #expect(try library.hasCurrentProfile(of: Sample.hash(2)))
    }

    @Test("A batch is stored completely or not at all")
    func aBatchIsStoredWhollyOrNotAtAll() throws {
        // A trigger makes the batch fail half-way.
        _ = try sqlite3Tool(
            data.folder.libraryDatabase,
            """
            CREATE TRIGGER stop BEFORE INSERT ON tracks WHEN new.relative_path = 'b.mp3'
            BEGIN SELECT raise(ABORT, 'stopped'); END
            """
        ).output
        let batch = [
            try Sample.record("a.mp3", analysis: Sample.analysis()),
            try Sample.record("b.mp3", hash: 2, analysis: Sample.analysis(2)),
        ]
        #expect(throws: DatabaseError.self) { try library.record(batch, isPresent: Sample.present) }
        #expect(try library.trackCount() == 0)
        #expect(try library.analysis(of: Sample.hash(1)) == nil)
        #expect(try library.tracks(matching: "title").isEmpty)
    }

    @Test("Damaged rows are errors")
    func damagedRowsAreErrors() throws {
        let id = try library.record(
            [Sample.record("x.mp3", analysis: Sample.analysis())], isPresent: Sample.present)[0]
        for damage in [
            "UPDATE analysis_details SET gating_blocks = x'0102'",
            "UPDATE analysis_details SET beats = x'07'",
            "UPDATE analyses SET ending = 'never'",
        ] {
            _ = try sqlite3Tool(data.folder.libraryDatabase, damage).output
            let error = #expect(throws: StoreError.self) { try library.track(id: id) }
            #expect(error?.code == .damagedRow)
            try library.save(Sample.analysis())
            #expect(try library.track(id: id)?.analysis == Sample.analysis())
        }
    }

    @Test("Iteration is sorted by path and skips missing tracks")
    func iterationIsInOrderAndLeavesOutWhatIsGone() throws {
        try library.record(
            [
                Sample.record("b.mp3", hash: 2, analysis: Sample.analysis(2)), Sample.record("a.mp3"),
                Sample.record("c.mp3", hash: 3),
            ], isPresent: Sample.present)
        try library.markUnavailable { $0.text != "c.mp3" }
        var seen: [String] = []
        try library.forEachTrack { found in
            seen.append(found.track.path.text)
            #expect((found.analysis != nil) == (found.track.path.text == "b.mp3"))
            // Other calls work during the iteration, even writes.
            #expect(try library.track(id: found.track.id) != nil)
            try library.markAvailable([found.track.id])
        }
        #expect(seen == ["a.mp3", "b.mp3"])
    }
}
