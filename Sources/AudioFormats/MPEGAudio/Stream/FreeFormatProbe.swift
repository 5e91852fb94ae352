/// Determines the frame length of free-format streams, whose headers do not state it: it is the distance between matching
/// headers (ISO/IEC 11172-3 §2.4.2.3, bitrate_index).
struct FreeFormatProbe {
    /// Maximum frame length searched for: 640 kbit/s, the highest rate offered by encoders, at 8 kHz is 5,760 bytes.
    static let longestFrame = 5_761
    /// Number of bytes that may still be examined. Otherwise a file full of free-format headers would take quadratic time.
    private var budget: Int

    /// Creates a probe for a file of `byteCount` bytes.
    init(byteCount: Int) {
        budget = 4 * byteCount + 65_536
    }

    /// Returns the pattern of the free-format stream whose header is at `start`, or nil if no chain of frames of equal length
    /// starts there.
    mutating func pattern(_ bytes: RawSpan, at start: Int, header: MPEGFrameHeader, end: Int) -> FramePattern?
    {
        let loose = FramePattern(header, freeFormatLength: 1)
        var position = start + header.overheadLength
        let limit = min(start + Self.longestFrame, end - 3)
        while position < limit, budget > 0 {
            guard let next = bytes.firstFF(in: position..<limit) else {
                budget -= limit - position
                return nil
            }
            budget -= next - position + 1
            position = next + 1
            guard loose.length(of: bytes.bigEndian32(at: next)) > 0 else { continue }
            let length = next - start - (header.padding ? header.slotLength : 0)
            guard length >= header.overheadLength else { continue }
            let pattern = FramePattern(header, freeFormatLength: length)
            let evidence = FrameChain.follow(bytes, from: start, pattern: pattern, wanted: 4, end: end)
            budget -= 4
            if evidence.frameCount == 4 || evidence.frameCount >= 2 && evidence.endsCleanly { return pattern }
        }
        return nil
    }
}
