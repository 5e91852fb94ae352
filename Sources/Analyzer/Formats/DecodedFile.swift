/// Decodes a whole file of any format, for conversions.
package enum DecodedFile {
    /// Decodes a file on its gapless timeline.
    /// - Parameters:
    ///   - file: the file.
    ///   - body: receives the samples of one or two channels, in order, full scale being 1; more channels are mixed to two.
    ///     The buffers are valid during the call.
    /// - Throws: the reason why the file cannot be decoded, or that it changed while being read.
    package static func decode(
        _ file: MappedFile, _ body: @escaping ([UnsafeBufferPointer<Float>]) -> Void
    ) throws(AnalyzerError) {
        try file.withVerifiedBytes { bytes throws(AnalyzerError) in
            let stream = try AudioStreams.scan(bytes, passed: file.release(before:))
            _ = try stream.decode(bytes, passed: file.release(before:), isCancelled: { false }) {
                body($0.stereo)
            }
        }
    }
}
