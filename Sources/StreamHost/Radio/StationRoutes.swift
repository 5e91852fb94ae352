internal import APIDescription
internal import Foundation
internal import HostAccounts
internal import HTTPServer
internal import LibraryStore
internal import MusicShared
internal import RadioRelay
internal import Threads

/// Internet radio stations: the owner's list, and their audio. Browsers cannot reach most stations, so the host relays them.
struct StationRoutes: DescribedRoutes {
    /// Seconds that a playlist may wait for the first segment.
    private static let longestWait = 15.0

    let listening: ListeningStore
    let relays: StationRelays
    let recordings: StationRecordings

    func add(to routes: some RouteCollection) {
        routes.get(Routes.stations) { try list($0) }
        routes.post(Routes.stations) { try await addStation($0) }
        routes.post(Routes.stationCheck) { try await check($0) }
        routes.get(Routes.station) { request in
            try .json(
                item(try station(request), showsAddress: try Self.mayEdit(request)), taggedAs: "station")
        }
        routes.patch(Routes.station) { try await change($0) }
        routes.delete(Routes.station) { try remove($0) }
        routes.get(Routes.stationPlaylist) { try await playlist($0) }
        routes.get(Routes.stationTimeline) { try timeline($0) }
        routes.get(Routes.stationMP3Segment) { try segment($0, .mp3) }
        routes.get(Routes.stationAACSegment) { try segment($0, .aac) }
    }

    // MARK: The list

    /// Whether the caller may edit stations, and so sees their addresses: the host opens them, from its own network.
    private static func mayEdit(_ request: HTTPRequest) throws(HTTPError) -> Bool {
        try request.caller.role >= .owner
    }

    private func list(_ request: HTTPRequest) throws -> HTTPResponse {
        let words = (try request.value(Self.query) ?? "").split(separator: " ")
        let mayEdit = try Self.mayEdit(request)
        let found = try listening.radioStations().filter { station in
            words.allSatisfy { station.name.localizedStandardContains($0) }
        }
        return try .json(
            StationItemList(items: found.map { item($0, showsAddress: mayEdit) }, canEdit: mayEdit),
            taggedAs: "stations")
    }

    private func item(_ station: RadioStation, showsAddress: Bool) -> StationItem {
        let relay = relays.running(stationID: station.id)
        return StationItem(
            id: station.id, name: station.name, streamURL: showsAddress ? station.streamURL : nil,
            homepageURL: station.homepageURL, isRelayed: relay != nil, title: relay?.currentTitle)
    }

    private func station(_ request: HTTPRequest) throws -> RadioStation {
        let id: Int = try request.parameters.require("station_id")
        guard let station = try listening.radioStation(id: id) else { throw request.nothingThere }
        return station
    }

    private func addStation(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.require(.owner)
        let new = try await request.json(NewStation.self)
        var station = RadioStation(
            id: 0, name: new.name, streamURL: new.streamURL, homepageURL: new.homepageURL)
        try Self.check(station)
        guard try listening.radioStations().count < RadioStation.countLimit else {
            throw APIError.tooManyStations()
        }
        station.id = try listening.addRadioStation(
            name: station.name, streamURL: station.streamURL, homepageURL: station.homepageURL)
        var response = try HTTPResponse.json(item(station, showsAddress: true), status: .created)
        response.fields[.location] = Routes.path(Routes.station, station.id)
        return response
    }

    private func change(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.require(.owner)
        var station = try station(request)
        let change = try await request.json(StationChange.self)
        station.name = change.name ?? station.name
        station.streamURL = change.streamURL ?? station.streamURL
        if let page = change.homepageURL { station.homepageURL = page.isEmpty ? nil : page }
        try Self.check(station)
        guard try listening.updateRadioStation(station) else { throw request.nothingThere }
        if change.streamURL != nil { relays.stop(stationID: station.id) }
        return try .json(item(station, showsAddress: true))
    }

    private func remove(_ request: HTTPRequest) throws -> HTTPResponse {
        try request.require(.owner)
        let station = try station(request)
        _ = try listening.removeRadioStation(id: station.id)
        relays.stop(stationID: station.id)
        return HTTPResponse(.noContent)
    }

