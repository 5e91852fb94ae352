/// A run of decoded samples, one buffer per channel, passed from the decoder to the measurements.
struct PCMBlock {
    /// The channels, all of the same length.
    let channels: [UnsafeBufferPointer<Float>]
    /// The channels if there are one or two; otherwise their mix to two.
    let stereo: [UnsafeBufferPointer<Float>]
    /// The mean of ``stereo``; for mono the channel itself.
    let mono: UnsafeBufferPointer<Float>

    /// - Parameter stereo: the mix of more than two channels.
    init(
        channels: [UnsafeBufferPointer<Float>], stereo: [UnsafeBufferPointer<Float>]? = nil,
        mono: UnsafeBufferPointer<Float>
    ) {
        self.channels = channels
        self.stereo = stereo ?? channels
        self.mono = mono
    }

    /// Samples per channel.
    var count: Int { mono.count }
}
