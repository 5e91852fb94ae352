internal import CSWResample

/// Converts the sample rate of decoded sound with libswresample, without a delay: the first sample of the output is at the time of
/// the first of the input.
///
/// A windowed sinc with linear phase, of 64 zero crossings and a cutoff of 0.97 of the lower Nyquist frequency.
///
/// Not thread-safe: use one for each stream.
package final class RateConverter {
    private var context: OpaquePointer?
    private let channelCount: Int
    private let inputRate: Int
    private let outputRate: Int
    private var output: [Float] = []

    /// - Throws: `decoderFailed` if libswresample refuses the rates or the number of channels.
    package init(from inputRate: Int, to outputRate: Int, channelCount: Int) throws(AnalyzerError) {
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.channelCount = channelCount
        var (input, output) = (AVChannelLayout(), AVChannelLayout())
        av_channel_layout_default(&input, Int32(channelCount))
        av_channel_layout_default(&output, Int32(channelCount))
        let made = swr_alloc_set_opts2(
            &context, &output, AV_SAMPLE_FMT_FLT, Int32(outputRate), &input, AV_SAMPLE_FMT_FLTP,
            Int32(inputRate), 0, nil)
        if made == 0, let context {
            let options = UnsafeMutableRawPointer(context)
            av_opt_set_int(options, "filter_size", 64, 0)
            av_opt_set_double(options, "cutoff", 0.97, 0)
            if swr_init(context) == 0 { return }
        }
        swr_free(&context)
        throw AnalyzerError(
            .decoderFailed, "libswresample cannot convert \(inputRate) Hz to \(outputRate) Hz")
    }

    deinit { swr_free(&context) }

    /// Takes samples of each channel, all of one length; `body` receives interleaved samples, as many as can be computed from all so
    /// far.
    package func consume(
        _ channels: [UnsafeBufferPointer<Float>], _ body: (UnsafeBufferPointer<Float>) -> Void
    ) {
        guard channels.count == channelCount, let count = channels.first?.count, count > 0 else { return }
        var inputs = channels.map { UnsafeRawBufferPointer($0).bindMemory(to: UInt8.self).baseAddress }
        convert(&inputs, count, body)
    }

    /// Passes on the last samples, which were held back for samples after them.
    package func finish(_ body: (UnsafeBufferPointer<Float>) -> Void) { convert(nil, 0, body) }

    private func convert(
        _ inputs: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int,
        _ body: (UnsafeBufferPointer<Float>) -> Void
    ) {
        let most = count * outputRate / inputRate + 4096
        if output.count < most * channelCount {
            output = [Float](repeating: 0, count: most * channelCount)
        }
        let made = output.withUnsafeMutableBytes { output in
            var outputs = [output.bindMemory(to: UInt8.self).baseAddress]
            return swr_convert(context, &outputs, Int32(most), inputs, Int32(count))
        }
        guard made > 0 else { return }
        output.withUnsafeBufferPointer {
            body(UnsafeBufferPointer(rebasing: $0[..<(Int(made) * channelCount)]))
        }
    }
}
