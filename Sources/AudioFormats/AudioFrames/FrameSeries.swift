/// The frames of a stream, whatever its format.
package protocol FrameSeries: Sendable {
    /// Number of frames.
    var count: Int { get }
    /// Samples per channel that decoding all frames gives.
    var sampleCount: Int { get }

    /// Returns a frame. Traps outside `0..<count`.
    func place(ofFrame frame: Int) -> any IndexedFrame
    /// Returns the position of the frame that contains a sample; nil outside the stream.
    func frame(containing sample: Int) -> Int?
    /// Returns the sizes and durations of frames, which must exist.
    func sizes(ofFrames frames: Range<Int>) -> [(byteCount: Int, sampleCount: Int)]
    /// Divides a range of frames into segments.
    func segmentPlan(frames: Range<Int>?, targetSamples: Int) -> FrameSegmentPlan
}

extension PackedIndex: FrameSeries {
    package func place(ofFrame frame: Int) -> any IndexedFrame { self[frame] }

    package func sizes(ofFrames frames: Range<Int>) -> [(byteCount: Int, sampleCount: Int)] {
        var sizes: [(byteCount: Int, sampleCount: Int)] = []
        sizes.reserveCapacity(frames.count)
        forEach(in: frames) { frame in
            sizes.append((frame.byteCount, frame.sampleCount))
            return true
        }
        return sizes
    }

    package func segmentPlan(frames: Range<Int>?, targetSamples: Int) -> FrameSegmentPlan {
        FrameSegmentPlan(index: self, frames: frames, targetSamples: targetSamples)
    }
}
