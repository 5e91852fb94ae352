/// Decodes frames so that each has exactly one result, in the order in which they are fed: its samples, or that it is lost.
///
/// The library skips frames that it cannot decode, without reporting which. Results therefore count as lost as soon as the
/// library lags behind further than it does by itself, so that everything that follows keeps its position. Not thread-safe.
package final class AlignedDecoder {
    /// The result of one frame.
    package enum Result {
        /// The interleaved samples, in a buffer that is valid during the call only, and their number of channels.
        case samples(UnsafeBufferPointer<Float>, channels: Int)
        /// The frame could not be decoded.
        case lost
    }

    /// Maximum number of frames by which libmpg123 lags behind its input: it checks the header after a frame before it accepts
    /// the first.
    private static let permittedLag = 2

    private let decoder: MPEGDecoder
    /// Number of frames that have been fed and have no result yet.
    private var waiting = 0

    /// Opens a decoder for one stream.
    /// - Throws: ``DecoderError`` if libmpg123 cannot be initialised.
    package init() throws(DecoderError) { decoder = try MPEGDecoder() }

    /// Feeds one whole frame.
    /// - Parameter body: receives the results that are ready; usually that of an earlier frame.
    package func decode(_ frame: RawSpan, _ body: (Result) -> Void) throws(DecoderError) {
        waiting += 1
        try decoder.decode(frame) { samples, channels in
            guard waiting > 0 else { return }
            waiting -= 1
            body(.samples(samples, channels: channels))
        }
        while waiting > Self.permittedLag { lose(body) }
    }

    /// Ends the stream: frames without a result are lost.
    package func finish(_ body: (Result) -> Void) {
        while waiting > 0 { lose(body) }
    }

    private func lose(_ body: (Result) -> Void) {
        waiting -= 1
        body(.lost)
    }
}
