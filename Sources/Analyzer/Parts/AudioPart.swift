internal import AudioFrames
internal import FLACAudio
package import MusicShared
internal import PCMAudio

/// The place of a part of a file's audio, such as a track of a cue sheet: enough to make a file of its own from it.
package struct AudioPart: Sendable, Hashable {
    /// The bytes of the frames that contain the part.
    package var bytes: Range<Int>
    /// Samples per channel at the start of the first frame that do not belong to the part.
    package var skippedSamples: Int
    /// Samples per channel of the part.
    package var sampleCount: Int
    /// Samples per channel of the file before the part; nil if a version that did not store it found the part.
    package var startSample: Int?

    /// Memberwise initializer.
    package init(bytes: Range<Int>, skippedSamples: Int, sampleCount: Int, startSample: Int?) {
        self.bytes = bytes
        self.skippedSamples = skippedSamples
        self.sampleCount = sampleCount
        self.startSample = startSample
    }

    /// The formats that parts can be made of without loss, and that state their samples exactly.
    package static let formats: Set<AudioFormat> = [.flac, .wav]
}

/// The facts that decide how a file is divided into parts.
package struct DivisibleAudio: Sendable {
    /// Format of the file.
    package let format: AudioFormat
    /// Samples per second.
    package let sampleRateHz: Int
    /// Samples per channel.
    package let sampleCount: Int
}

/// The cue sheets within an audio file.
package struct EmbeddedCueSheets: Sendable {
    /// The text of the Vorbis comment CUESHEET.
    package var comment: String?
    /// The contents of FLAC's CUESHEET block.
    package var block: [UInt8]?

    /// Whether the file has no sheets.
    package var areNone: Bool { comment == nil && block == nil }

    /// Reads the sheets of a file. Only FLAC files have some.
    package init(in file: MappedFile) {
        file.withBytes { bytes in
            guard let metadata = FLACMetadata(bytes) else { return }
            comment = metadata.cueSheetComment
            block = metadata.cueSheetBlock
        }
    }
}

extension AudioPart {
    /// Finds parts of a file.
    /// - Parameters:
    ///   - file: the whole file.
    ///   - division: returns the samples of each part, within those of the audio; an empty list if there are no parts.
    /// - Returns: the parts in the order of their samples.
    /// - Throws: the reason why the file cannot be read, or that it changed while being read.
    package static func find(
        in file: MappedFile, division: (DivisibleAudio) -> [Range<Int>]
    ) throws(AnalyzerError) -> [AudioPart] {
        try file.withVerifiedBytes { bytes throws(AnalyzerError) in
            let stream = try AudioStreams.scan(bytes) { file.release(before: $0) }
            let ranges = division(
                DivisibleAudio(
                    format: stream.format, sampleRateHz: stream.sampleRateHz, sampleCount: stream.sampleCount)
            )
            return ranges.compactMap { part(of: stream, $0) }
        }
    }

    private static func part(of stream: any AudioStream, _ samples: Range<Int>) -> AudioPart? {
        guard !samples.isEmpty else { return nil }
        switch stream {
        case let flac as FLACFile:
            let index = flac.stream.index
            guard let first = index.frame(containing: samples.lowerBound),
                let last = index.frame(containing: samples.upperBound - 1)
            else { return nil }
            let start = index[first]
            return AudioPart(
                bytes: start.range.lowerBound..<index[last].range.upperBound,
                skippedSamples: samples.lowerBound - start.startSample, sampleCount: samples.count,
                startSample: samples.lowerBound)
        case let pcm as PCMFile where pcm.format == .wav:
            let size = pcm.stream.format.frameSize
            let start = pcm.payload.lowerBound
            guard samples.upperBound <= pcm.sampleCount else { return nil }
            return AudioPart(
                bytes: start + samples.lowerBound * size..<start + samples.upperBound * size,
                skippedSamples: 0, sampleCount: samples.count, startSample: samples.lowerBound)
        default: return nil
        }
    }
}
