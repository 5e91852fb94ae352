import Foundation
import LibraryStore
import MusicShared
import Tagging
import TestSupport
import Testing

@testable import HostAccounts
@testable import StreamHost

/// The tracks of cue sheets on the host: each is sent as a stream of its own, exact to the sample.
@Suite("Cue sheets on the host", .timeLimit(.minutes(30)))
struct CueSheetServingTests {
    private static let sound: IntegerSound = {
        let music = PCM.music(frameCount: 44_100 * 30 + 777, seed: 8).samples
        return IntegerSound(
            sampleRate: 44_100,
            channels: (0..<2).map { channel in
                stride(from: channel, to: music.count, by: 2).map { Int32(music[$0]) }
            }, bitDepth: 16)
    }()
    /// Starts that are no multiples of a block.
    private static let ranges = [0..<588 * 751, 588 * 751..<588 * 1500, 588 * 1500..<sound.frameCount]

    private static let sheet = """
        PERFORMER "Band"
        TITLE "Live"
        FILE "Album.wav" WAVE
        TRACK 01 AUDIO
        TITLE "One"
        INDEX 01 00:00:00
        TRACK 02 AUDIO
        TITLE "Two"
        INDEX 00 00:09:00
        INDEX 01 00:10:01
        TRACK 03 AUDIO
        TITLE "Three"
        INDEX 01 00:20:00
        """

    private static let library = Task {
        try await aside {
            let flac = try sound.flac()
            return try ServedLibrary(
                [
                    ("a/Album.flac", flac), ("a/Album.cue", Array(sheet.utf8)),
                    ("w/Album.cue", Array(sheet.replacing("Live", with: "Wave").utf8)),
                ],
                arrange: { folder in
                    try ProcessRun.run(
                        "flac", ["-d", "-s", "-o", "\(folder)/w/Album.wav", "\(folder)/a/Album.flac"])
                })
        }
    }

    /// The sound of a track.
    private static func part(_ index: Int) -> IntegerSound {
        IntegerSound(
            sampleRate: sound.sampleRate, channels: sound.channels.map { Array($0[ranges[index]]) },
            bitDepth: sound.bitDepth)
    }

    private let served: ServedLibrary

    init() async throws { served = try await Self.library.value }

    private func id(_ number: Int, _ file: String = "a/Album.flac") throws -> Int {
        try served.id("\(file)/0\(number)")
    }

