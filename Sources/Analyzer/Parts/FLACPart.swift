internal import AudioFrames
internal import FLACAudio
internal import FLACDecoder
internal import FileSystem

/// Writes a part of a FLAC file as a file of its own.
struct FLACPart {
    private let part: AudioPart
    private let index: FLACFrameIndex
    private let streamInfo: [UInt8]
    private let channelCount: Int
    private var writer: FLACPartWriter
    /// Samples of incomplete frames that are not written yet.
    private var held: [[Int32]]

    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - info: its STREAMINFO block.
    init(_ part: AudioPart, of bytes: RawSpan, _ info: StreamInfo) throws(AnalyzerError) {
        guard part.sampleCount > 0,
            let index = FLACAudioStream.frames(of: bytes, in: part.bytes, info: info)
        else { throw PartFile.missing }
        streamInfo = info.bytes
        self.part = part
        self.index = index
        channelCount = info.channelCount
        writer = FLACPartWriter(info)
        held = [[Int32]](repeating: [], count: info.channelCount)
    }

    private var heldCount: Int { held.first?.count ?? 0 }

    /// Writes the file.
    mutating func write(_ bytes: RawSpan, to output: borrowing FileDescriptor) throws(AnalyzerError) {
        try put(writer.streamHead, output)
        let wanted = part.skippedSamples..<part.skippedSamples + part.sampleCount
        let indexed = index
        try indexed.forEach { frame throws(AnalyzerError) in
            guard frame.startSample < wanted.upperBound else { return false }
            let own = (frame.startSample..<frame.endSample).clamped(to: wanted)
            guard !own.isEmpty else { return true }
            if heldCount == 0, own.count == frame.sampleCount, frame.isIntact,
                let copied = writer.copy(frame, of: bytes)
            {
                try put(copied, output)
            } else {
                hold(frame, own.lowerBound - frame.startSample..<own.upperBound - frame.startSample, bytes)
                if heldCount >= FLACPartWriter.smallestBlock { try flush(output) }
            }
            return true
        }
        try flush(output)
        // A damaged last frame is not in the index.
        while writer.sampleCount < part.sampleCount {
            let count = min(FLACPartWriter.largestBlock, part.sampleCount - writer.sampleCount)
            held = [[Int32]](repeating: [Int32](repeating: 0, count: count), count: channelCount)
            try flush(output)
        }
        // Now the size of the frames and the number of samples are known.
        do throws(SystemError) {
            try output.write(writer.streamHead, at: 0)
        } catch {
            throw PartFile.unwritable(error)
        }
    }

    /// Keeps samples of a frame; those of a damaged one are silent.
    private mutating func hold(_ frame: FLACFrame, _ samples: Range<Int>, _ bytes: RawSpan) {
        // A decoder of its own for each of these few frames: libFLAC fills gaps between frames with silence.
        let decoded =
            frame.isIntact
            ? (try? FLACDecoder(streamInfo: streamInfo))?.integers(of: bytes.extracting(frame.range)) : nil
        for channel in held.indices {
            if let decoded, decoded.count == channelCount, decoded[channel].count == frame.sampleCount {
                held[channel] += decoded[channel][samples]
            } else {
                held[channel] += [Int32](repeating: 0, count: samples.count)
            }
        }
    }

    /// Writes the samples that are kept.
    private mutating func flush(_ output: borrowing FileDescriptor) throws(AnalyzerError) {
        var start = 0
        while start < heldCount {
            let end = min(heldCount, start + FLACPartWriter.largestBlock)
            try put(writer.verbatim(held.map { $0[start..<end] }), output)
            start = end
        }
        for channel in held.indices { held[channel].removeAll(keepingCapacity: true) }
    }

    private func put(_ bytes: [UInt8], _ output: borrowing FileDescriptor) throws(AnalyzerError) {
        do throws(SystemError) {
            try output.write(bytes)
        } catch {
            throw PartFile.unwritable(error)
        }
    }
}
