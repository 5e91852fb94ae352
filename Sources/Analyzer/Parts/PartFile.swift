internal import FLACAudio
internal import FLACDecoder
package import FileSystem
internal import PCMAudio

/// Makes a file of its own from a part of another one, without loss: the same bytes each time.
package enum PartFile {
    /// Writes a part as a file of the same format that starts and ends with its first and last sample.
    ///
    /// Frames of FLAC keep their coded samples; those across the part's ends are written uncoded. Damaged frames become silence, as
    /// they are measured.
    /// - Parameters:
    ///   - part: the part.
    ///   - source: the whole file, as it was when the part was found.
    ///   - output: an empty file.
    /// - Throws: `fileChanged` if the file has changed; `noAudio` if the part is not in it; `fileUnreadable` if the output cannot be
    ///   written.
    package static func write(
        _ part: AudioPart, of source: MappedFile, to output: borrowing FileDescriptor
    ) throws(AnalyzerError) {
        do throws(AnalyzerError) {
            try source.withBytes { bytes throws(AnalyzerError) in
                if let metadata = FLACMetadata(bytes) {
                    var flac = try FLACPart(part, of: bytes, metadata.info)
                    try flac.write(bytes, to: output)
                } else {
                    try writeSamples(part, bytes, to: output)
                }
            }
        } catch {
            try source.verifyUnchanged()
            throw error
        }
        try source.verifyUnchanged()
    }

    private static func writeSamples(
        _ part: AudioPart, _ bytes: RawSpan, to output: borrowing FileDescriptor
    ) throws(AnalyzerError) {
        guard part.bytes.lowerBound >= 0, part.bytes.upperBound <= bytes.byteCount,
            let head = PCMAudioStream.partHead(of: bytes, byteCount: part.bytes.count)
        else { throw missing }
        do throws(SystemError) {
            try output.write(head)
            try bytes.extracting(part.bytes).withUnsafeBytes { samples throws(SystemError) in
                try output.write(samples)
            }
            if part.bytes.count % 2 != 0 { try output.write([0]) }
        } catch {
            throw unwritable(error)
        }
    }

    static let missing = AnalyzerError(.noAudio, "the part of the audio is not in the file")

    static func unwritable(_ error: SystemError) -> AnalyzerError {
        AnalyzerError(.fileUnreadable, "the track cannot be split from its file: \(error)")
    }
}
