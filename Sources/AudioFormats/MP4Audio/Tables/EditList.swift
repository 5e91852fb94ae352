/// The part of a track's media that its edit list plays (ISO/IEC 14496-12 §8.6.6).
struct EditList {
    /// Where the media starts, in its own time scale.
    let start: Int
    /// How long it is played, in the movie's time scale; nil up to its end.
    let duration: Int?

    /// Reads the edits of a track: from the first that plays media to the end of the last that continues it. Pauses before it and
    /// other rates are ignored. Nil without edits.
    init?(_ bytes: RawSpan, track: Range<Int>, movieScale: Int, mediaScale: Int) {
        guard let box = MP4Box.first(["edts", "elst"], bytes, in: track),
            let head = bytes.number(at: box.start, byteCount: 4, in: box.contents),
            let count = bytes.number(at: box.start + 4, byteCount: 4, in: box.contents)
        else { return nil }
        let width = head >> 24 == 1 ? 8 : 4
        var position = box.start + 8
        var first: Int?
        var length = 0
        for _ in 0..<count {
            guard let duration = bytes.number(at: position, byteCount: width, in: box.contents),
                let time = bytes.number(at: position + width, byteCount: width, in: box.contents)
            else { break }
            position += 2 * width + 4
            // A pause has the time -1.
            guard time < 1 << 31, duration < 1 << 40 else { continue }
            if let first {
                // Rounding of lengths to the movie's time scale moves the next edit's start a little.
                let expected = first + Int(Double(length) * Double(mediaScale) / Double(movieScale))
                guard abs(expected - time) <= mediaScale / movieScale + 1 else { break }
            }
            first = first ?? time
            length += duration
            guard duration > 0, length < 1 << 40 else { break }
        }
        guard let first else { return nil }
        start = first
        duration = length > 0 ? length : nil
    }
}
