extension CueSheet {
    /// The part of the audio that a track is.
    package struct Part: Sendable, Hashable {
        /// The track.
        package var track: Track
        /// Its samples per channel.
        package var samples: Range<Int>
    }

    /// Returns the parts of the audio that the tracks are, in order.
    ///
    /// A track starts at its index 01 and ends where the next one starts, so the pause before a track belongs to the one before it, as on
    /// a player of compact discs, and the parts follow each other without a gap. What precedes the first track belongs to none. The
    /// last track ends with the audio, or at the sheet's lead-out.
    /// - Parameters:
    ///   - sampleRate: samples per second of the audio.
    ///   - sampleCount: samples per channel of the audio.
    /// - Throws: the reason why the sheet does not divide this audio.
    package func division(sampleRate: Int, sampleCount: Int) throws(CueSheetError) -> [Part] {
        guard files.count <= 1 else {
            throw CueSheetError(
                .severalFiles,
                "the cue sheet names \(files.count) files; only sheets of one file are split into tracks")
        }
        guard tracks.count(where: \.isAudio) > 1 else {
            throw CueSheetError(.singleTrack, "the cue sheet has fewer than two audio tracks")
        }
        let starts = try starts(sampleRate: sampleRate, sampleCount: sampleCount)
        var end = sampleCount
        if let stated = self.end?.sample(at: sampleRate), let last = starts.last, stated > last {
            end = min(end, stated)
        }
        var parts: [Part] = []
        for (place, track) in tracks.prefix(starts.count).enumerated() where track.isAudio {
            let next = place + 1 < starts.count ? starts[place + 1] : end
            parts.append(Part(track: track, samples: starts[place]..<next))
        }
        return parts
    }

    /// Returns the first sample of each track, ascending.
    private func starts(sampleRate: Int, sampleCount: Int) throws(CueSheetError) -> [Int] {
        var starts: [Int] = []
        var previous: Track?
        for track in tracks {
            guard let start = track.start?.sample(at: sampleRate) else {
                throw CueSheetError(
                    .invalidPositions, "track \(track.number) of the cue sheet has no INDEX 01")
            }
            if let previous, track.number <= previous.number {
                throw CueSheetError(
                    .invalidPositions,
                    "track \(track.number) of the cue sheet follows track \(previous.number)")
            }
            let pause = track.pause?.sample(at: sampleRate) ?? start
            guard pause <= start, starts.last.map({ $0 < start && $0 <= pause }) ?? true else {
                throw CueSheetError(
                    .invalidPositions,
                    "track \(track.number) of the cue sheet does not start after the one before it: the indexes overlap"
                )
            }
            guard start < sampleCount else {
                // Data after the audio of an enhanced disc is not in the file.
                if tracks[starts.count...].allSatisfy({ !$0.isAudio }) { return starts }
                throw CueSheetError(
                    .invalidPositions,
                    "track \(track.number) of the cue sheet starts after the end of the audio")
            }
            starts.append(start)
            previous = track
        }
        return starts
    }
}
