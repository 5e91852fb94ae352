internal import Analyzer
internal import Companion
internal import LibraryStore
internal import Tagging

/// All facts about a track as text: labels and values in groups, for terminal and picture.
struct TrackFacts {
    /// A labelled value.
    struct Fact: Equatable {
        /// The label.
        var label: String
        /// The value with its unit.
        var value: String
        /// A less important addition.
        var note: String?

        init(_ label: String, _ value: String, note: String? = nil) {
            self.label = label
            self.value = value
            self.note = note
        }
    }

    /// Facts that belong together.
    struct Group: Equatable {
        /// Heading.
        var title: String
        /// The facts.
        var facts: [Fact]
    }

    let analysed: AnalysedTrack
    let frames: VisualizerSpectra?

    init(_ track: AnalysedTrack, frames: VisualizerSpectra?) {
        analysed = track
        self.frames = frames
    }

    var track: CatalogueTrack { analysed.track }
    var analysis: TrackAnalysis? { analysed.analysis }

    /// The track's title, or its file's name.
    var title: String { track.tags.title ?? track.path.name }

    /// Artist, album and year on one line; empty if no tag names them.
    var byline: String {
        let tags = track.tags
        let album = tags.album.map { album in album + (tags.year.map { " (\($0))" } ?? "") }
        return [tags.artist ?? tags.albumArtist, album ?? tags.year.map(String.init)].compactMap { $0 }
            .joined(separator: " — ")
    }

    /// All groups that are not empty.
    var groups: [Group] {
        [
            Group(title: "Tags", facts: tagFacts), Group(title: "Format", facts: formatFacts),
            Group(title: "File", facts: fileFacts), Group(title: "Loudness", facts: loudnessFacts),
            Group(title: "Cue points", facts: cueFacts), Group(title: "Music", facts: musicFacts),
        ].filter { !$0.facts.isEmpty }
    }

    /// Warnings about the track, a sentence each.
    var remarks: [String] {
        var remarks: [String] = []
        if track.unavailableSince != nil { remarks.append("the file is gone or cannot be read") }
        guard let analysis else { return remarks + ["not analysed yet"] }
        if analysis.version != TrackAnalysis.currentVersion {
            remarks.append(
                "analysed by version \(analysis.version) of the analyzer; version "
                    + "\(TrackAnalysis.currentVersion) would measure it again")
        }
        if analysis.profile == nil { remarks.append("no profile: only visualizer frames were made") }
        if analysis.profile?.silence.isSilent == true { remarks.append("silent throughout") }
        remarks += analysis.stream.remarks
        let stream = analysis.stream
        if stream.skippedBytes > 0 {
            remarks.append("\(NumberText.grouped(stream.skippedBytes)) bytes between frames belong to none")
        }
        if stream.resyncCount > 0 {
            let times = stream.resyncCount == 1 ? "once" : "\(NumberText.grouped(stream.resyncCount)) times"
            remarks.append("the chain of frames was lost and found again \(times)")
        }
        return remarks
    }
}
