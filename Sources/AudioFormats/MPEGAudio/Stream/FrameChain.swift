/// Follows chains of headers: the only evidence that a sync pattern is not coincidental.
enum FrameChain {
    /// Result of following a chain.
    struct Evidence {
        /// Number of complete frames followed.
        var frameCount: Int
        /// Whether the chain ended where a stream may end: at the end of the data, at a tag, or in a matching frame truncated
        /// by the end.
        var endsCleanly: Bool
    }

    /// Follows up to `wanted` frames of `pattern` from `start`.
    static func follow(
        _ bytes: RawSpan, from start: Int, pattern: FramePattern, wanted: Int, end: Int
    ) -> Evidence {
        var position = start
        var count = 0
        while count < wanted {
            if position == end { return Evidence(frameCount: count, endsCleanly: count > 0) }
            guard position + 4 <= end else { return Evidence(frameCount: count, endsCleanly: false) }
            let length = pattern.length(of: bytes.bigEndian32(at: position))
            if length == 0 {
                let isTag = count > 0 && ForwardTag.at(position, in: bytes, limit: end) != nil
                return Evidence(frameCount: count, endsCleanly: isTag)
            }
            if position + length > end { return Evidence(frameCount: count, endsCleanly: count > 0) }
            position += length
            count += 1
        }
        return Evidence(frameCount: count, endsCleanly: position == end)
    }
}
