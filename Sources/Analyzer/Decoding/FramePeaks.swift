internal import MP3Decoder
internal import MPEGAudio

/// Determines the peaks of a stream's frames in an extra decode. Only needed for streams with a suspicious frame.
enum FramePeaks {
    /// Returns the upper quartile of the frame peaks; 0 if nothing can be decoded.
    static func usual(
        of stream: MPEGAudioStream, _ bytes: RawSpan, check: FrameCheck, isCancelled: () -> Bool
    ) -> Float {
        var peaks: [Float] = []
        peaks.reserveCapacity(stream.index.count)
        for section in stream.index.sections {
            guard let decoder = try? MPEGDecoder() else { break }
            for frame in section.frames {
                if frame % 256 == 0, isCancelled() { return 0 }
                let range = stream.index[frame].range
                guard !check.isDamaged(range, in: bytes) else { continue }
                try? decoder.decode(bytes.extracting(range)) { samples, _ in
                    peaks.append(samples.largestMagnitude)
                }
            }
        }
        peaks.sort()
        return peaks.isEmpty ? 0 : peaks[peaks.count * 3 / 4]
    }
}
