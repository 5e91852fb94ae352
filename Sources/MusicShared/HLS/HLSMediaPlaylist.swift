/// A media playlist, which lists the segments of a stream.
package struct HLSMediaPlaylist: Sendable, Equatable {
    /// A media segment.
    package struct Segment: Sendable, Equatable {
        /// The URL.
        package let address: String
        /// Media sequence number; stays the same when a live playlist is updated.
        package let sequence: Int
        /// Duration in seconds.
        package let seconds: Double
        /// The byte range of the resource; nil for all of it.
        package let byteRange: Range<Int>?
        /// Whether the segment follows a discontinuity.
        package let isDiscontinuity: Bool
        /// The encryption key; nil if not encrypted.
        package let key: Key?
        /// The URL of the initialization segment; nil for packed audio.
        package let map: String?
        /// The text after the duration, often the title; empty without one.
        package let title: String
    }

    /// An AES-128 key for CBC mode (RFC 8216 §4.3.2.4).
    package struct Key: Sendable, Equatable {
        /// The URL of the 16-byte key.
        package let address: String
        /// The initialisation vector; nil to use the media sequence number.
        package let vector: [UInt8]?
    }

    /// Maximum segment duration in seconds.
    package private(set) var targetSeconds = 10.0
    /// The segments.
    package private(set) var segments: [Segment] = []
    /// Whether the playlist is complete.
    package private(set) var isEnded = false

    /// Total duration of the segments in seconds.
    package var seconds: Double { segments.reduce(0) { $0 + $1.seconds } }

    init(_ lines: some Sequence<String>, from address: String) throws(HLSPlaylistError) {
        var sequence = 0
        var seconds: Double?
        var range: (count: Int, start: Int?)?
        var isDiscontinuity = false
        var key: Key?
        var map: String?
        var title = ""
        for line in lines where !line.isEmpty {
            if !line.hasPrefix("#") {
                guard let known = seconds else {
                    throw HLSPlaylistError(.malformed, "the playlist has a segment without a duration")
                }
                let whole = try HLSPlaylist.resolve(line, address)
                segments.append(
                    Segment(
                        address: whole, sequence: sequence, seconds: known,
                        byteRange: try bytes(range, of: whole), isDiscontinuity: isDiscontinuity, key: key,
                        map: map, title: title))
                sequence += 1
                (seconds, range, isDiscontinuity, title) = (nil, nil, false, "")
            } else if let text = line.value(of: "#EXTINF:") {
                guard let value = Double(text.prefix { $0 != "," }), value >= 0, value < 86_400 else {
                    throw HLSPlaylistError(.malformed, "the playlist has a segment with an invalid duration")
                }
                seconds = value
                title = text.firstIndex(of: ",").map { String(text[text.index(after: $0)...]) } ?? ""
            } else if let text = line.value(of: "#EXT-X-BYTERANGE:") {
                let parts = text.split(separator: "@").map { Int($0) }
                guard let count = parts.first ?? nil, count > 0, count < 1 << 40 else {
                    throw HLSPlaylistError(.malformed, "the playlist has an invalid byte range")
                }
                range = (count, parts.count > 1 ? parts[1] : nil)
            } else if line == "#EXT-X-DISCONTINUITY" {
                isDiscontinuity = true
            } else if let text = line.value(of: "#EXT-X-KEY:") {
                key = try Self.key(HLSAttributes(text), address)
            } else if let text = line.value(of: "#EXT-X-MEDIA-SEQUENCE:") {
                sequence = Int(text) ?? 0
            } else if let text = line.value(of: "#EXT-X-TARGETDURATION:") {
                targetSeconds = Double(text).flatMap { $0 > 0 && $0 < 3600 ? $0 : nil } ?? 10
            } else if line == "#EXT-X-ENDLIST" {
                isEnded = true
            } else if let text = line.value(of: "#EXT-X-MAP:") {
                map = try Self.map(HLSAttributes(text), address)
            }
        }
    }

    /// Returns the byte range of a segment; without a start offset it follows that of the previous segment.
    private func bytes(_ range: (count: Int, start: Int?)?, of address: String) throws(HLSPlaylistError)
        -> Range<Int>?
    {
        guard let range else { return nil }
        if let start = range.start, start >= 0, start < 1 << 40 { return start..<start + range.count }
        guard let last = segments.last, last.address == address, let previous = last.byteRange else {
            throw HLSPlaylistError(.malformed, "the playlist has a byte range without a start offset")
        }
        return previous.upperBound..<previous.upperBound + range.count
    }

    private static func map(_ attributes: HLSAttributes, _ base: String) throws(HLSPlaylistError) -> String {
        guard let address = attributes["URI"] else {
            throw HLSPlaylistError(.malformed, "the playlist has an initialization segment without a URI")
        }
        guard attributes["BYTERANGE"] == nil else {
            throw HLSPlaylistError(
                .unsupported, "initialization segments that are a part of a file are not supported")
        }
        return try HLSPlaylist.resolve(address, base)
    }

    private static func key(_ attributes: HLSAttributes, _ base: String) throws(HLSPlaylistError) -> Key? {
        switch attributes["METHOD"] {
        case "NONE": return nil
        case "AES-128":
            guard let address = attributes["URI"] else {
                throw HLSPlaylistError(.malformed, "the playlist has a key tag without a URI")
            }
            return Key(
                address: try HLSPlaylist.resolve(address, base), vector: try attributes["IV"].map(vector))
        default: throw HLSPlaylistError(.unsupported, "the encryption method of the stream is not supported")
        }
    }

    private static func vector(_ text: String) throws(HLSPlaylistError) -> [UInt8] {
        let digits = Array(text.dropFirst(2).utf8)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place..<min(place + 2, digits.count)], as: UTF8.self), radix: 16)
        }
        guard text.lowercased().hasPrefix("0x"), digits.count == 32, bytes.count == 16 else {
            throw HLSPlaylistError(.malformed, "the playlist has an invalid initialisation vector")
        }
        return bytes
    }
}
