internal import APIDescription
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import RadioRelay

/// Records stations into the library.
struct StationRecordingRoutes: DescribedRoutes {
    /// The most recordings in a list.
    private static let listLimit = 500

    let listening: ListeningStore
    let library: LibraryStore
    let relays: StationRelays
    let recordings: StationRecordings

    func add(to routes: some RouteCollection) {
        routes.get(Routes.stationRecordings) { _ in try list() }
        routes.delete(Routes.stationRecordingItem) { request in
            try request.require(.editor)
            guard try listening.removeRadioRecording(id: request.parameters.require("recording_id")) else {
                throw request.nothingThere
            }
            return HTTPResponse(.noContent)
        }
        routes.put(Routes.stationRecording) { try start($0) }
        routes.delete(Routes.stationRecording) { request in
            try request.require(.editor)
            let id: Int = try request.parameters.require("station_id")
            guard recordings.stop(stationID: id, relay: relays.running(stationID: id)) else {
                throw APIError.noSuchRecording(
                    "The station \(id) is not being recorded.", field: "station_id")
            }
            return HTTPResponse(.noContent)
        }
    }

    private func list() throws -> HTTPResponse {
        let items = try listening.radioRecordings(limit: Self.listLimit).map { recording in
            StationRecordingItem(
                id: recording.id, stationName: recording.stationName, title: recording.title,
                recordedAt: Double(recording.recordedAtMilliseconds) / 1000,
                durationSeconds: recording.durationSeconds,
                trackID: try library.availableTracks(of: recording.audioHash).first?.id)
        }
        var response = try HTTPResponse.json(StationRecordingList(items: items, active: recordings.states))
        response.fields[.cacheControl] = "no-store"
        return response
    }

    private func start(_ request: HTTPRequest) throws -> HTTPResponse {
        try request.require(.editor)
        let id: Int = try request.parameters.require("station_id")
        guard let station = try listening.radioStation(id: id) else { throw request.nothingThere }
        let relay: StationRelay
        do throws(RelayError) {
            relay = try relays.relay(stationID: id, address: station.streamURL)
        } catch {
            throw StationRoutes.httpError(error)
        }
        guard let state = recordings.start(station, relay: relay) else {
            throw APIError.stationFailed("The connection to the station has just ended; try again.")
        }
        var response = try HTTPResponse.json(state)
        response.fields[.cacheControl] = "no-store"
        return response
    }
}
