/// The sample rates that the measurements are made for.
enum SampleRates {
    private static let supported = 8_000...384_000

    /// - Throws: `unsupportedSampleRate` for a rate in Hz outside 8 to 384 kHz.
    static func require(_ rate: Int) throws(AnalyzerError) {
        guard supported.contains(rate) else {
            throw AnalyzerError(
                .unsupportedSampleRate,
                "the sample rate is \(rate) Hz; supported are \(supported.lowerBound) to "
                    + "\(supported.upperBound) Hz")
        }
    }
}
