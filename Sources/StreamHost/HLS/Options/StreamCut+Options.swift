internal import Analyzer
internal import Foundation
internal import HTTPServer
internal import MPEGAudio

extension StreamCut {
    /// What the options come to for a track: by what is stored of it, without a look at its file.
    ///
    /// - Parameters:
    ///   - index: the track's frames.
    ///   - album: loudness of the track's album, where it is known.
    /// - Throws: 422 where the track was not measured for what is asked for.
    init(
        _ options: StreamOptions, stream: StreamDescription, profile: TrackProfile?, index: FrameIndex,
        album: AlbumLoudness?
    ) throws(HTTPError) {
        guard !options.areNone else {
            self = .whole
            return
        }
        let frames = try Self.frames(options, stream, profile, index)
        let gain = try Self.gain(options, profile, album)
        self.init(
            frames: frames, gain: gain,
            fadeFrameCount: Self.fadeFrameCount(options, stream, (frames ?? 0..<index.count).count))
    }

    private static func measured(_ profile: TrackProfile?) throws(HTTPError) -> TrackProfile {
        if let profile { return profile }
        throw HTTPError(
            .unprocessableContent, code: "not_measured",
            message:
                "This track has no profile yet, so it can be neither trimmed nor normalised. It can be had "
                + "unaltered, without trim and normalize.")
    }

    /// The frames that are left of a track; nil for all.
    private static func frames(
        _ options: StreamOptions, _ stream: StreamDescription, _ profile: TrackProfile?, _ index: FrameIndex
    ) throws(HTTPError) -> Range<Int>? {
        guard let trim = options.trim else { return nil }
        let profile = try measured(profile)
        switch trim {
        case .silence where profile.silence.isSilent: return nil
        case .silence:
            return frames(
                from: profile.silence.leadingEndSeconds, to: profile.silence.trailingStartSeconds, stream,
                index)
        case .cue:
            return frames(from: profile.cue.cueInSeconds, to: profile.cue.cueOutSeconds, stream, index)
        }
    }

    private static func gain(
        _ options: StreamOptions, _ profile: TrackProfile?, _ album: AlbumLoudness?
    ) throws(HTTPError) -> GainChange {
        guard let target = options.target else { return GainChange(steps: 0) }
        let profile = try measured(profile)
        // Where tracks belong to no album, or it is not measured as a whole, each stands for itself.
        let album = options.loudness == .album ? album : nil
        let peak = album?.truePeak ?? profile.loudness.truePeak
        return NormalizedGain(
            targetLUFS: target,
            integratedLUFS: album?.integratedLUFS ?? profile.loudness.integratedLUFS,
            truePeakDBTP: peak > 0 ? 20 * log10(peak) : nil, limitDBTP: options.peakLimit
        ).change
    }

    /// How many frames the fade takes: of a short track no more than half.
    private static func fadeFrameCount(
        _ options: StreamOptions, _ stream: StreamDescription, _ count: Int
    ) -> Int {
        guard let seconds = options.fade else { return 0 }
        let frames = seconds * Double(stream.sampleRateHz) / Double(stream.samplesPerFrame)
        return min(count / 2, Int(frames.rounded()))
    }

    /// The frames that sound from one time to another, with those before them that their decoding needs; nil for all.
    ///
    /// Times count as a gapless player does, frames as a plain decoder plays them.
    private static func frames(
        from start: Double, to end: Double, _ stream: StreamDescription, _ index: FrameIndex
    ) -> Range<Int>? {
        guard end > start, index.count > 0 else { return nil }
        let rate = Double(stream.sampleRateHz)
        let lead = Double(stream.headTrimSamples)
        let first = index.frame(atTime: max(0, start + lead / rate)) ?? 0
        let last = index.frame(atTime: max(0, end + lead / rate)) ?? index.count - 1
        let frames = BitReservoir.frameEarlyEnough(toDecode: first, index: index)..<max(first, last) + 1
        return frames == 0..<index.count ? nil : frames
    }
}
