internal import Foundation

/// How far a run is.
package struct BatchStatus: Encodable, Sendable, Equatable {
    /// The root of the plan.
    package var root: String
    /// Number of parts.
    package var partCount: Int
    /// Parts without results.
    package var pending: [Int] = []
    /// Number of tracks. A file of a part without results counts as one, although a cue sheet may divide it.
    package var trackCount: Int
    /// Tracks that were decoded and measured.
    package var analyzedCount = 0
    /// Tracks with the same audio as an earlier one of their part.
    package var linkedCount = 0
    /// Number of files that could not be analysed, by error code.
    package var failures: [String: Int] = [:]
    /// Duration of the analysed tracks, in seconds.
    package var audioSeconds = 0.0
    /// Processor time, in seconds.
    package var coreSeconds = 0.0
    /// Tracks per second, from the start of the first part to the end of the last one; nil before a part is complete.
    package var tracksPerSecond: Double?

    /// Number of files that could not be analysed.
    package var failedCount: Int { failures.values.reduce(0, +) }
    /// Number of tracks in complete parts.
    package var doneCount: Int { analyzedCount + linkedCount + failedCount }
    /// Processor time per track in seconds; nil before a part is complete.
    package var coreSecondsPerTrack: Double? { doneCount > 0 ? coreSeconds / Double(doneCount) : nil }

    /// The price of the processor time, in the unit of the price per hour; nil without a price.
    package var cost: Double? { coreHourPrice.map { coreSeconds / 3_600 * $0 } }
    private let coreHourPrice: Double?

    /// Reads the state of a run.
    /// - Parameter coreHourPrice: the price of an hour on one core, in any unit.
    /// - Throws: `BatchError` `run` if it cannot be read.
    package init(_ run: BatchRun, _ plan: BatchPlan, coreHourPrice: Double? = nil) throws {
        self.coreHourPrice = coreHourPrice
        root = plan.root.text
        partCount = plan.partCount
        trackCount = plan.trackCount
        var start: Date?
        var end: Date?
        let complete = try run.partsWithResults(of: plan.partCount)
        let reports = try run.contents(of: .report, ofParts: complete.sorted())
        for number in 0..<plan.partCount {
            guard let report = reports[number].flatMap(PartReport.init(content:)) else {
                pending.append(number)
                continue
            }
            trackCount += report.trackCount - plan.fileCount(ofPart: number)
            analyzedCount += report.analyzedCount
            linkedCount += report.linkedCount
            failures.merge(report.failures, uniquingKeysWith: +)
            audioSeconds += report.audioSeconds
            coreSeconds += report.coreSeconds
            start = min(start ?? report.startedAt, report.startedAt)
            end = max(end ?? report.finishedAt, report.finishedAt)
        }
        if let start, let end, end > start {
            tracksPerSecond = Double(doneCount) / end.timeIntervalSince(start)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case root, pending, failures, cost
        case partCount = "parts"
        case trackCount = "tracks"
        case doneCount = "done"
        case analyzedCount = "analysed"
        case linkedCount = "linked"
        case failedCount = "failed"
        case audioSeconds = "audio_seconds"
        case coreSeconds = "core_seconds"
        case coreSecondsPerTrack = "core_seconds_per_track"
        case tracksPerSecond = "tracks_per_second"
    }

    /// Writes the values and those that follow from them.
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(root, forKey: .root)
        try values.encode(partCount, forKey: .partCount)
        try values.encode(pending, forKey: .pending)
        try values.encode(trackCount, forKey: .trackCount)
        try values.encode(doneCount, forKey: .doneCount)
        try values.encode(analyzedCount, forKey: .analyzedCount)
        try values.encode(linkedCount, forKey: .linkedCount)
        try values.encode(failedCount, forKey: .failedCount)
        try values.encode(failures, forKey: .failures)
        try values.encode(audioSeconds, forKey: .audioSeconds)
        try values.encode(coreSeconds, forKey: .coreSeconds)
        try values.encodeIfPresent(coreSecondsPerTrack, forKey: .coreSecondsPerTrack)
        try values.encodeIfPresent(tracksPerSecond, forKey: .tracksPerSecond)
        try values.encodeIfPresent(cost, forKey: .cost)
    }
}
