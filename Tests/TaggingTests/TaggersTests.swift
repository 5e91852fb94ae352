import Tagging
import TestSupport
import Testing

/// Reads tags written by other programs.
@Suite struct TaggersTests {
    private let arguments = [
        "--tt", "Überfahrt", "--ta", "Die Ärzte & Søn", "--tl", "Älbum", "--ty", "1998", "--tn", "3/12",
        "--tg", "17", "--tc", "a comment",
    ]

    @Test(arguments: ["--id3v2-only", "--id3v2-latin1", "--id3v2-utf16"])
    func lameID3v2(kind: String) throws {
        let folder = try TemporaryDirectory()
        let extra = kind == "--id3v2-only" ? [] : ["--id3v2-only"]
        let path = try folder.lame([kind] + extra + arguments + ["--tv", "TPE2=Various", "--tv", "TPOS=2/3"])
        let tags = try TrackTags.read(from: path)
        #expect(tags.title == "Überfahrt")
        #expect(tags.artist == "Die Ärzte & Søn")
        #expect(tags.album == "Älbum")
        #expect(tags.albumArtist == "Various")
        #expect(tags.track == NumberInSet(number: 3, total: 12))
        #expect(tags.disc == NumberInSet(number: 2, total: 3))
        #expect(tags.year == 1998)
        #expect(tags.genre == "Rock")
        #expect(tags.comment == "a comment")
        #expect(tags.kinds == .id3v2)
        #expect(!tags.hasCover && !tags.isCompilation)
    }

    @Test func lameID3v1Only() throws {
        let folder = try TemporaryDirectory()
        let tags = try TrackTags.read(from: folder.lame(["--id3v1-only"] + arguments))
        #expect(tags.kinds == .id3v1)
        #expect(tags.title == "Überfahrt")
        #expect(tags.artist == "Die Ärzte & Søn")
        #expect(tags.track == NumberInSet(number: 3))
        #expect(tags.year == 1998)
        #expect(tags.genre == "Rock")
        #expect(tags.comment == "a comment")
    }

    @Test func lameBothKinds() throws {
        let folder = try TemporaryDirectory()
        let long = "A title that is far longer than thirty letters"
        let tags = try TrackTags.read(from: folder.lame(["--add-id3v2", "--tt", long, "--tg", "8"]))
        #expect(tags.kinds == [.id3v2, .id3v1])
        #expect(tags.title == long)
        #expect(tags.genre == "Jazz")
    }

    @Test func lameWithoutTags() throws {
        let folder = try TemporaryDirectory()
        #expect(try TrackTags.read(from: folder.lame([])) == TrackTags())
    }

    @Test(arguments: ["3", "4"])
    func ffmpegID3v2(version: String) throws {
        let folder = try TemporaryDirectory()
        let source = try folder.lame([])
        let path = folder.file("ffmpeg.mp3")
        let metadata = [
            "title": "夜に駆ける 🎵", "artist": "Queen; Bowie", "album": "x=y;z", "album_artist": "V.A.",
            "composer": "J. S. Bach", "track": "07/10", "disc": "1", "date": "2019-12-15",
            "genre": "Drum & Bass",
            "compilation": "1", "REPLAYGAIN_TRACK_GAIN": "-7.53 dB", "replaygain_track_peak": "0.987654",
            "REPLAYGAIN_ALBUM_GAIN": "+1.20 dB",
            "MusicBrainz Album Id": "76df3287-6cda-33eb-8e9a-044b5e15ffdd",
            "MIXRAMP_START": "-24.5 0.30;-12.0 0.80", "mixramp_end": "-24.5 1.20",
        ]
        let options = metadata.flatMap { ["-metadata", "\($0.key)=\($0.value)"] }
        try ProcessRun.run(
            "ffmpeg",
            ["-v", "error", "-i", source, "-c", "copy", "-id3v2_version", version, "-write_id3v1", "1"]
                + options + [path])
        let tags = try TrackTags.read(from: path)
        #expect(tags.title == "夜に駆ける 🎵")
        #expect(tags.artist == "Queen; Bowie")
        #expect(tags.album == "x=y;z")
        #expect(tags.albumArtist == "V.A.")
        #expect(tags.composer == "J. S. Bach")
        #expect(tags.track == NumberInSet(number: 7, total: 10))
        #expect(tags.disc == NumberInSet(number: 1))
        #expect(tags.year == 2019)
        #expect(tags.genre == "Drum & Bass")
        #expect(tags.isCompilation)
        #expect(tags.replayGain == ReplayGainTags(trackGainDB: -7.53, trackPeak: 0.987654, albumGainDB: 1.2))
        #expect(tags.mixRamp == MixRampTags(start: "-24.5 0.30;-12.0 0.80", end: "-24.5 1.20"))
        #expect(tags.musicBrainzAlbumID == "76df3287-6cda-33eb-8e9a-044b5e15ffdd")
        #expect(tags.kinds == [.id3v2, .id3v1])
    }

