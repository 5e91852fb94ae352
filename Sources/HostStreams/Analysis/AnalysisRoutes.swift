internal import Analyzer
internal import APIDescription
internal import Companion
internal import Foundation
package import HTTPServer
package import LibraryStore
internal import MusicShared

/// Serves a track's stored analysis: report, spectrum frames and waveform. Nothing is computed here.
package struct AnalysisRoutes: DescribedRoutes {
    let library: LibraryStore
    let frames: SpectrumStore

    /// Memberwise initializer.
    package init(library: LibraryStore, frames: SpectrumStore) {
        self.library = library
        self.frames = frames
    }

    package func add(to routes: some RouteCollection) {
        routes.get(Routes.analysis) { request in
            let track = try track(request)
            return try .json(TrackReport(track, hasDetails: true))
        }
        routes.get(Routes.visualizer) { try visualizer($0) }
        routes.get(Routes.waveform) { try waveform($0) }
        routes.get(Routes.analysisFailures) { try failures($0) }
    }

    private func failures(_ request: HTTPRequest) throws -> HTTPResponse {
        let found = try library.failures(
            limit: try request.value(Query.limit), offset: try request.value(Query.offset))
        return try .json(
            AnalysisFailureList(
                failures: found.failures.map { failure in
                    AnalysisFailureList.Failure(
                        relativePath: failure.path.text, code: failure.errorCode, message: failure.message,
                        attempts: failure.attempts, failedAt: failure.failedAt.timeIntervalSince1970,
                        isGivenUp: failure.isGivenUp(file: failure.file))
                }, total: found.total))
    }

    private func visualizer(_ request: HTTPRequest) throws -> HTTPResponse {
        let track = try track(request)
        let hash = track.track.audioHash
        let wantsEmpty = try request.value(Query.emptyForMissing)
        guard let matrix = try frames.frames(of: hash) else {
            if wantsEmpty { return HTTPResponse(.noContent) }
            throw APIError.noFrames("Track \(track.track.id) has no spectrum frames yet.")
        }
        let format = try request.value(Self.spectraFormat)
        if format == .json || format == nil && Self.prefersJSON(request) {
            return try .json(FrameReport(matrix), taggedAs: "\(hash)-frames-json")
        }
        let element = try request.value(Self.element)
        return Self.binary(
            VisualizerStream.encode(matrix, as: element), taggedAs: "\(hash)-frames-\(element)")
    }

    private func waveform(_ request: HTTPRequest) throws -> HTTPResponse {
        let track = try track(request)
        let wantsEmpty = try request.value(Query.emptyForMissing)
        guard let waveform = track.analysis?.profile?.waveform else {
            if wantsEmpty { return HTTPResponse(.noContent) }
            throw APIError.noWaveform("Track \(track.track.id) has no waveform yet.")
        }
        let hash = track.track.audioHash
        guard try request.value(Self.waveformFormat) == .dat else {
            return try .json(WaveformFile.JSON(waveform), taggedAs: "\(hash)-waveform-json")
        }
        return Self.binary(WaveformFile.binary(waveform), taggedAs: "\(hash)-waveform-dat")
    }

    /// Returns bytes with an entity tag made from them: a new version of the analysis changes them for the same audio.
    private static func binary(_ bytes: [UInt8], taggedAs name: String) -> HTTPResponse {
        HTTPResponse(
            fields: [
                .contentType: "application/octet-stream",
                .cacheControl: "no-cache",
                .entityTag: EntityTag(name, ofContent: bytes).description,
            ], body: .bytes(bytes), allowsRanges: true)
    }

    private func track(_ request: HTTPRequest) throws -> AnalysedTrack {
        let id: Int = try request.parameters.require("id")
        guard let track = try library.track(id: id) else {
            throw APIError.noSuchTrack("There is no track \(id).", field: "id")
        }
        try request.requireAudio(track.track.audioHash.description, ofTrack: id)
        return track
    }

    private static func prefersJSON(_ request: HTTPRequest) -> Bool {
        request.fields[.accept]?.lowercased().contains("application/json") ?? false
    }
}

/// Spectrum frames as JSON: rows of levels from 0 to 255.
private struct FrameReport: Encodable {
    let fps: Int
    let bands: Int
    let floorDBFS: Double
    let frames: [[UInt8]]

    package init(_ matrix: VisualizerSpectra) {
        fps = matrix.framesPerSecond
        bands = matrix.bandCount
        floorDBFS = VisualizerSpectra.floorDB
        frames = (0..<matrix.frameCount).map { row in
            Array(matrix.levels[row * matrix.bandCount..<(row + 1) * matrix.bandCount])
        }
    }

    private enum CodingKeys: String, CodingKey {
        case fps, bands, frames
        case floorDBFS = "floor_dbfs"
    }
}
