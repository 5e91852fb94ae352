internal import Analyzer
internal import SQLiteDatabase

/// Finds files with the same recording by their fingerprints, whatever their tags say.
///
/// Three steps, so that large libraries take seconds: tracks that share several words of their fingerprints are candidates;
/// these are compared bit by bit at all alignments; those with the same notes are compared by their spectra. Comparing only
/// with the group's best file keeps chains of ever more different files from growing together.
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

    /// Since this version of the analysis, spectra have the same resolution at every sample rate.
    private static let firstComparableVersion = 14

    private let library: LibraryStore
    private let spectra: SpectrumStore

    package init(library: LibraryStore, spectra: SpectrumStore) {
        self.library = library
        self.spectra = spectra
    }

    /// The properties of a track that are compared.
    private struct Candidate {
        var file: DuplicateGroup.File
        let fingerprint: AudioFingerprint?
        /// The sample rate in Hz.
        let sampleRateHz: Int

        init?(_ track: AnalysedTrack) {
            guard let file = DuplicateGroup.File(track), let analysis = track.analysis else { return nil }
            self.file = file
            fingerprint = analysis.profile?.fingerprint
            sampleRateHz = analysis.stream.sampleRateHz
        }
    }

    /// Returns the groups of all available tracks, those with the largest copies first.
    ///
    /// A file may be in two groups: with its own copies, and as a possible copy of a better file.
    package func groups() throws -> [DuplicateGroup] {
        let (entries, words) = try library.fingerprintWords()
        var neighbours: [Int: [Int]] = [:]
        for (first, second) in Self.candidates(entries, words) {
            neighbours[first, default: []].append(second)
            neighbours[second, default: []].append(first)
        }
        var candidates: [Int: Candidate] = [:]
        for index in neighbours.keys {
            candidates[index] = try library.track(id: entries[index].id).flatMap { Candidate($0) }
        }
        var copies: [Int: [DuplicateGroup.File]] = [:]
        var assigned: Set<Int> = []
        var possible: [(best: Int, copy: Int, file: DuplicateGroup.File)] = []
        let ranked = candidates.sorted { DuplicateGroup.File.isWorse($1.value.file, $0.value.file) }
        for (index, best) in ranked where !assigned.contains(index) {
            copies[index] = []
            for other in neighbours[index] ?? [] where !assigned.contains(other) && copies[other] == nil {
                guard let copy = try candidates[other].flatMap({ try copy($0, of: best) }) else { continue }
                if copy.isCertain {
                    assigned.insert(other)
                    copies[index]?.append(copy)
                } else {
                    possible.append((index, other, copy))
                }
            }
        }
        // A file that only may be a copy keeps its own copies: one of another sample rate is not compared with those.
        for (best, other, file) in possible where assigned.insert(other).inserted {
            copies[best]?.append(file)
        }
        let groups = copies.compactMap { index, copies -> DuplicateGroup? in
            guard let best = candidates[index], !copies.isEmpty else { return nil }
            return DuplicateGroup(
                best: best.file, copies: copies.sorted { DuplicateGroup.File.isWorse($1, $0) })
        }
        return groups.sorted {
            ($0.copyBytes, $1.best.track.path.text) > ($1.copyBytes, $0.best.track.path.text)
        }
    }

    /// Returns a file compared with the best of a group; nil for different recordings, and where a file has no stored spectra.
    ///
    /// Spectra are of the mono mix, so that those of stereo can be compared with those of mono. Those of other sample rates can be since
    /// ``firstComparableVersion``.
    private func copy(_ candidate: Candidate, of best: Candidate) throws -> DuplicateGroup.File? {
        var file = candidate.file
        let (hash, otherHash) = (best.file.track.audioHash, file.track.audioHash)
        if hash == otherHash { return file }
        guard let match = candidate.fingerprint.flatMap({ best.fingerprint?.match($0) }), match.hasSameNotes
        else { return nil }
        file.difference = match.difference
        guard let mine = try spectra.description(of: hash),
            let others = try spectra.description(of: otherHash)
        else { return nil }
        let versions = (mine.analyzerVersion, others.analyzerVersion)
        let isOld = min(versions.0, versions.1) < Self.firstComparableVersion
        var difference: SpectraDifference?
        if !isOld || versions.0 == versions.1 && best.sampleRateHz == candidate.sampleRateHz {
            guard let mine = try spectra.frames(of: hash), let others = try spectra.frames(of: otherHash)
            else { return nil }
            difference = SpectraDifference.between(mine, others, offset: match.offsetSeconds)
            if difference == nil { return nil }
        }
        let likeness = match.likeness(spectra: difference)
        file.isCertain = likeness == .same
        return likeness == .different ? nil : file
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
}
