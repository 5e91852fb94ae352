internal import Analyzer
internal import SQLiteDatabase

/// Finds files with the same recording by their fingerprints, whatever their tags say.
///
/// Three steps, so that large libraries take seconds: tracks that share several words of their fingerprints are candidates;
/// these are compared bit by bit at all alignments; those with the same notes are compared by their spectra. Comparing only with the group's best file keeps chains of ever more
/// different files from growing together.
package struct DuplicateFinder {
    /// Tracks of one recording may differ in length by this much, in seconds: both ends may be trimmed.
    package static let longestDifference = 10.5
    /// Candidates share at least this many of the sampled words.
    private static let sharedWords = 2
    /// A word in more tracks than this says nothing about the recording.
    private static let mostTracks = 200

    /// A track with what the search needs of it.
    struct Entry: Sendable {
        let id: Int
        let hash: AudioHash
        let durationSeconds: Double
    }

    /// Peak-to-loudness ratios of two encodings differ by no more than this, in dB; the second value if one is mono.
    private static let largestPLRDifference = (2.0, 4.0)

    private let library: LibraryStore
    private let spectra: SpectrumStore

    package init(library: LibraryStore, spectra: SpectrumStore) {
        self.library = library
        self.spectra = spectra
    }

    /// Returns the groups of all available tracks, those with the most bytes to free first.
    package func groups() throws -> [DuplicateGroup] {
        let (entries, words) = try library.fingerprintWords()
        var neighbours: [Int: [Int]] = [:]
        for (first, second) in Self.candidates(entries, words) {
            neighbours[first, default: []].append(second)
            neighbours[second, default: []].append(first)
        }
        var groups: [DuplicateGroup] = []
        var assigned: Set<Int> = []
        let tracks = try library.duplicateCandidates(neighbours.keys.map { entries[$0].id })
        let order = neighbours.keys.compactMap { index in
            tracks[entries[index].id].map { (index, $0, FileQuality($0)) }
        }.sorted { $0.2 > $1.2 }
        for (index, best, _) in order where assigned.insert(index).inserted {
            var copies: [DuplicateGroup.Copy] = []
            for other in neighbours[index] ?? [] where !assigned.contains(other) {
                guard let track = tracks[entries[other].id], let difference = try difference(best, track)
                else { continue }
                assigned.insert(other)
                copies.append(DuplicateGroup.Copy(track: track, difference: difference))
            }
            guard !copies.isEmpty else { continue }
            copies.sort { FileQuality($0.track) > FileQuality($1.track) }
            groups.append(DuplicateGroup(best: best, copies: copies))
        }
        return groups.sorted { $0.copyBytes > $1.copyBytes }
    }

    /// The fraction of differing bits of two files of the same recording; nil for different recordings, and where a file has no
    /// stored spectra.
    private func difference(_ first: AnalysedTrack, _ second: AnalysedTrack) throws -> Double? {
        if first.track.audioHash == second.track.audioHash { return 0 }
        guard let one = first.analysis, let other = second.analysis,
            let match = other.profile?.fingerprint.flatMap({ one.profile?.fingerprint?.match($0) }),
            match.hasSameNotes, Self.haveSamePeaks(one, other),
            let mine = try spectra.frames(of: first.track.audioHash),
            let others = try spectra.frames(of: second.track.audioHash),
            let spectra = SpectraDifference.between(mine, others, offset: match.offsetSeconds)
        else { return nil }
        let hasSameRate = one.stream.sampleRateHz == other.stream.sampleRateHz
        return match.isSameRecording(spectra: spectra, hasSameRate: hasSameRate) ? match.difference : nil
    }

    /// Whether the peaks rise equally far above the loudness: added drums raise them.
    private static func haveSamePeaks(_ one: TrackAnalysis, _ other: TrackAnalysis) -> Bool {
        let limit =
            one.stream.channels == other.stream.channels ? largestPLRDifference.0 : largestPLRDifference.1
        let ratios = [one, other].map { $0.profile?.loudness.peakToLoudnessDB ?? 0 }
        return abs(ratios[0] - ratios[1]) <= limit
    }

    /// Returns pairs of indices of tracks that may be the same recording.
    /// - Parameter words: pairs of a sampled word (upper half) and a track's index (lower half).
    private static func candidates(_ entries: [Entry], _ words: [UInt64]) -> [(Int, Int)] {
        let sorted = words.sorted()
        var shared: [UInt64: Int] = [:]
        var start = 0
        while start < sorted.count {
            var end = start
            while end < sorted.count, sorted[end] >> 32 == sorted[start] >> 32 { end += 1 }
            if end - start > 1, end - start <= mostTracks {
                for i in start..<end {
                    for j in i + 1..<end {
                        let (first, second) = (
                            Int(UInt32(truncatingIfNeeded: sorted[i])),
                            Int(UInt32(truncatingIfNeeded: sorted[j]))
                        )
                        guard first != second,
                            abs(entries[first].durationSeconds - entries[second].durationSeconds)
                                <= longestDifference
                        else { continue }
                        shared[UInt64(first) << 32 | UInt64(second), default: 0] += 1
                    }
                }
            }
            start = end
        }
        var pairs = shared.filter { $0.value >= sharedWords }.map {
            (Int($0.key >> 32), Int(UInt32(truncatingIfNeeded: $0.key)))
        }
        // The same audio twice, however short.
        for copies in Dictionary(grouping: entries.indices, by: { entries[$0].hash }).values {
            for copy in copies.dropFirst() { pairs.append((copies[0], copy)) }
        }
        return pairs
    }
}

extension DuplicateGroup {
    /// Size of the files besides the best, in bytes.
    package var copyBytes: Int { copies.reduce(0) { $0 + $1.track.track.file.size } }
}

extension LibraryStore {
    /// Returns all available tracks, and sampled words of their fingerprints: the same words in every track, about an eighth
    /// of all, without repetitions. Two encodings share a third of them, or more.
    fileprivate func fingerprintWords() throws -> (entries: [DuplicateFinder.Entry], words: [UInt64]) {
        try read { database in
            var entries: [DuplicateFinder.Entry] = []
            var words: [UInt64] = []
            try database.forEach(
                """
                SELECT tracks.id AS track_id, tracks.audio_hash AS hash, analyses.duration_seconds AS seconds,
                    analysis_details.fingerprint AS fingerprint
                FROM tracks \(AnalysisRow.joins)
                WHERE tracks.unavailable_since_ms IS NULL AND analyses.duration_seconds IS NOT NULL
                """
            ) { row in
                let bytes: [UInt8]? = try row["fingerprint"]
                let index = UInt64(entries.count)
                entries.append(
                    DuplicateFinder.Entry(
                        id: try row["track_id"], hash: try TrackRow.hash(row["hash"]),
                        durationSeconds: try row["seconds"]))
                guard let fingerprint = bytes.flatMap({ AudioFingerprint(bytes: $0) }) else { return }
                for word in Set(fingerprint.words) where (word &* 0x9E37_79B1) >> 29 == 0 {
                    words.append(UInt64(word) << 32 | index)
                }
            }
            return (entries, words)
        }
    }

    /// Returns tracks with their analyses, by ID.
    fileprivate func duplicateCandidates(_ ids: [Int]) throws -> [Int: AnalysedTrack] {
        var tracks: [Int: AnalysedTrack] = [:]
        for id in ids {
            guard var track = try track(id: id) else { continue }
            // Only what a comparison needs.
            track.analysis?.stream.frameIndex = []
            track.analysis?.profile?.waveform.extremes = []
            tracks[id] = track
        }
        return tracks
    }
}
