/// Decides which samples gapless players play.
struct MP4Timeline {
    let codec: MP4AudioCodec
    /// Samples of all units.
    let decoded: Int
    /// Units of the media's time per second, and their sum over all units.
    let mediaScale: Int
    let mediaDuration: Int
    let movieScale: Int

    /// Returns the samples that an edit list, else iTunes' comment, plays; without either, all.
    func played(_ edits: EditList?, _ comment: ITunesGapless?) -> Range<Int> {
        if let edits {
            let start = samples(ofMedia: edits.start)
            return start..<max(start, end(edits, start: start, comment))
        }
        guard let comment else { return 0..<decoded }
        let start = samples(ofMedia: comment.delay)
        return start..<start + samples(ofMedia: comment.length)
    }

    /// The end that an edit list states. Movies count time in milliseconds or worse: where its duration is that of the whole media or
    /// of iTunes' comment as nearly as it can be, these are exact.
    private func end(_ edits: EditList, start: Int, _ comment: ITunesGapless?) -> Int {
        let whole = min(decoded, samples(ofMedia: mediaDuration))
        guard let duration = edits.duration else { return whole }
        let tick = Double(codec.sampleRate) / Double(movieScale)
        let stated = Double(duration) * tick
        // A whole movie is exact in itself.
        guard tick > 1 else { return start + Int(stated.rounded()) }
        var candidates: [Int] = []
        if let comment, samples(ofMedia: comment.delay) == start {
            candidates.append(start + samples(ofMedia: comment.length))
        }
        candidates += [whole, decoded]
        return candidates.first { abs(Double($0 - start) - stated) <= tick } ?? start + Int(stated.rounded())
    }

    private func samples(ofMedia time: Int) -> Int {
        guard mediaScale != codec.sampleRate else { return time }
        return Int((Double(time) * Double(codec.sampleRate) / Double(mediaScale)).rounded())
    }
}
