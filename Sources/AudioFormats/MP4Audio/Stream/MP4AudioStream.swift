public import AudioFrames

/// The audio of an MP4 file: its codec, the location of its access units, its exact length, and irregularities.
///
/// Created from the file's tables; nothing is decoded. Of several tracks the first with AAC or ALAC counts; covers, chapters and
/// video are ignored.
public struct MP4AudioStream: Sendable, Hashable {
    /// Codec, access units and timeline.
    public let index: MP4AudioIndex
    /// From the start of the first access unit in the file to the end of the last. The tables and tags lie outside, so a hash of
    /// these bytes identifies the audio.
    public let payload: Range<Int>
    /// Irregularities of the file.
    public let diagnostics: MP4Diagnostics

    /// Exact number of samples per channel that gapless players play.
    public var sampleCount: Int { index.played.count }
    /// Exact duration in seconds.
    public var durationSeconds: Double { Double(sampleCount) / Double(index.codec.sampleRate) }
    /// Average bit rate in bits per second: the size of all units over their duration.
    public var averageBitRate: Int {
        let seconds = Double(index.units.sampleCount) / Double(index.codec.sampleRate)
        return seconds > 0 ? Int(Double(index.units.byteCount) * 8 / seconds + 0.5) : 0
    }

    /// Interval in bytes at which progress is reported to the caller.
    private static let reportInterval = 1 << 22

    /// Whether the bytes are an MP4 file: whether they start with an `ftyp` box.
    public static func isMP4(_ bytes: RawSpan) -> Bool {
        bytes.code(at: 4, in: 0..<bytes.byteCount) == "ftyp"
    }

    /// Scans the stream in `bytes`, which must be a complete file.
    ///
    /// Time is linear in the number of bytes, memory in the number of access units.
    /// - Parameters:
    ///   - passed: called every few megabytes with an offset that has been passed, so that memory of a mapped file can be released;
    ///     bytes before it may be read once more.
    ///   - probe: decodes some of the first access units of AAC and returns the size of what a decoder makes of one, nil if it is
    ///     unknown: some files do not signal spectral band replication or parametric stereo.
    /// - Throws: `otherFileType`, `truncated` without an index, `encrypted`, `unsupportedCodec`, and `noAudio`. Missing access units
    ///   and other damage are *not* errors.
    public static func scan(
        _ bytes: RawSpan, passed: (Int) -> Void = { _ in },
        probe: (AACConfiguration, [Range<Int>]) -> DecodedUnit? = { _, _ in nil }
    ) throws(AudioFormatError) -> MP4AudioStream {
        guard isMP4(bytes) else { throw AudioFormatError(.otherFileType, "this is not an MP4 file") }
        guard let movie = MP4Box.first("moov", bytes, in: 0..<bytes.byteCount) else {
            throw AudioFormatError(
                .truncated,
                "the file ends before its index (moov): its end is missing, or it was never finished")
        }
        var diagnostics = MP4Diagnostics()
        let track = try track(bytes, movie.contents, &diagnostics)
        var collector = UnitCollector(fileSize: bytes.byteCount)
        SampleTable(bytes, track.table).collect(bytes, into: &collector)
        let fragments = MovieFragments(track: track.number, bytes, movie: movie.contents)
        MP4Box.forEach(bytes, in: 0..<bytes.byteCount) { box in
            if box.type == "moof" { fragments.collect(bytes, box, into: &collector) }
            return true
        }
        guard collector.units.count > 0 else {
            if collector.missingUnits > 0 {
                throw AudioFormatError(.truncated, "the file ends before its first audio: its end is missing")
            }
            throw AudioFormatError(.noAudio, "the MP4 file's audio track is empty")
        }
        diagnostics.missingUnits = collector.missingUnits
        diagnostics.emptyUnits = collector.emptyUnits
        diagnostics.hasOverlappingUnits = collector.isOverlapping
        return MP4AudioStream(
            bytes, track.probed(collector.units, probe), collector, movie.contents, diagnostics, passed)
    }

    /// Returns the first track that can be read.
    private static func track(
        _ bytes: RawSpan, _ movie: Range<Int>, _ diagnostics: inout MP4Diagnostics
    ) throws(AudioFormatError) -> AudioTrack {
        var found: AudioTrack?
        var reason = AudioFormatError(.noAudio, "the MP4 file contains no audio track")
        var count = 0
        MP4Box.forEach(bytes, in: movie) { box in
            guard box.type == "trak", AudioTrack.isAudio(bytes, box.contents) else { return true }
            count += 1
            guard found == nil else { return true }
            do throws(AudioFormatError) {
                found = try AudioTrack(bytes, box.contents)
            } catch {
                if count == 1 || error.code == .encrypted { reason = error }
            }
            return true
        }
        guard let found else { throw reason }
        diagnostics.otherAudioTracks = count - 1
        return found
    }

    private init(
        _ bytes: RawSpan, _ track: AudioTrack, _ collector: UnitCollector, _ movie: Range<Int>,
        _ diagnostics: MP4Diagnostics, _ passed: (Int) -> Void
    ) {
        payload = collector.lowest..<collector.highest
        var reported = 0
        let units = collector.units.mapped(usualSamples: track.codec.unitSamples, start: payload.lowerBound) {
            unit in
            if unit.range.lowerBound - reported >= Self.reportInterval {
                reported = unit.range.lowerBound
                passed(reported)
            }
            return track.codec.sampleCount(of: unit.range, bytes)
        }
        let movieScale = Self.movieScale(bytes, movie) ?? track.mediaScale
        let timeline = MP4Timeline(
            codec: track.codec, decoded: units.sampleCount, mediaScale: track.mediaScale,
            mediaDuration: collector.mediaDuration, movieScale: movieScale)
        let edits = EditList(bytes, track: track.range, movieScale: movieScale, mediaScale: track.mediaScale)
        let played = timeline.played(edits, ITunesGapless(bytes, movie: movie))
        index = MP4AudioIndex(codec: track.codec, units: units, played: played)
        var diagnostics = diagnostics
        diagnostics.missingSamples = max(0, played.upperBound - units.sampleCount)
        self.diagnostics = diagnostics
    }

    private static func movieScale(_ bytes: RawSpan, _ movie: Range<Int>) -> Int? {
        guard let header = MP4Box.first("mvhd", bytes, in: movie),
            let version = bytes.number(at: header.start, byteCount: 1, in: header.contents),
            let scale = bytes.number(
                at: header.start + (version == 1 ? 20 : 12), byteCount: 4, in: header.contents)
        else { return nil }
        return scale > 0 ? scale : nil
    }
}
