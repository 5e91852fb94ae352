internal import Analyzer
package import LibraryStore
package import Tagging

/// Computes the ReplayGain, tempo and key tags of tracks from stored analyses; decodes nothing and touches no file.
///
/// Album values are looked up once per album: use a planner for one pass over the tracks, on one thread.
package final class MeasuredTagPlanner {
    /// The possible actions for a track.
    package enum Outcome: Sendable, Equatable {
        /// Its tags are correct, as far as the library knows.
        case unchanged
        /// It is skipped because it already has values.
        case existing
        /// It must be analysed first.
        case notAnalysed
        /// It has no loudness to compute a gain from.
        case silent
        /// Its tags need this edit.
        case write(TagEdit)
    }

    /// The plan for a track.
    package struct Plan: Sendable, Equatable {
        /// The action for the track.
        package var outcome: Outcome
        /// The ReplayGain that its tags should have, as far as known.
        package var values = ReplayGainTags()
        /// The tempo that its tags should have; nil if it is unknown or not requested.
        package var bpm: Int?
        /// The key that its tags should have; nil if it is unknown or not requested.
        package var initialKey: String?
        /// Whether album values are missing because a track of the album has not been analysed.
        package var lacksAlbum = false
    }

    private enum Album: Hashable {
        case number(Int)
        case folder(RelativePath?)
    }

    private let library: LibraryStore
    private let options: MeasuredTagOptions
    private var albums: [Album: AlbumLoudness?] = [:]

    /// Maximum number of albums in the cache.
    private static let capacity = 10_000

    /// Creates a planner for a library.
    package init(library: LibraryStore, options: MeasuredTagOptions) {
        self.library = library
        self.options = options
    }

    /// Computes the values for a track's tags and whether they need an edit.
    /// - Throws: `DatabaseError`.
    package func plan(_ track: CatalogueTrack) throws -> Plan {
        // A file has one set of tags, which cannot hold the values of each track of its cue sheet.
        guard track.path.sheetTrack == nil else { return Plan(outcome: .unchanged) }
        var plan = options.hasReplayGain ? try replayGain(track) : Plan(outcome: .unchanged)
        guard plan.outcome != .notAnalysed, options.hasTempo || options.key != nil else { return plan }
        guard let music = try library.tempoAndKey(of: track.audioHash) else {
            return Plan(outcome: .notAnalysed)
        }
        var edit = TagEdit()
        if case .write(let replayGain) = plan.outcome { edit = replayGain }
        let mustWrite = !track.tags.kinds.holdsWrittenTagOnly
        if options.hasTempo, let bpm = music.bpm.map({ Int($0.rounded()) }), 1...999 ~= bpm,
            track.tags.bpm == nil || !options.skipsExisting
        {
            plan.bpm = bpm
            if mustWrite || track.tags.bpm != Double(bpm) { edit.bpm = .set(bpm) }
        }
        if let key = music.key.flatMap({ options.key?.text($0) }),
            track.tags.initialKey == nil || !options.skipsExisting
        {
            plan.initialKey = key
            if mustWrite || track.tags.initialKey != key { edit.initialKey = .set(key) }
        }
        if !edit.isEmpty { plan.outcome = .write(edit) }
        return plan
    }

    private func replayGain(_ track: CatalogueTrack) throws -> Plan {
        let known = track.tags.replayGain
        if options.skipsExisting, known.trackGainDB != nil, known.trackPeak != nil,
            album(of: track) == nil || known.albumGainDB != nil && known.albumPeak != nil
        {
            return Plan(outcome: .existing, values: known)
        }
        guard let loudness = try library.loudness(of: track.audioHash) else {
            return Plan(outcome: .notAnalysed)
        }
        let peak = options.peak == .sample ? loudness.samplePeak : loudness.truePeak
        guard let gain = options.gain(loudness.integratedLUFS, peak: peak).flatMap(ReplayGainEdit.Gain.init),
            let writtenPeak = ReplayGainEdit.Peak(peak)
        else { return Plan(outcome: .silent) }
        var edit = ReplayGainEdit()
        edit.trackGain = .set(gain)
        edit.trackPeak = .set(writtenPeak)
        var lacksAlbum = false
        if let album = album(of: track) {
            if let (gain, peak) = try values(of: album) {
                edit.albumGain = .set(gain)
                edit.albumPeak = .set(peak)
            } else {
                lacksAlbum = true
            }
        }
        let values = edit.applied(to: known)
        let isRight = values == known && track.tags.kinds.holdsWrittenTagOnly
        var tagEdit = TagEdit()
        tagEdit.replayGain = edit
        return Plan(outcome: isRight ? .unchanged : .write(tagEdit), values: values, lacksAlbum: lacksAlbum)
    }

    private func album(of track: CatalogueTrack) -> Album? {
        switch options.albums {
        case .tags: track.albumID.map { .number($0) }
        case .folder: .folder(track.path.audioFile.folder)
        case .none: nil
        }
    }

    private func values(of album: Album) throws -> (ReplayGainEdit.Gain, ReplayGainEdit.Peak)? {
        guard let loudness = try loudness(of: album) else { return nil }
        let peak = options.peak == .sample ? loudness.samplePeak : loudness.truePeak
        guard let gain = options.gain(loudness.integratedLUFS, peak: peak).flatMap(ReplayGainEdit.Gain.init),
            let writtenPeak = ReplayGainEdit.Peak(peak)
        else { return nil }
        return (gain, writtenPeak)
    }

    private func loudness(of album: Album) throws -> AlbumLoudness? {
        if let known = albums[album] { return known }
        if albums.count >= Self.capacity { albums.removeAll(keepingCapacity: true) }
        let loudness: AlbumLoudness? =
            switch album {
            case .number(let id): try library.albumLoudness(id: id)
            case .folder(let folder): try library.loudness(ofFolder: folder)
            }
        albums[album] = .some(loudness)
        return loudness
    }
}