    /// Decodes an address of the host with ffmpeg.
    private func decoded(_ path: String) async throws -> [UInt8] {
        [UInt8](
            try await ProcessRun.aside(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-headers", served.authorization + "\r\n", "-i",
                    "\(served.base)\(path)", "-f", "s16le", "-",
                ]
            ).output)
    }

    @Test("HLS, the file and fragmented MP4 decode to the samples of the track", arguments: 0..<3)
    func samples(index: Int) async throws {
        let id = try id(index + 1)
        let expected = Self.part(index).bytes
        #expect(try await decoded("/tracks/\(id)/stream.m3u8") == expected)
        #expect(try await decoded("/api/files/\(id)/stream") == expected)
        let master = try await served.get("/tracks/\(id)/master.m3u8")
        #expect(master.status == 200 && master.text.contains("fLaC"))
    }

    @Test("The tracks joined are the whole recording, without a sample between them")
    func joined() async throws {
        var samples: [UInt8] = []
        for number in 1...3 { samples += try await decoded("/tracks/\(id(number))/stream.m3u8") }
        #expect(samples == Self.sound.bytes)
    }

    @Test("The playlist of the album plays all of its tracks without a gap")
    func album() async throws {
        let track = try #require(try served.library.track(id: id(1)))
        let album = try #require(track.track.albumID)
        #expect(try await decoded("/albums/\(album)/stream.m3u8") == Self.sound.bytes)
    }

    @Test("Lists of files for other systems leave out tracks of cue sheets; Liquidsoap can cut them")
    func exports() async throws {
        let track = try #require(try served.library.track(id: id(1)))
        let album = try #require(track.track.albumID)
        for format in ["m3u8", "cue_file", "azuracast", "mixramp"] {
            let answer = try await served.get("/api/albums/\(album)/export?format=\(format)")
            #expect(answer.status == 200 && !answer.text.contains(".flac"), "\(answer.text)")
        }
        let requests = try await served.get("/api/albums/\(album)/export?format=liquidsoap&prefix=/m/")
        let lines = requests.text.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.hasSuffix(":/m/a/Album.flac") }, "\(lines)")
    }

    @Test("The file of a track is a FLAC file that the reference decoder accepts, whole and in ranges")
    func file() async throws {
        let id = try id(2)
        let whole = try await served.get("/api/files/\(id)/stream")
        #expect(whole.status == 200 && whole.field("Content-Type") == "audio/flac")
        let directory = try TemporaryDirectory()
        let path = try directory.write(whole.body, as: "two.flac")
        try ProcessRun.run("flac", ["-t", "-s", path])
        let raw = try ProcessRun.run(
            "flac", ["-d", "-s", "-c", "--force-raw-format", "--endian=little", "--sign=signed", path])
        #expect([UInt8](raw.output) == Self.part(1).bytes)
        let range = try await served.get("/api/files/\(id)/stream", ["-r", "1000-1999"])
        #expect(range.status == 206 && range.body == Array(whole.body[1000..<2000]))
        #expect(range.field("ETag") == whole.field("ETag"))
    }

    @Test("The index of segments describes the file of the track, with nothing to trim")
    func segments() async throws {
        let id = try id(2)
        let answer = try await served.get("/tracks/\(id)/segments.json")
        let index = try JSONDecoder().decode(SegmentIndex.self, from: Data(answer.body))
        #expect(index.sampleCount == Self.ranges[1].count && index.decodedSampleCount == index.sampleCount)
        #expect(index.encoderDelaySamples == 0 && index.encoderPaddingSamples == 0 && index.format == .flac)
        #expect(index.segments.reduce(0) { $0 + $1.sampleCount } == index.sampleCount)
        let file = try await served.get("/api/files/\(id)/stream").body
        #expect(index.fileSizeBytes == file.count)
        // Each segment decodes on its own after the head of the stream.
        let directory = try TemporaryDirectory()
        let head = try #require(index.streamHead.flatMap { Data(base64Encoded: $0) })
        var samples: [UInt8] = []
        for segment in index.segments {
            let bytes = [UInt8](head) + file[segment.byteOffset..<segment.byteOffset + segment.byteLength]
            let path = try directory.write(bytes, as: "segment.flac")
            samples += try ProcessRun.run(
                "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-f", "s16le", "-"]
            ).output
        }
        #expect(samples == Self.part(1).bytes)
    }

    @Test("The tracks of a WAV file are sent as WAV files, and converted to MP3 of their length")
    func wave() async throws {
        for number in 1...3 {
            let id = try id(number, "w/Album.wav")
            #expect(try await decoded("/api/files/\(id)/stream") == Self.part(number - 1).bytes)
            let low = try await decoded("/tracks/\(id)/stream.m3u8?quality=low")
            #expect(abs(low.count / 4 - Self.ranges[number - 1].count) < 3000)
        }
    }

    @Test("OpenSubsonic streams and downloads a track under the name of its file and its number")
    func subsonic() async throws {
        let id = try id(3)
        let password = try AppPasswords(dataFolder: served.data.path).add(account: "owner", name: "cue")
        let query = "u=owner&p=\(password)&v=1.16.1&c=t&id=tr-\(id)"
        let song = try await served.get("/rest/getSong?\(query)&f=json", key: "")
        #expect(
            song.text.contains("\"suffix\":\"flac\"") && song.text.contains("\"title\":\"Three\""),
            "\(song.text)")
        #expect(!song.text.contains("\"size\":"), "that of the whole album would be wrong")
        let stream = try await served.get("/rest/stream?\(query)", key: "")
        #expect(try await stream.body == served.get("/api/files/\(id)/stream").body)
        let download = try await served.get("/rest/download?\(query)", key: "")
        #expect(
            download.field("Content-Disposition") == "attachment; filename*=UTF-8''Album%2003%2Eflac")
    }

    @Test("A downloaded track has the tags of the sheet, the cover of its file, and the same samples")
    func download() async throws {
        let directory = try TemporaryDirectory()
        let (cover, album, wave) = (
            directory.file("cover.png"), directory.file("Album.flac"), directory.file("Wave.wav")
        )
        let sheet = Self.sheet.replacing(
            "TITLE \"Two\"", with: "TITLE \"Two\"\nREM REPLAYGAIN_TRACK_GAIN -3.25 dB")
        try await ProcessRun.aside(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x64", "-frames:v", "1", cover])
        try Data(try Self.sound.flac()).write(to: URL(filePath: album))
        try await ProcessRun.aside("metaflac", ["--import-picture-from=\(cover)", album])
        try await ProcessRun.aside("flac", ["-d", "-s", "-o", wave, album])
        let files: [(name: String, bytes: [UInt8])] = [
            ("Album.flac", try directory.read("Album.flac")), ("Album.cue", Array(sheet.utf8)),
            ("Wave.wav", try directory.read("Wave.wav")),
            ("Wave.cue", Array(sheet.replacing("Album.wav", with: "Wave.wav").utf8)),
        ]
        try await ServedLibrary.with(files, watches: true) { served in
            let password = try AppPasswords(dataFolder: served.data.path).add(account: "owner", name: "cue")
            func kept(_ path: String, _ more: [String] = []) async throws -> ServedLibrary.Answer {
                let id = try served.id(path)
                return try await served.get(
                    "/rest/download?u=owner&p=\(password)&v=1.16.1&c=t&id=tr-\(id)", more, key: "")
            }
            let answer = try await kept("Album.flac/02")
            let path = try directory.write(answer.body, as: "two.flac")
            try ProcessRun.run("flac", ["-t", "-s", path])
            let comments = try ProcessRun.run("metaflac", ["--export-tags-to=-", path]).text
            for comment in [
                "TITLE=Two", "ARTIST=Band", "ALBUM=Live", "TRACKNUMBER=2", "REPLAYGAIN_TRACK_GAIN=-3.25 dB",
            ] {
                #expect(comments.split(separator: "\n").contains(Substring(comment)), "\(comments)")
            }
            let exported = directory.file("exported.png")
            try ProcessRun.run("metaflac", ["--export-picture-to=\(exported)", path])
            #expect(try Data(contentsOf: URL(filePath: exported)) == Data(directory.read("cover.png")))
            let raw = try ProcessRun.run(
                "flac", ["-d", "-s", "-c", "--force-raw-format", "--endian=little", "--sign=signed", path])
            #expect([UInt8](raw.output) == Self.part(1).bytes)
            // It can be continued.
            let rest = try await kept("Album.flac/02", ["-r", "1000-1999"])
            #expect(rest.status == 206 && rest.body == Array(answer.body[1000..<2000]))
            #expect(rest.field("ETag") == answer.field("ETag"))

            let wave = try directory.write(try await kept("Wave.wav/02").body, as: "two.wav")
            let told = try ProcessRun.run(
                "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "default=nk=0", wave]
            ).text
            #expect(told.contains("title=Two") && told.contains("artist=Band"), "\(told)")
            let samples = try ProcessRun.run(
                "ffmpeg", ["-nostdin", "-v", "error", "-i", wave, "-f", "s16le", "-"])
            #expect([UInt8](samples.output) == Self.part(1).bytes)

            // A new title gives another file.
            let changed = sheet.replacing("Two", with: "Zwei")
            try Data(changed.utf8).write(to: URL(filePath: served.file("Album.cue")))
            let id = try served.id("Album.flac/02")
            try await until { try served.library.track(id: id)?.track.tags.title == "Zwei" }
            let renamed = try directory.write(try await kept("Album.flac/02").body, as: "zwei.flac")
            let title = try ProcessRun.run("metaflac", ["--show-tag=TITLE", renamed]).text
            #expect(title == "TITLE=Zwei\n")
        }
    }

    @Test("Spectra, waveform and lyrics are those of the track")
    func measurements() async throws {
        let id = try id(2)
        let waveform = try await served.get("/tracks/\(id)/waveform")
        #expect(waveform.status == 200)
        #expect(try await served.get("/visualizer/frames?relative_path=a/Album.flac/02").status == 200)
        let lyrics = try await served.get("/tracks/\(id)/lyrics")
        #expect(try lyrics.status == 404 && lyrics.json("error", "code") as? String == "no_lyrics")
    }

    @Test("Edits and the trash reject a track of a sheet with 409, and its file stays as it is")
    func guarded() async throws {
        let before = try Data(contentsOf: URL(filePath: served.file("a/Album.flac")))
        let id = try id(2)
        let edit = try await served.edit(["id": id, "title": "x"])
        #expect(
            try edit.status == 409 && edit.json("error", "code") as? String == "part_of_file", "\(edit.text)")
        #expect(edit.text.contains("Edit the sheet"))
        let trash = try await served.get("/tracks/\(id)", ["-X", "DELETE"])
        #expect(
            try trash.status == 409 && trash.json("error", "code") as? String == "part_of_file",
            "\(trash.text)")
        let batch = try await served.send(
            "PATCH", "/batch-edit-metadata", ["track_ids": [id], "changes": ["genre": "x"]])
        #expect(batch.text.contains("part_of_file"), "\(batch.text)")
        #expect(try Data(contentsOf: URL(filePath: served.file("a/Album.flac"))) == before)
        #expect(FileManager.default.fileExists(atPath: served.file("a/Album.flac")))
    }

    @Test("A track of a sheet is never removed as a duplicate, but a file may be removed as one of it")
    func duplicates() async throws {
        let files = [
            ("a/Album.flac", try Self.sound.flac()), ("a/Album.cue", Array(Self.sheet.utf8)),
            ("copy/Two.flac", try Self.part(1).flac()),
        ]
        try await ServedLibrary.with(files) { served in
            let (part, copy) = (try served.id("a/Album.flac/02"), try served.id("copy/Two.flac"))
            func remove(_ removed: Int, keeping kept: Int) async throws -> String {
                try await served.send(
                    "POST", "/duplicates/removal",
                    ["dry_run": false, "groups": [["kept_id": kept, "removed_ids": [removed]]]]
                ).text
            }
            let refused = try await remove(part, keeping: copy)
            #expect(refused.contains("part_of_file"), "\(refused)")
            #expect(FileManager.default.fileExists(atPath: served.file("a/Album.flac")))
            let removed = try await remove(copy, keeping: part)
            #expect(removed.contains("\"changed_count\":1"), "\(removed)")
            #expect(!FileManager.default.fileExists(atPath: served.file("copy/Two.flac")))
            #expect(FileManager.default.fileExists(atPath: served.file("a/Album.flac")))
        }
    }

    @Test("A watching host follows a sheet that appears, changes and disappears")
    func watched() async throws {
        try await ServedLibrary.with([("Album.flac", try Self.sound.flac())], watches: true) { served in
            func paths() throws -> [String] {
                var paths: [String] = []
                try served.library.forEachAvailablePath { paths.append($0.text) }
                return paths.sorted()
            }
            func write(_ text: String) throws {
                try Data(text.utf8).write(to: URL(filePath: served.file("Album.cue")))
            }
            let parts = ["Album.flac/01", "Album.flac/02", "Album.flac/03"]
            try write(Self.sheet)
            try await until { try paths() == parts }
            let track = try served.id("Album.flac/02")
            #expect(try await served.get("/api/files/\(track)/stream").status == 200)
            try write(Self.sheet.replacing("Two", with: "Zwei"))
            try await until { try served.library.track(id: track)?.track.tags.title == "Zwei" }
            try FileManager.default.removeItem(atPath: served.file("Album.cue"))
            try await until { try paths() == ["Album.flac"] }
        }
    }
}
