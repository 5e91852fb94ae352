package import Analyzer

/// Where the spectra of some audio are in a part's spectra file.
package struct PartSpectra: Sendable, Equatable {
    /// Hash of the audio.
    package var audioHash: AudioHash
    /// Version of the analyzer that computed them.
    package var version: Int
    /// Rows per second.
    package var framesPerSecond: Int
    /// Bands per row, one byte each.
    package var bandCount: Int
    /// Number of rows.
    package var frameCount: Int
    /// Offset of the first row in the file, in bytes.
    package var byteOffset: Int

    /// Their bytes in the file; nil if the values are not those of a file.
    package var bytes: Range<Int>? {
        let (count, overflow) = frameCount.multipliedReportingOverflow(by: bandCount)
        let (end, isTooFar) = byteOffset.addingReportingOverflow(count)
        guard !overflow, !isTooFar, byteOffset >= 0, frameCount >= 0, bandCount > 0 else { return nil }
        return byteOffset..<end
    }

    /// Describes the spectra of an analysis; nil if it has none.
    /// - Parameter byteOffset: where they start in the file.
    package init?(_ analysis: TrackAnalysis, byteOffset: Int) {
        guard let frames = analysis.frames else { return nil }
        self.init(
            audioHash: analysis.audioHash, version: analysis.version, framesPerSecond: frames.framesPerSecond,
            bandCount: frames.bandCount, frameCount: frames.frameCount, byteOffset: byteOffset)
    }

    init(
        audioHash: AudioHash, version: Int, framesPerSecond: Int, bandCount: Int, frameCount: Int,
        byteOffset: Int
    ) {
        self.audioHash = audioHash
        self.version = version
        self.framesPerSecond = framesPerSecond
        self.bandCount = bandCount
        self.frameCount = frameCount
        self.byteOffset = byteOffset
    }
}
