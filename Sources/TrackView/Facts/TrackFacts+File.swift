internal import Analyzer
internal import Companion
internal import LibraryStore
internal import Tagging
internal import MusicShared

extension TrackFacts {
    /// The tags.
    var tagFacts: [Fact] {
        let tags = track.tags
        var facts: [Fact] = []
        func add(_ label: String, _ value: String?) {
            if let value, !value.isEmpty { facts.append(Fact(label, value)) }
        }
        add("title", tags.title)
        add("artist", tags.artist)
        add("album", tags.album)
        add("album artist", tags.albumArtist)
        add("track", Self.text(tags.track))
        add("disc", Self.text(tags.disc))
        add("year", tags.year.map(String.init))
        add("genre", tags.genre)
        add("composer", tags.composer)
        add("comment", tags.comment)
        if tags.isCompilation { add("compilation", "yes") }
        add("cover", tags.hasCover ? "embedded" : "none")
        add("MusicBrainz", tags.musicBrainzAlbumID)
        add("tagged tempo", tags.bpm.map { $0 == $0.rounded() ? "\(Int($0)) BPM" : "\($0) BPM" })
        add("tagged key", tags.initialKey)
        add("tagged gain", Self.text(tags.replayGain))
        add(
            "tagged ramps", [tags.mixRamp.start, tags.mixRamp.end].compactMap { $0 }.joined(separator: " · "))
        let names = tags.kinds.names
        add("kinds", names.isEmpty ? "no tags" : names.joined(separator: ", "))
        return facts
    }

    /// The stream.
    var formatFacts: [Fact] {
        guard let stream = analysis?.stream else { return [] }
        let channels = stream.channels == 1 ? "mono" : stream.channels == 2 ? "stereo" : "\(stream.channels)"
        return [
            Fact("duration", NumberText.clock(stream.durationSeconds), note: samples(stream.sampleCount)),
            Fact("encoding", Self.encoding(of: stream), note: channels),
            Fact("sample rate", "\(NumberText.grouped(stream.sampleRateHz)) Hz"),
            Fact(
                "bit rate", NumberText.fixed(Double(stream.averageBitRate) / 1000, 1, unit: "kbit/s"),
                note: Self.modes[stream.bitRateMode] ?? stream.bitRateMode),
            Fact(
                "frames", NumberText.grouped(stream.frameCount),
                note: "× \(NumberText.grouped(stream.samplesPerFrame)) samples"),
        ] + (stream.format == .mp3 ? trimmingFacts(stream) : [])
    }

    private func trimmingFacts(_ stream: StreamDescription) -> [Fact] {
        [
            Fact(
                "trimmed",
                "\(NumberText.grouped(stream.encoderDelaySamples)) + "
                    + "\(NumberText.grouped(stream.encoderPaddingSamples)) samples",
                note: "encoder delay + padding"),
            Fact("untrimmed", samples(stream.decodedSampleCount)),
        ]
    }

    private static func encoding(of stream: StreamDescription) -> String {
        switch stream.format {
        case .mp3: "\(text(ofVersion: stream.mpegVersion ?? "1")) layer III"
        case .flac: "FLAC" + depth(of: stream)
        case .aac: "AAC"
        case .alac: "ALAC" + depth(of: stream)
        case .opus: "Opus"
        case .vorbis: "Vorbis"
        case .wav: "WAV, PCM" + depth(of: stream)
        case .aiff: "AIFF, PCM" + depth(of: stream)
        }
    }

    private static func depth(of stream: StreamDescription) -> String {
        stream.bitDepth.map { ", \($0) bit" } ?? ""
    }

    /// The file and the data stored for it.
    var fileFacts: [Fact] {
        var facts = [
            Fact("path", track.path.text), Fact("size", "\(NumberText.grouped(track.file.size)) bytes"),
            Fact("track id", String(track.id)), Fact("audio hash", track.audioHash.description),
        ]
        if let analysis {
            facts.append(Fact("analyzer", "version \(analysis.version)"))
            let index = NumberText.grouped(analysis.stream.frameIndex.count)
            facts.append(Fact("frame index", "\(index) bytes"))
        }
        if let frames {
            facts.append(
                Fact(
                    "visualizer", "\(NumberText.grouped(frames.frameCount)) frames",
                    note: "× \(frames.bandCount) bands, \(frames.framesPerSecond)/s"))
        }
        return facts
    }

    private static let modes = [
        "constant": "constant (CBR)", "variable": "variable (VBR)", "average": "average (ABR)",
        "free": "free format", "lossless": "lossless",
    ]

    /// Returns "MPEG-2.5" for "2.5"; analyses name the version either way.
    private static func text(ofVersion version: String) -> String {
        version.hasPrefix("MPEG") ? version : "MPEG-" + version
    }

    private func samples(_ count: Int) -> String { "\(NumberText.grouped(count)) samples" }

    private static func text(_ place: NumberInSet) -> String? {
        switch (place.number, place.total) {
        case (let number?, let total?): "\(number) of \(total)"
        case (let number?, nil): "\(number)"
        case (nil, let total?): "? of \(total)"
        case (nil, nil): nil
        }
    }

    private static func text(_ gain: ReplayGainTags) -> String? {
        let parts = [
            gain.trackGainDB.map { "track " + NumberText.fixed($0, 2, unit: "dB", signed: true) },
            gain.albumGainDB.map { "album " + NumberText.fixed($0, 2, unit: "dB", signed: true) },
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " · ")
    }
}