    @Test("Codes, moods and credits are read from frames and from user texts", arguments: [true, false])
    func credits(asFrames: Bool) throws {
        let folder = try TemporaryDirectory()
        let texts =
            asFrames
            ? [
                "TSRC=USSM18300073", "TSOT=Sorted", "TMOO=calm", "TEXT=Author", "TPE3=Conductor",
                "TPE4=Remixer",
            ]
            : [
                "TXXX=ISRC=USSM18300073", "TXXX=TITLESORT=Sorted", "TXXX=mood=calm", "TXXX=Lyricist=Author",
                "TXXX=CONDUCTOR=Conductor", "TXXX=REMIXER=Remixer", "TXXX=ITUNESADVISORY=2",
                "TXXX=MUSICBRAINZ_TRACKID=id",
            ]
        let tags = try TrackTags.read(from: folder.lame(["--id3v2-only"] + texts.flatMap { ["--tv", $0] }))
        #expect(tags.isrc == "USSM18300073" && tags.titleSort == "Sorted" && tags.mood == "calm")
        #expect(
            tags.lyricist == "Author" && tags.conductor == "Conductor" && tags.remixer == "Remixer")
        #expect(tags.advisory == (asFrames ? nil : 2) && tags.musicBrainzTrackID == (asFrames ? nil : "id"))
    }

    @Test(
        "MusicBrainz's recording is read from the file's identifiers, those of others are not",
        arguments: [3, 4])
    func identifiers(version: Int) async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.lame([])
        let script = """
            import sys
            from mutagen.id3 import ID3, UFID
            tags = ID3()
            tags.add(UFID(owner="http://example.org", data=b"other"))
            tags.add(UFID(owner="http://musicbrainz.org", data=b"189002e7-3285-4e2e-92a3-7f6c30d407a2"))
            tags.save(sys.argv[1], v2_version=\(version))
            """
        _ = try await PythonTools.run(script, [path])
        #expect(try TrackTags.read(from: path).musicBrainzTrackID == "189002e7-3285-4e2e-92a3-7f6c30d407a2")
    }

    @Test func ffmpegCover() throws {
        let folder = try TemporaryDirectory()
        let source = try folder.lame([])
        let picture = folder.file("cover.png")
        let path = folder.file("covered.mp3")
        try ProcessRun.run(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64", "-frames:v", "1", picture])
        try ProcessRun.run(
            "ffmpeg",
            [
                "-v", "error", "-i", source, "-i", picture, "-map", "0:a", "-map", "1:v", "-c", "copy",
                "-metadata:s:v", "comment=Cover (front)", path,
            ])
        #expect(try TrackTags.read(from: path).hasCover)
        let cover = try #require(try EmbeddedCover.read(from: path))
        #expect(cover.mimeType == "image/png")
        #expect(try cover.data == bytes(of: picture))
        #expect(try EmbeddedCover.read(from: source) == nil)
    }
}
