extension CueSheet {
    /// Reads the contents of a CUESHEET metadata block (RFC 9639 §8.7): positions, but no titles.
    /// - Throws: `malformed` if the block is too short for what it states.
    package init(flacBlock bytes: [UInt8]) throws(CueSheetError) {
        self.init()
        var reader = BlockReader(bytes: bytes)
        // The catalogue number, the samples of the lead-in, a bit for compact discs and reserved ones.
        guard reader.skip(128 + 8 + 259), let count = reader.number(1) else { throw Self.truncatedBlock }
        for _ in 0..<count {
            guard let offset = reader.number(8), let number = reader.number(1), let code = reader.bytes(12),
                let flags = reader.number(1), reader.skip(13), let indexCount = reader.number(1)
            else { throw Self.truncatedBlock }
            // The lead-out is 170 on a compact disc, and 255 elsewhere.
            if number == 170 || number == 255 {
                end = .samples(offset)
                break
            }
            var track = Track(number: number, isAudio: flags & 0x80 == 0, file: 0)
            track.hasPreEmphasis = flags & 0x40 != 0
            track.isrc = Self.text(code)
            for _ in 0..<indexCount {
                guard let place = reader.number(8), let index = reader.number(1), reader.skip(3) else {
                    throw Self.truncatedBlock
                }
                // Both are 64-bit numbers of samples; no audio is as long as their sum.
                let (position, hasOverflowed) = offset.addingReportingOverflow(place)
                guard !hasOverflowed else { throw Self.truncatedBlock }
                if index == 0 { track.pause = .samples(position) }
                if index == 1 { track.start = .samples(position) }
            }
            guard 1...Self.largestNumber ~= number else {
                throw CueSheetError(.malformed, "the CUESHEET block has a track with the number \(number)")
            }
            tracks.append(track)
        }
    }

    private static let truncatedBlock = CueSheetError(
        .malformed, "the CUESHEET block ends before its last track")

    private static func text(_ bytes: [UInt8]) -> String? {
        let letters = bytes.prefix { $0 != 0 }
        guard !letters.isEmpty, letters.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        return String(decoding: letters, as: UTF8.self)
    }
}

/// Reads the fields of a block in order.
private struct BlockReader {
    let bytes: [UInt8]
    var position = 0

    mutating func skip(_ count: Int) -> Bool {
        guard count <= bytes.count - position else { return false }
        position += count
        return true
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
        let start = position
        return skip(count) ? Array(bytes[start..<position]) : nil
    }

    /// Returns a big-endian number; nil if it is not there, or does not fit.
    mutating func number(_ count: Int) -> Int? {
        guard let field = bytes(count) else { return nil }
        return Int(exactly: field.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
