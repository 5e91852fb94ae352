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
        guard let profile else {
            throw HTTPError(
                .unprocessableContent, code: "not_measured",
                message:
                    "This track has no profile yet, so it can be neither trimmed nor normalised. It can be had "
                    + "unaltered, without trim and normalize.")
        }
        var frames: Range<Int>?
        switch options.trim {
        case nil: break
        case .silence where profile.silence.isSilent: break
        case .silence:
            frames = Self.frames(
                from: profile.silence.leadingEndSeconds, to: profile.silence.trailingStartSeconds, stream,
                index)
        case .cue:
            frames = Self.frames(from: profile.cue.cueInSeconds, to: profile.cue.cueOutSeconds, stream, index)
        }
        var gain = GainChange(steps: 0)
        if let target = options.target {
            // Where tracks belong to no album, or it is not measured as a whole, each stands for itself.
            let album = options.loudness == .album ? album : nil
            let peak = album?.truePeak ?? profile.loudness.truePeak
            gain =
                NormalizedGain(
                    targetLUFS: target,
                    integratedLUFS: album?.integratedLUFS ?? profile.loudness.integratedLUFS,
                    truePeakDBTP: peak > 0 ? 20 * log10(peak) : nil, limitDBTP: options.peakLimit
                ).change
        }
        self.init(frames: frames, gain: gain)
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
