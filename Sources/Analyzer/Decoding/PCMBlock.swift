/// A run of decoded samples, one buffer per channel, passed from the decoder to the measurements.
struct PCMBlock {
    /// One or two channels, all of the same length.
    let channels: [UnsafeBufferPointer<Float>]
    /// The mean of the channels; for mono the channel itself.
    let mono: UnsafeBufferPointer<Float>

    /// Samples per channel.
    var count: Int { mono.count }
}
