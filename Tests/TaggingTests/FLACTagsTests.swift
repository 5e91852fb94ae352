import Foundation
import TestSupport
import Testing

@testable import Tagging

/// Vorbis comments of FLAC files, as `flac` writes them.
@Suite("FLAC tags")
struct FLACTagsTests {
    private let directory: TemporaryDirectory
    private let bytes: [UInt8]

    init() throws {
        directory = try TemporaryDirectory()
        let tags = [
            "TITLE=Größe", "ARTIST=Anna", "ARTIST=Bert", "ALBUMARTIST=Trio", "TRACKNUMBER=3", "TRACKTOTAL=9",
            "DATE=2001-02-03", "REPLAYGAIN_TRACK_GAIN=-3.50 dB", "DESCRIPTION=A note",
        ]
        bytes = try IntegerSound.tones(frameCount: 5_000).flac(tags.flatMap { ["-T", $0] })
    }

    private func tags(_ bytes: [UInt8]) throws -> TrackTags {
        try TrackTags.read(from: directory.write(bytes, as: UUID().uuidString))
    }

    @Test("All fields are read, also after an ID3v2 tag")
    func fields() throws {
        let id3 = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 10] + [UInt8](repeating: 0, count: 10)
        for bytes in [bytes, id3 + bytes] {
            let tags = try tags(bytes)
            #expect(tags.title == "Größe" && tags.artist == "Anna; Bert" && tags.albumArtist == "Trio")
            #expect(tags.track.number == 3 && tags.track.total == 9 && tags.year == 2001)
            #expect(tags.comment == "A note" && tags.kinds.contains(.vorbis))
            #expect(tags.replayGain.trackGainDB == -3.5)
        }
    }

    @Test("Truncated and damaged metadata is read as far as it is valid")
    func damage() throws {
        let end = 600
        for count in stride(from: 0, to: end, by: 7) { _ = try tags(Array(bytes.prefix(count))) }
        var random = SeededGenerator(seed: 9)
        for _ in 0..<500 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: 4..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try tags(damaged)
        }
    }
}
