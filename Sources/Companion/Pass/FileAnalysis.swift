package import Analyzer
internal import CueSheets
internal import FileSystem
package import LibraryStore
package import MusicFiles
internal import Tagging

/// Reads and measures single files: the same for a pass, a host's queue and the parts of a batch.
package struct FileAnalysis: Sendable {
    private let analyzer: TrackAnalyzer
    private let stageTimes: StageTimes?
    private let spoolFolder: String

    /// Prepares analyses.
    /// - Parameters:
    ///   - spoolFolder: a folder on disk for the spectra of long tracks until they are stored.
    ///   - stageTimes: collects the time spent in each stage; nil to measure no times.
    ///   - isCancelled: called several times per second; true ends an analysis with the error `cancelled`.
    package init(
        settings: AnalysisSettings = AnalysisSettings(), spoolFolder: String, stageTimes: StageTimes? = nil,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) {
        analyzer = TrackAnalyzer(
            settings: settings, spoolFolder: spoolFolder, stageTimes: stageTimes, isCancelled: isCancelled)
        self.stageTimes = stageTimes
        self.spoolFolder = spoolFolder
    }

    /// The tracks of a file.
    package struct Reading: Sendable {
        /// The file's tracks: one, or those of its cue sheet.
        package var records: [TrackRecord]
        /// How the file is divided into them.
        package var division: FileDivision

        /// Memberwise initializer.
        package init(records: [TrackRecord], division: FileDivision) {
            self.records = records
            self.division = division
        }
    }

    /// Measures the tracks of a file: those of its cue sheet, each as if it were a file of its own, or the whole file.
    /// - Parameters:
    ///   - path: the path under which the library knows the file.
    ///   - source: where its cue sheets are.
    ///   - file: the mapped file.
    ///   - place: where the tags are read from: the absolute path of the same file.
    ///   - neededParts: called once the audio hash of a track is known, before decoding; returns the parts to compute.
    /// - Throws: the reason why the file cannot be analysed, or that it changed while being read.
    package func read(
        _ path: RelativePath, in source: some CueSheetSource, _ file: MappedFile, at place: [UInt8],
        neededParts: (AudioHash) -> AnalysisParts
    ) throws(AnalyzerError) -> Reading {
        let sheets = source.cueSheets(beside: path)
        var division = FileDivision(path: path, sheets: sheets.state(for: path))
        let choice = CueSheetChoice(for: path, sheets, in: source, EmbeddedCueSheets(in: file))
        if !choice.isEmpty {
            var outcome = CueSheetChoice.Outcome.whole(remark: nil)
            let parts = try AudioPart.find(in: file) { audio in
                outcome = choice.division(of: audio)
                guard case .divided(_, let tracks) = outcome else { return [] }
                return tracks.map(\.samples)
            }
            switch outcome {
            case .divided(let sheet, let tracks):
                let records = try records(
                    of: zip(tracks.map(\.track), parts), in: sheet, path, file, Self.tags(place), neededParts)
                division.trackNumbers = tracks.map(\.track.number)
                return Reading(records: records, division: division)
            case .whole(let remark): division.remark = remark
            }
        }
        let record = try record(of: path, in: file, at: place, neededParts: neededParts)
        return Reading(records: [record], division: division)
    }

    /// Measures the tracks of a sheet, each in a file of its own.
    private func records(
        of tracks: some Sequence<(CueSheet.Track, AudioPart)>, in sheet: CueSheet, _ path: RelativePath,
        _ file: MappedFile, _ tags: TrackTags, _ neededParts: (AudioHash) -> AnalysisParts
    ) throws(AnalyzerError) -> [TrackRecord] {
        var records: [TrackRecord] = []
        for (track, part) in tracks {
            guard let own = RelativePath(sheetTrack: track.number, of: path) else { continue }
            let spool: FileDescriptor
            do throws(SystemError) {
                spool = try FileDescriptor.openTemporary(in: spoolFolder)
            } catch {
                throw AnalyzerError(.fileUnreadable, "the track cannot be split from its file: \(error)")
            }
            try PartFile.write(part, of: file, to: spool)
            file.release(before: part.bytes.upperBound)
            let outcome = try analyzer.analyze(
                try MappedFile(descriptor: spool.number), neededParts: neededParts)
            records.append(
                TrackRecord(
                    outcome, path: own, file: file.state,
                    tags: TrackTags(of: track, in: sheet, file: tags), part: part))
        }
        try file.verifyUnchanged()
        return records
    }

    /// Measures a file and reads its tags.
    /// - Parameters:
    ///   - path: the path under which the library knows the file.
    ///   - file: the mapped file.
    ///   - place: where the tags are read from: the absolute path of the same file.
    ///   - neededParts: called once the audio hash is known, before decoding; returns the parts to compute.
    /// - Throws: the reason why the file cannot be analysed, or that it changed while being read.
    private func record(
        of path: RelativePath, in file: MappedFile, at place: [UInt8],
        neededParts: (AudioHash) -> AnalysisParts
    ) throws(AnalyzerError) -> TrackRecord {
        let outcome = try analyzer.analyze(file, neededParts: neededParts)
        let tags = stageTimes.map { $0.measure(.tags) { Self.tags(place) } } ?? Self.tags(place)
        return TrackRecord(outcome, path: path, file: file.state, tags: tags)
    }

    /// Unreadable tags count as empty: the audio matters more.
    private static func tags(_ place: [UInt8]) -> TrackTags {
        (try? TrackTags.read(from: place)) ?? TrackTags()
    }
}

extension TrackRecord {
    /// The record of an analysis.
    fileprivate init(
        _ outcome: TrackAnalyzer.Outcome, path: RelativePath, file: FileState, tags: TrackTags,
        part: AudioPart? = nil
    ) {
        let (hash, analysis, offset): (AudioHash, TrackAnalysis?, Int) =
            switch outcome {
            case .analyzed(let analysis, let offset): (analysis.audioHash, analysis, offset)
            case .known(let hash, let offset): (hash, nil, offset)
            }
        self.init(
            path: path, file: file, audioHash: hash, tags: tags, analysis: analysis, payloadOffset: offset,
            part: part)
    }
}
