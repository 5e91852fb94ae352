/// The comments of an Ogg file with Opus or Vorbis, parsed independently of the code under test.
public struct OggComments: Equatable {
    /// The packets before the audio.
    public var headers: [[UInt8]]
    /// Number of pages of these packets.
    public var headerPageCount: Int
    /// The pages with audio.
    public var audio: [OggTestPage]

    /// Parses a file with one stream; nil if its audio does not start on a page of its own.
    public init?(_ bytes: [UInt8]) {
        let pages = OggTestPage.pages(of: bytes)
        guard let first = pages.first else { return nil }
        let count = first.body.starts(with: Array("OpusHead".utf8)) ? 2 : 3
        for place in pages.indices {
            let packets = OggTestPage.packets(of: Array(pages[...place]))
            guard packets.count >= count else { continue }
            guard packets.count == count else { return nil }
            headers = packets
            headerPageCount = place + 1
            audio = Array(pages[(place + 1)...])
            return
        }
        return nil
    }

    /// The packets of audio.
    public var audioPackets: [[UInt8]] { OggTestPage.packets(of: audio) }

    /// The comments, with their size and key, and what follows them.
    public var comments: (vendor: [UInt8], list: [[UInt8]], rest: [UInt8]) {
        let packet = headers[1]
        var place = packet.starts(with: Array("OpusTags".utf8)) ? 8 : 7
        func text() -> [UInt8] {
            let size = (0..<4).reduce(0) { $0 | Int(packet[place + $1]) << (8 * $1) }
            defer { place += 4 + size }
            return Array(packet[place + 4..<place + 4 + size])
        }
        let vendor = text()
        let count = (0..<4).reduce(0) { $0 | Int(packet[place + $1]) << (8 * $1) }
        place += 4
        let list = (0..<count).map { _ in text() }
        return (vendor, list, Array(packet[place...]))
    }

    /// Whether headers and packets of audio are the same, on whatever pages.
    public static func == (one: OggComments, other: OggComments) -> Bool {
        one.headers == other.headers && one.audioPackets == other.audioPackets
    }
}
