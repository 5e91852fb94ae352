internal import CMPG123
internal import CSYN123

/// Converts interleaved samples to another rate: owns one libsyn123 handle.
///
/// Not thread-safe: use one for each stream.
package final class Resampler {
    private let handle: OpaquePointer
    private let channels: Int
    private let inputRate: Int
    private let outputRate: Int
    private var output: [Float] = []

    /// - Throws: ``DecoderError`` if libsyn123 refuses the rates.
    package init(from inputRate: Int, to outputRate: Int, channels: Int) throws(DecoderError) {
        var status: Int32 = 0
        // No processing format is needed for the resampler alone.
        guard
            let handle = syn123_new(
                outputRate, Int32(channels), Int32(MPG123_ENC_FLOAT_32.rawValue), 0, &status)
        else { throw DecoderError("libsyn123 cannot be set up (\(status))") }
        status = syn123_setup_resample(handle, inputRate, outputRate, Int32(channels), 0, 0)
        guard status == 0 else {
            syn123_del(handle)
            throw DecoderError("libsyn123 cannot resample \(inputRate) Hz to \(outputRate) Hz")
        }
        self.handle = handle
        self.channels = channels
        self.inputRate = inputRate
        self.outputRate = outputRate
    }

    deinit { syn123_del(handle) }

    /// Resamples the next interleaved samples; `body` receives the result.
    package func consume(_ samples: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Float>) -> Void)
    {
        let frames = samples.count / channels
        let most = (frames * outputRate / inputRate + 16) * channels
        if output.count < most { output = [Float](repeating: 0, count: most) }
        output.withUnsafeMutableBufferPointer { output in
            guard let destination = output.baseAddress, let source = samples.baseAddress else { return }
            // The source is only read: the C signature lacks const.
            let made = syn123_resample(handle, destination, UnsafeMutablePointer(mutating: source), frames)
            body(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(output)[0..<made * channels]))
        }
    }
}
