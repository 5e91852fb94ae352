extension PCMAudioStream {
    /// Returns what precedes the samples in a WAV file of its own with a part of the samples of another one: the same description of
    /// their format, and no other chunks.
    /// - Parameters:
    ///   - bytes: the WAV file that the samples are from.
    ///   - byteCount: size of the samples in bytes.
    /// - Returns: nil if the file has no description, or the samples are too many for a WAV file.
    package static func partHead(of bytes: RawSpan, byteCount: Int) -> [UInt8]? {
        guard container(of: bytes) == .wav, let format = WAVHeader(bytes).format, format.count < 1 << 16
        else { return nil }
        let formatSize = format.count + format.count % 2
        let size = 4 + 8 + formatSize + 8 + byteCount + byteCount % 2
        guard size <= Int(UInt32.max) else { return nil }
        func little(_ number: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        var head = Array("RIFF".utf8) + little(size) + Array("WAVEfmt ".utf8) + little(format.count)
        for place in format { head.append(bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self)) }
        if format.count % 2 != 0 { head.append(0) }
        return head + Array("data".utf8) + little(byteCount)
    }
}
