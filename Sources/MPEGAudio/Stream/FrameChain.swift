/// Headers that lead from one to the next: the only evidence that a sync pattern is not chance.
enum FrameChain {
    /// What following a chain has shown.
    struct Evidence {
        /// Whole frames that were followed.
        var frameCount: Int
        /// Whether the chain ended where a stream may end: at the end of the data, at a tag, or in a matching frame that the
        /// end cuts off.
        var endsCleanly: Bool
    }

    /// Follows frames of `pattern` from `start`, at most `wanted` of them.
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
