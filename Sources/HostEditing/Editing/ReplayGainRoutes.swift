internal import APIDescription
internal import Foundation
package import HTTPServer
internal import LibraryStore
internal import MusicFiles
internal import MusicShared
internal import Tagging

/// The body of `POST /replaygain`.
struct ReplayGainRequest: JSONContent, Sendable {
    let options: ReplayGainOptions
    let dryRun: Bool
    let page: TrackPageRequest

    static let keys =
        ["album", "peak", "clip_mode", "target_lufs", "skip_existing", "dry_run"] + TrackPageRequest.keys

    private enum CodingKeys: String, CodingKey {
        case album, peak
        case clipMode = "clip_mode"
        case targetLUFS = "target_lufs"
        case skipExisting = "skip_existing"
        case dryRun = "dry_run"
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
        var options = ReplayGainOptions()
        options.albums = try choice(.album, options.albums)
        options.peak = try choice(.peak, options.peak)
        options.clipMode = try choice(.clipMode, options.clipMode)
        options.targetLUFS = try values.decode(.targetLUFS, orElse: options.targetLUFS)
        options.skipsExisting = try values.decode(.skipExisting, orElse: false)
        self.options = options
        dryRun = try values.decode(.dryRun, orElse: true)
        page = try TrackPageRequest(from: decoder)
    }
}

/// Writes ReplayGain 2.0 tags from the stored measurements, without decoding.
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
            guard ReplayGainOptions.targets.contains(content.options.targetLUFS) else {
                throw APIError.invalidValue("target_lufs must be between -30 and -5.", field: "target_lufs")
            }
            let page = try content.page.page(of: edits)
            let (options, dryRun) = (content.options, content.dryRun)
            return ResultStream.response(head: "\"dry_run\":\(dryRun),") { sink in
                let planner = PlannerBox(ReplayGainPlanner(library: edits.library, options: options))
                return try await page.run(edits, &sink) { try await result($0, planner, dryRun) }
            }
        }
    }

    private func result(
        _ track: CatalogueTrack, _ planner: PlannerBox<ReplayGainPlanner>, _ dryRun: Bool
    ) async throws -> TrackPageRequest.Step {
        var result = EditResult(relativePath: track.path.text, id: track.id)
        let plan = try await edits.run { try planner.value.plan(track) }
        if plan.values != ReplayGainTags() { result.replayGain = ReplayGainValues(plan.values) }
        let outcome: Outcome
        var edited: LibraryEditor.Edited?
        switch plan.outcome {
        case .unchanged: outcome = .unchanged
        case .existing: outcome = .existing
        case .silent: outcome = .silent
        case .notAnalysed: outcome = .notAnalysed
        case .write(let values):
            outcome = .written
            result.changed = true
            guard !dryRun else { break }
            var edit = TagEdit()
            edit.replayGain = values
            do {
                let done = try await edits.apply(edit, to: track.path, expecting: nil)
                result.changed = done.file.isChanged
                result.etag = FileStateTag.text(done.file.file)
                edited = done
            } catch let error as TagEditError {
                return TrackPageRequest.Step(
                    result: EditResult(relativePath: track.path.text, id: track.id, HTTPError(error)))
            }
        }
        result.outcome = (outcome == .written && !result.changed ? .unchanged : outcome).rawValue
        return TrackPageRequest.Step(result: result, edited: edited)
    }
}
