internal import APIDescription
internal import Analyzer
internal import Foundation
internal import HTTPServer
internal import MPEGAudio

extension StreamCut {
    /// Computes the cut for a track from stored data, without reading its file.
    ///
    /// - Parameters:
    ///   - stream: The stream to cut: the track's own, or that which it is converted to.
    ///   - frames: Its frames.
    ///   - album: Loudness of the track's album, if known.
    /// - Throws: 422 if the track has not been measured but the options require it.
    init(
        _ options: StreamOptions, stream: StreamDescription, profile: TrackProfile?,
        frames timed: some TimedFrames, album: AlbumLoudness?
    ) throws(HTTPError) {
        guard !options.areNone else {
            self = .whole
            return
        }
        let frames = try Self.frames(options, stream, profile, timed)
        let gain = try Self.gain(options, profile, album)
        self.init(
            frames: frames, gain: gain,
            fadeFrameCount: Self.fadeFrameCount(options, stream, (frames ?? 0..<timed.count).count))
    }

    private static func measured(_ profile: TrackProfile?) throws(HTTPError) -> TrackProfile {
        if let profile { return profile }
        throw APIError.notMeasured(
            "This track has not been analysed yet, so it cannot be trimmed or normalised. "
                + "Omit trim and normalize to stream it unaltered.")
    }

    /// Returns the frames that remain after trimming; nil for all.
    private static func frames(
        _ options: StreamOptions, _ stream: StreamDescription, _ profile: TrackProfile?,
        _ timed: some TimedFrames
    ) throws(HTTPError) -> Range<Int>? {
        guard let trim = options.trim else { return nil }
        let profile = try measured(profile)
        switch trim {
        case .silence where profile.silence.isSilent: return nil
        case .silence:
            return frames(
                from: profile.silence.leadingEndSeconds, to: profile.silence.trailingStartSeconds, stream,
                timed)
        case .cue:
            return frames(from: profile.cue.cueInSeconds, to: profile.cue.cueOutSeconds, stream, timed)
        }
    }

    private static func gain(
        _ options: StreamOptions, _ profile: TrackProfile?, _ album: AlbumLoudness?
    ) throws(HTTPError) -> GainChange {
        guard let target = options.target else { return GainChange(steps: 0) }
        let profile = try measured(profile)
        // Fall back to the track's loudness if there is no album, or its loudness is unknown.
        let album = options.loudness == .album ? album : nil
        let peak = album?.truePeak ?? profile.loudness.truePeak
        return NormalizedGain(
            targetLUFS: target,
            integratedLUFS: album?.integratedLUFS ?? profile.loudness.integratedLUFS,
            truePeakDBTP: peak > 0 ? 20 * log10(peak) : nil, limitDBTP: options.peakLimit
        ).change
    }

    /// Returns the number of frames to fade: at most half of the track.
    private static func fadeFrameCount(
        _ options: StreamOptions, _ stream: StreamDescription, _ count: Int
    ) -> Int {
        guard let seconds = options.fade else { return 0 }
        let frames = seconds * Double(stream.sampleRateHz) / Double(stream.samplesPerFrame)
        return min(count / 2, Int(frames.rounded()))
    }

    /// Returns the cut without frames at the ends that contain only encoder delay or padding.
    ///
    /// Samples are counted as decoded, 529 later than encoded: `headTrimSamples` at the start and the padding
    /// minus 529 at the end are not music (the filterbank of ISO/IEC 11172-3, counted as LAME does). So no
    /// music is lost even in a decoder that is reset between tracks. Frames needed to decode the first music
    /// are kept.
    func withoutPadding(of stream: StreamDescription, _ index: FrameIndex) -> StreamCut {
        // With frames of varying length, frame numbers do not map to samples.
        guard frames == nil, index.sections.count == 1, stream.samplesPerFrame > 0 else { return self }
        let perFrame = stream.samplesPerFrame
        let end = (stream.headTrimSamples + stream.sampleCount + perFrame - 1) / perFrame
        let first = stream.headTrimSamples / perFrame
        guard first < end else { return self }
        let start = BitReservoir.frameEarlyEnough(toDecode: first, index: index)
        let left = start..<min(end, index.count)
        guard left != 0..<index.count, !left.isEmpty else { return self }
        return StreamCut(frames: left, gain: gain, fadeFrameCount: min(fadeFrameCount, left.count / 2))
    }

    /// Returns the frames that are audible between two times, and preceding frames needed to decode them; nil
    /// for all. Times are on the gapless timeline, frames on that of a plain decoder.
    private static func frames(
        from start: Double, to end: Double, _ stream: StreamDescription, _ timed: some TimedFrames
    ) -> Range<Int>? {
        guard end > start, timed.count > 0 else { return nil }
        let rate = Double(stream.sampleRateHz)
        let lead = Double(stream.headTrimSamples)
        let first = timed.frame(atTime: max(0, start + lead / rate)) ?? 0
        let last = timed.frame(atTime: max(0, end + lead / rate)) ?? timed.count - 1
        let frames = timed.firstFrame(toDecode: first)..<max(first, last) + 1
        return frames == 0..<timed.count ? nil : frames
    }
}