    private static func check(_ station: RadioStation) throws {
        do throws(RadioStation.InvalidText) {
            try station.check()
        } catch {
            let field =
                switch error.part {
                case .name: "name"
                case .streamURL: "stream_url"
                case .homepageURL: "homepage_url"
                }
            throw APIError.invalidField("\(field) \(error.message).", field: field)
        }
    }

    private func check(_ request: HTTPRequest) async throws -> HTTPResponse {
        try request.require(.owner)
        let address = try await request.json(CheckedAddress.self).streamURL
        try Self.check(RadioStation(id: 0, name: "-", streamURL: address, homepageURL: nil))
        let relays = relays
        do {
            return try .json(try await DedicatedThread.run("station check") { try relays.check(address) })
        } catch let error as RelayError {
            throw Self.httpError(error)
        }
    }

    // MARK: Audio

    private func relay(_ request: HTTPRequest) throws -> StationRelay {
        let station = try station(request)
        do throws(RelayError) {
            return try relays.relay(stationID: station.id, address: station.streamURL)
        } catch {
            throw Self.httpError(error)
        }
    }

    static func httpError(_ error: RelayError) -> HTTPError {
        switch error.code {
        case .tooManyStations: APIError.tooManyRelays(error.sentence, fields: [.retryAfter: "10"])
        case .storage: APIError.noSpace(error.sentence)
        default: APIError.stationFailed(error.sentence)
        }
    }

    private func playlist(_ request: HTTPRequest) async throws -> HTTPResponse {
        let relay = try relay(request)
        let end = ContinuousClock.now + .seconds(Self.longestWait)
        while !relay.hasAudio, ContinuousClock.now < end {
            if let failure = relay.failure { throw Self.httpError(failure) }
            try await Task.sleep(for: .milliseconds(100))
        }
        guard relay.hasAudio else { throw APIError.stationFailed("The station has sent no audio yet.") }
        let query = request.query["token"].map { "?token=\($0)" } ?? ""
        return HTTPResponse(
            fields: [.contentType: HLSManifestGenerator.contentType, .cacheControl: "no-store"],
            body: .bytes(Array(relay.playlist(query: query).utf8)))
    }

    private func timeline(_ request: HTTPRequest) throws -> HTTPResponse {
        let number = try request.value(Self.after)
        var timeline = try relay(request).timeline(after: number)
        timeline.recording = recordings.state(ofStation: try request.parameters.require("station_id"))
        var response = try HTTPResponse.json(timeline)
        response.fields[.cacheControl] = "no-store"
        return response
    }

    private func segment(_ request: HTTPRequest, _ format: StationFormat) throws -> HTTPResponse {
        let station = try station(request)
        let number: Int = try request.parameters.require("number")
        let relay = relays.running(stationID: station.id)
        relay?.use()
        guard let path = relay?.path(ofSegment: number, format), let file = try? HTTPFile(path: path) else {
            throw APIError.noSuchSegment("The segment \(number) is no longer kept.", field: "number")
        }
        return HTTPResponse(
            fields: [
                .contentType: format == .mp3 ? "audio/mpeg" : "audio/aac",
                // Numbers are not used again.
                .cacheControl: "private, max-age=3600, immutable",
            ], body: .file(try FileRegion(file)), allowsRanges: false)
    }
}

/// The body of a request to add a station.
private struct NewStation: JSONContent {
    static let keys = ["name", "stream_url", "homepage_url"]

    let name: String
    let streamURL: String
    let homepageURL: String?

    private enum CodingKeys: String, CodingKey {
        case name
        case streamURL = "stream_url"
        case homepageURL = "homepage_url"
    }
}

/// The body of a request to change a station.
private struct StationChange: JSONContent {
    static let keys = NewStation.keys

    let name: String?
    let streamURL: String?
    let homepageURL: String?

    private enum CodingKeys: String, CodingKey {
        case name
        case streamURL = "stream_url"
        case homepageURL = "homepage_url"
    }
}

/// The body of a request to check an address.
private struct CheckedAddress: JSONContent {
    static let keys = ["stream_url"]

    let streamURL: String

    private enum CodingKeys: String, CodingKey {
        case streamURL = "stream_url"
    }
}
