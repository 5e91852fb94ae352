internal import CMPG123

/// Decodes MPEG audio frames to interleaved Float samples: owns one libmpg123 handle.
///
/// Fed with whole frames, of which it plays every sample: delay and padding are left for the caller to trim, and
/// Xing/Info frames must not be fed. Not thread-safe: each worker owns its own.
package final class MPEGDecoder {
    private let handle: OpaquePointer

    private static let initialised: Bool = mpg123_init() == MPG123_OK.rawValue

    /// Opens a decoder for one stream.
    /// - Throws: ``DecoderError`` if libmpg123 cannot be initialised.
    package init() throws(DecoderError) {
        guard Self.initialised else { throw DecoderError("libmpg123 cannot be initialised") }
        var status: Int32 = 0
        guard let handle = mpg123_new(nil, &status) else {
            throw DecoderError("libmpg123: \(Self.text(of: status))")
        }
        self.handle = handle
        // The frame index, not the library, decides what is a frame and what is trimmed.
        let flags = MPG123_FORCE_FLOAT.rawValue | MPG123_QUIET.rawValue | MPG123_IGNORE_INFOFRAME.rawValue
        try check(mpg123_param2(handle, Int32(MPG123_FLAGS.rawValue), Int(flags), 0))
        try check(mpg123_param2(handle, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_GAPLESS.rawValue), 0))
        try check(mpg123_format_none(handle))
        for rate in [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] {
            try check(
                mpg123_format(
                    handle, rate, Int32(MPG123_MONO.rawValue | MPG123_STEREO.rawValue),
                    Int32(MPG123_ENC_FLOAT_32.rawValue)))
        }
        try check(mpg123_open_feed(handle))
    }

    deinit { mpg123_delete(handle) }

    /// Feeds one or more whole frames, and decodes what is complete; damaged data is skipped.
    /// - Parameter body: receives the interleaved samples and the channel count of each decoded frame; the buffer is the
    ///   library's own and is valid during the call only.
    package func decode(
        _ frames: RawSpan, _ body: (UnsafeBufferPointer<Float>, _ channels: Int) -> Void
    ) throws(DecoderError) {
        try feed(frames)
        while try decodeFrame(body) {}
    }

    private func feed(_ frames: RawSpan) throws(DecoderError) {
        let status = frames.withUnsafeBytes {
            mpg123_feed(handle, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count)
        }
        try check(status)
    }

    /// Decodes the next frame.
    /// - Returns: false if the bytes fed so far hold no further whole frame, or damaged data was skipped.
    private func decodeFrame(
        _ body: (UnsafeBufferPointer<Float>, _ channels: Int) -> Void
    ) throws(DecoderError) -> Bool {
        var frameNumber = 0
        var audio: UnsafeMutablePointer<UInt8>?
        var byteCount = 0
        while true {
            let status = mpg123_decode_frame(handle, &frameNumber, &audio, &byteCount)
            switch status {
            case MPG123_NEW_FORMAT.rawValue:
                try readFormat()
                if byteCount == 0 { continue }
            case MPG123_NEED_MORE.rawValue, MPG123_DONE.rawValue:
                if byteCount == 0 { return false }
            case MPG123_OK.rawValue:
                if byteCount == 0 { continue }
            default:
                return false
            }
            if channels == 0 { try readFormat() }
            let sampleCount = byteCount / MemoryLayout<Float>.stride
            audio?.withMemoryRebound(to: Float.self, capacity: sampleCount) {
                body(UnsafeBufferPointer(start: $0, count: sampleCount), channels)
            }
            return true
        }
    }

    private var channels = 0

    private func readFormat() throws(DecoderError) {
        var rate = 0
        var channelCount: Int32 = 0
        var encoding: Int32 = 0
        try check(mpg123_getformat(handle, &rate, &channelCount, &encoding))
        channels = Int(channelCount)
    }

    private func check(_ status: Int32) throws(DecoderError) {
        guard status != MPG123_OK.rawValue else { return }
        throw DecoderError("libmpg123: \(Self.text(of: status))")
    }

    private static func text(of status: Int32) -> String {
        mpg123_plain_strerror(status).map { String(cString: $0) } ?? "error \(status)"
    }
}
