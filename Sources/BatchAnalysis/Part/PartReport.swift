package import Foundation

/// How the analysis of a part went: everything about it that may differ each time.
package struct PartReport: Codable, Sendable, Equatable {
    /// Number of the part.
    package var part: Int
    /// Tracks that were decoded and measured.
    package var analyzedCount = 0
    /// Tracks whose audio occurs earlier in the part.
    package var linkedCount = 0
    /// Number of files that could not be analysed, by error code.
    package var failures: [String: Int] = [:]
    /// Duration of the analysed tracks, in seconds.
    package var audioSeconds = 0.0
    /// Processor time of the process, in seconds.
    package var coreSeconds = 0.0
    /// When it started.
    package var startedAt: Date
    /// When it ended.
    package var finishedAt: Date

    /// Number of files that could not be analysed.
    package var failedCount: Int { failures.values.reduce(0, +) }
    /// Number of tracks of the part.
    package var trackCount: Int { analyzedCount + linkedCount + failedCount }

    private enum CodingKeys: String, CodingKey {
        case part, failures
        case analyzedCount = "analysed"
        case linkedCount = "linked"
        case audioSeconds = "audio_seconds"
        case coreSeconds = "core_seconds"
        case startedAt = "started_at"
        case finishedAt = "finished_at"
    }

    /// Creates the report of a part that starts now.
    init(part: Int) {
        self.part = part
        startedAt = Date()
        finishedAt = startedAt
    }

    /// Reads the content of a report; nil if it cannot be decoded.
    init?(content: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        guard let report = try? decoder.decode(Self.self, from: Data(content)) else { return nil }
        self = report
    }

    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(self)
    }

    /// Processor time of this process so far, in seconds.
    static var processSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
