internal import CSWResample

/// Converts 16-bit samples to one channel at the rate of a fingerprint.
protocol FingerprintConverter: AnyObject {
    /// Takes samples of each channel, all of one length, and passes on what can be computed from all so far.
    func process(_ channels: [[Int16]], _ body: (UnsafeBufferPointer<Int16>) -> Void)
}

/// Converts 16-bit samples to one channel at 11,025 Hz with libswresample.
///
/// The options are those of `fpcalc`, so that fingerprints are equal to the bit: a windowed sinc of 16 zero crossings in 256
/// phases, interpolated between them, with a cutoff of 0.8 of the lower Nyquist frequency.
final class FingerprintResampler: FingerprintConverter {
    /// The output rate in Hz.
    static let outputRate = 11_025

    /// Zero crossings of the filter, and its cutoff as a fraction of the lower Nyquist frequency.
    private static let (crossings, cutoff) = (16, 0.8)

    /// The length of the filter in input samples if the input rate is a multiple of the output rate.
    static func filterLength(decimatingBy factor: Int) -> Int {
        Int((Double(crossings * factor) / cutoff).rounded())
    }

    private var context: OpaquePointer?
    private let inputRate: Int
    private var output: [Int16] = []

    /// - Returns: nil if libswresample refuses the format.
    init?(inputRate: Int, channelCount: Int) {
        self.inputRate = inputRate
        var (input, mono) = (AVChannelLayout(), AVChannelLayout())
        av_channel_layout_default(&input, Int32(channelCount))
        av_channel_layout_default(&mono, 1)
        let made = swr_alloc_set_opts2(
            &context, &mono, AV_SAMPLE_FMT_S16, Int32(Self.outputRate), &input, AV_SAMPLE_FMT_S16P,
            Int32(inputRate), 0, nil)
        guard made == 0, let context else { return nil }
        let options = UnsafeMutableRawPointer(context)
        av_opt_set_int(options, "filter_size", Int64(Self.crossings), 0)
        av_opt_set_int(options, "phase_shift", 8, 0)
        av_opt_set_int(options, "linear_interp", 1, 0)
        av_opt_set_double(options, "cutoff", Self.cutoff, 0)
        guard swr_init(context) == 0 else { return nil }
    }

    deinit { swr_free(&context) }

    func process(_ channels: [[Int16]], _ body: (UnsafeBufferPointer<Int16>) -> Void) {
        guard let count = channels.first?.count, count > 0 else { return }
        let most = count * Self.outputRate / inputRate + 256
        if output.count < most { output = [Int16](repeating: 0, count: most) }
        let made = output.withUnsafeMutableBytes { output in
            channels[0].withUnsafeBytes { left in
                channels[channels.count - 1].withUnsafeBytes { right in
                    var inputs = [left, right].map { $0.bindMemory(to: UInt8.self).baseAddress }
                    var outputs = [output.bindMemory(to: UInt8.self).baseAddress]
                    return swr_convert(context, &outputs, Int32(most), &inputs, Int32(count))
                }
            }
        }
        guard made > 0 else { return }
        output.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[..<Int(made)])) }
    }
}
