internal import APIDescription
internal import Foundation
package import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import Tagging

/// The body of `POST /replaygain`.
struct ReplayGainRequest: JSONContent, Sendable {
    let options: MeasuredTagOptions
    let page: TrackPageRequest

    static let keys =
        ["replay_gain", "bpm", "key", "album", "peak", "clip_mode", "target_lufs", "skip_existing"]
        + TrackPageRequest.keys

    private enum CodingKeys: String, CodingKey {
        case bpm, key, album, peak
        case replayGain = "replay_gain"
        case clipMode = "clip_mode"
        case targetLUFS = "target_lufs"
        case skipExisting = "skip_existing"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func choice<Value: RawRepresentable<String>>(_ key: CodingKeys, _ standard: Value) throws -> Value {
            guard values.contains(key) else { return standard }
            let text = try values.decode(String.self, forKey: key)
            guard let value = Value(rawValue: text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: values, debugDescription: "unknown value")
            }
            return value
        }
        var options = MeasuredTagOptions()
        options.albums = try choice(.album, options.albums)
        options.peak = try choice(.peak, options.peak)
        options.clipMode = try choice(.clipMode, options.clipMode)
        options.targetLUFS = try values.decode(.targetLUFS, orElse: options.targetLUFS)
        options.hasReplayGain = try values.decode(.replayGain, orElse: true)
        options.hasTempo = try values.decode(.bpm, orElse: false)
        if values.contains(.key) { options.key = try choice(.key, .musical) }
        options.skipsExisting = try values.decode(.skipExisting, orElse: false)
        self.options = options
        page = try TrackPageRequest(from: decoder)
    }
}

/// Writes ReplayGain 2.0 tags, and on request tempo and key, from the stored measurements, without decoding.
///
/// As with ``BulkFixRoutes``, a dry run is the default, and tracks must be selected explicitly.
package struct ReplayGainRoutes: DescribedRoutes {
    /// The result for a track's tags.
    enum Outcome: String, CaseIterable {
        case written
        case unchanged = "right"
        case existing, silent
        case notAnalysed = "not_analysed"
    }

    let edits: EditQueue

    /// Memberwise initializer.
    package init(edits: EditQueue) {
        self.edits = edits
    }

    package func add(to routes: some RouteCollection) {
        routes.post(Routes.replayGain) { request in
            let content = try await request.json(ReplayGainRequest.self)
            guard MeasuredTagOptions.targets.contains(content.options.targetLUFS) else {
                throw APIError.invalidValue("target_lufs must be between -30 and -5.", field: "target_lufs")
            }
            let options = content.options
            guard options.hasReplayGain || options.hasTempo || options.key != nil else {
                throw APIError.nothingSelected("Specify replay_gain, bpm or key.", field: "replay_gain")
            }
            return try content.page.response(edits, .measurements) { [library = edits.library] in
                MeasuredTagPlanner(library: library, options: content.options)
            } plan: {
                try Self.plan($0, $1)
            }
        }
    }

    private static func plan(_ planner: MeasuredTagPlanner, _ track: CatalogueTrack) throws -> EditPlan {
        let found = try planner.plan(track)
        var plan = EditPlan(track)
        plan.unchangedOutcome = Outcome.unchanged.rawValue
        if found.values != ReplayGainTags() { plan.result.replayGain = ReplayGainValues(found.values) }
        plan.result.bpm = found.bpm
        plan.result.initialKey = found.initialKey
        let outcome: Outcome
        switch found.outcome {
        case .unchanged: outcome = .unchanged
        case .existing: outcome = .existing
        case .silent: outcome = .silent
        case .notAnalysed: outcome = .notAnalysed
        case .write(let edit):
            outcome = .written
            plan.edit = edit
        }
        plan.result.outcome = outcome.rawValue
        return plan
    }
}
