internal import Analyzer
public import Tagging

/// Works out the ReplayGain tags of tracks from what is stored of them; nothing is decoded, no file is touched.
///
/// Album values are looked up once an album: a planner is for one go over tracks, from one thread.
public final class ReplayGainPlanner {
    /// What is to be done with a track.
    public enum Outcome: Sendable, Equatable {
        /// Its tags say what they should, as far as the library knows.
        case right
        /// It has values, and is to be left alone for that.
        case existing
        /// It has to be analysed first.
        case notAnalysed
        /// It has no loudness that a gain could be made of.
        case silent
        /// Its tags are to say this.
        case write(ReplayGainEdit)
    }

    /// The values for a track.
    public struct Plan: Sendable, Equatable {
        /// What is to be done.
        public var outcome: Outcome
        /// The values that its tags are to have, as far as there are any.
        public var values = ReplayGainTags()
        /// Whether album values were asked for and are not to be had, since a track of the album is not analysed.
        public var lacksAlbum = false
    }

    private enum Album: Hashable {
        case number(Int)
        case folder(RelativePath?)
    }

    private let library: LibraryStore
    private let options: ReplayGainOptions
    private var albums: [Album: AlbumLoudness?] = [:]

    /// Albums remembered.
    private static let capacity = 10_000

    /// A planner over a library.
    public init(library: LibraryStore, options: ReplayGainOptions) {
        self.library = library
        self.options = options
    }

    /// What a track's tags should say, and whether they do.
    /// - Throws: `DatabaseError`.
    public func plan(_ track: CatalogueTrack) throws -> Plan {
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
        // Values in an APE tag are no reason to leave ID3v2 without them.
        let isRight = values == known && track.tags.kinds.contains(.id3v2) && !track.tags.kinds.contains(.ape)
        return Plan(outcome: isRight ? .right : .write(edit), values: values, lacksAlbum: lacksAlbum)
    }

    private func album(of track: CatalogueTrack) -> Album? {
        switch options.albums {
        case .tags: track.albumID.map { .number($0) }
        case .folder: .folder(track.path.folder)
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
