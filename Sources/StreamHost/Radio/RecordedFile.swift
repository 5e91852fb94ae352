internal import Foundation
internal import FragmentedMP4
internal import MusicFiles
internal import MusicShared
internal import RadioRelay
internal import Tagging

/// A file that a recording is written to: MP3 frames as they are, AAC frames in MP4. Used by one thread.
final class RecordedFile {
    /// Frames of a fragment of MP4: about a second.
    private static let fragmentFrames = 43

    let kind: StationFrame.Kind
    /// The title as the station reported it; empty if it reported none.
    let title: String
    /// Time of the first sample in milliseconds since 1970.
    let startMilliseconds: Double
    /// Samples per channel so far.
    private(set) var sampleCount = 0

    // The batch owns the folder of the file, and deletes it at its end.
    private let batch: StagedBatch
    private let file: StagedFile
    private var waiting: [StationFrame] = []
    private var fragmentCount = 0
    /// Samples in the fragments so far.
    private var writtenSamples = 0

    /// Creates an empty file.
    /// - Throws: `IntakeError` if there is no space, or the system fails to create it.
    init(_ kind: StationFrame.Kind, title: String, startMilliseconds: Double, intake: MusicIntake)
        throws(IntakeError)
    {
        self.kind = kind
        self.title = title
        self.startMilliseconds = startMilliseconds
        // A song; more is checked as it is written.
        try intake.requireSpace(for: 16 << 20)
        batch = try intake.makeBatch()
        file = try intake.makeFile(in: batch)
        guard kind.format == .aac else { return }
        let coding = AudioSampleEntry.Coding.aac(configuration: kind.configuration, codec: "mp4a.40.2")
        file.append(
            InitializationSegment.bytes(
                AudioSampleEntry(
                    coding: coding, sampleRate: kind.sampleRate, channelCount: kind.channelCount, bitDepth: 16
                )))
    }

    /// Duration in seconds.
    var seconds: Double { Double(sampleCount) / Double(kind.sampleRate) }

    /// Appends a frame of the file's kind.
    func append(_ frame: StationFrame) throws(IntakeError) {
        switch kind.format {
        case .mp3: file.append(frame.bytes)
        case .aac:
            // The rare frames with several units would have to be taken apart.
            guard frame.kind.sampleCount == 1024 else { return }
            waiting.append(frame)
            if waiting.count >= Self.fragmentFrames { writeFragment() }
        }
        sampleCount += frame.kind.sampleCount
        if let failure = file.failure { throw failure }
    }

    private func writeFragment() {
        guard !waiting.isEmpty else { return }
        fragmentCount += 1
        let units = waiting.map { $0.bytes.dropFirst($0.headerLength) }
        file.append(
            FragmentHeader.bytes(
                number: fragmentCount, startSample: writtenSamples,
                samples: units.map { FragmentHeader.Sample(byteCount: $0.count, duration: 1024) }))
        file.append(units.flatMap { $0 })
        writtenSamples += 1024 * waiting.count
        waiting = []
    }

    /// Imports the file into the library as an upload.
    func finish(stationName: String, intake: MusicIntake) -> IntakeResult? {
        if kind.format == .aac { writeFragment() }
        let name = "\(title.isEmpty ? stationName : title).\(kind.format == .mp3 ? "mp3" : "m4a")"
        return intake.takeIn(file, named: name, edit: edit(stationName: stationName)).first
    }

    private func edit(stationName: String) -> TagEdit {
        let date = Date(timeIntervalSince1970: startMilliseconds / 1000)
        let text = date.formatted(Self.dateStyle).replacing("T", with: " ")
        var edit = TagEdit()
        let parts = StationTitleParts(title)
        edit.title = .set(
            parts.title.isEmpty ? "\(stationName) \(text.replacing(":", with: "."))" : parts.title)
        edit.artist = .set(parts.artist ?? stationName)
        edit.album = .set(stationName)
        edit.albumArtist = .set(stationName)
        if let year = Int(text.prefix(4)) { edit.year = .set(year) }
        edit.comment = .set("Recorded from \(stationName) on \(text) UTC")
        return edit
    }

    private static let dateStyle = Date.ISO8601FormatStyle().year().month().day().dateSeparator(.dash)
        .time(includingFractionalSeconds: false).timeSeparator(.colon)
}
