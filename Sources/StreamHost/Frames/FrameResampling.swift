internal import Companion

/// Visualizer frames with fewer bands, or at another rate, than they are stored with.
///
/// A stored band shows the strongest component in it. So does a band of the result: it is the largest of the stored bands
/// whose centres lie in it, so that a tone shows in one band, at its own level. Time goes likewise: at a lower rate a
/// frame is, band by band, the largest of the stored frames that are nearest to its moment, so that no drum is lost between
/// two; at a higher rate it lies on the straight line, in dB, between its two neighbours. Frame k is the moment k / rate.
struct FrameResampling {
    let stored: FrameDescription
    /// Frames a second.
    let rate: Int
    /// Bands of a frame, at most as many as are stored.
    let bandCount: Int

    init(_ stored: FrameDescription, rate: Int?, bandCount: Int?) {
        self.stored = stored
        self.rate = rate ?? stored.framesPerSecond
        self.bandCount = min(bandCount ?? stored.bandCount, stored.bandCount)
    }

    /// Frames of the whole track: as many as begin before its stored frames end.
    var frameCount: Int {
        (stored.frameCount * rate + stored.framesPerSecond - 1) / stored.framesPerSecond
    }

    /// The stored frames that some frames are made of.
    func sources(of frames: Range<Int>) -> Range<Int> {
        guard let first = frames.first, let last = frames.last else { return 0..<0 }
        return sources(of: first).lowerBound..<sources(of: last).upperBound
    }

    /// Makes frames.
    /// - Parameter levels: the stored frames from ``sources(of:)`` on, all of them.
    func levels(of frames: Range<Int>, from levels: [UInt8]) -> [UInt8] {
        guard rate != stored.framesPerSecond || bandCount != stored.bandCount else { return levels }
        let first = sources(of: frames).lowerBound
        let folded = foldingBands(levels)
        var result: [UInt8] = []
        result.reserveCapacity(frames.count * bandCount)
        for frame in frames {
            let rows = sources(of: frame)
            let start = (rows.lowerBound - first) * bandCount
            let end = (rows.upperBound - 1 - first) * bandCount
            if rate > stored.framesPerSecond {
                // In parts of `rate` of the way from the first to the second.
                let way = frame * stored.framesPerSecond % rate
                for band in 0..<bandCount {
                    let sum = Int(folded[start + band]) * (rate - way) + Int(folded[end + band]) * way
                    result.append(UInt8((sum + rate / 2) / rate))
                }
            } else {
                for band in 0..<bandCount {
                    var largest = folded[start + band]
                    for row in stride(from: start + bandCount, through: end, by: bandCount) {
                        largest = max(largest, folded[row + band])
                    }
                    result.append(largest)
                }
            }
        }
        return result
    }

    /// The stored frames that one frame is made of; never none.
    private func sources(of frame: Int) -> Range<Int> {
        let position = frame * stored.framesPerSecond
        let before = min(position / rate, stored.frameCount - 1)
        if rate > stored.framesPerSecond { return before..<min(before + 2, stored.frameCount) }
        // From half a frame before to half a frame after, the end excluded: ceil((2k ± 1) · stored / 2 · rate).
        let half = stored.framesPerSecond
        let first = max(0, (2 * position - half + 2 * rate - 1) / (2 * rate))
        let end = min(stored.frameCount, (2 * position + half + 2 * rate - 1) / (2 * rate))
        return first < end ? first..<end : before..<before + 1
    }

    private func foldingBands(_ levels: [UInt8]) -> [UInt8] {
        let count = stored.bandCount
        guard bandCount != count else { return levels }
        // The band that a stored band's centre, band + 1/2, lies in.
        let targets = (0..<count).map { (2 * $0 + 1) * bandCount / (2 * count) }
        var folded = [UInt8](repeating: 0, count: levels.count / count * bandCount)
        for row in 0..<levels.count / count {
            for (band, target) in targets.enumerated() {
                let place = row * bandCount + target
                folded[place] = max(folded[place], levels[row * count + band])
            }
        }
        return folded
    }
}
