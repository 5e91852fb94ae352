internal import Companion
internal import LibraryStore
internal import MusicShared
internal import OpenSubsonic

/// Internet radio stations: a list of addresses that apps play by themselves.
struct RadioEndpoints: SubsonicEndpoints {
    let listening: ListeningStore
    /// Called with the number of a station that was changed or removed.
    let changed: @Sendable (Int) -> Void

    var handlers: [String: Handler] {
        [
            "getInternetRadioStations": { call in try stations(showsSecrets: call.account.role == .owner) },
            "createInternetRadioStation": { call in
                let station = try Self.station(call.request)
                guard try listening.radioStations().count < RadioStation.countLimit else {
                    throw SubsonicError(.generic, "There are too many radio stations.")
                }
                try listening.addRadioStation(
                    name: station.name, streamURL: station.streamURL, homepageURL: station.homepageURL)
                return .empty
            },
            "updateInternetRadioStation": { call in
                let station = try Self.station(call.request, id: try Self.id(call.request))
                guard try listening.updateRadioStation(station) else { throw Self.missing(call.request) }
                changed(station.id)
                return .empty
            },
            "deleteInternetRadioStation": { call in
                let id = try Self.id(call.request)
                guard try listening.removeRadioStation(id: id) else { throw Self.missing(call.request) }
                changed(id)
                return .empty
            },
        ]
    }

    /// - Parameter showsSecrets: whether to include names and passwords in addresses.
    private func stations(showsSecrets: Bool) throws -> SubsonicAnswer {
        let stations = try listening.radioStations().map { station in
            var object = SubsonicObject()
            object.add("id", ItemID.station(station.id).description)
            object.add("name", station.name)
            object.add("streamUrl", showsSecrets ? station.streamURL : station.publicStreamURL)
            object.add("homePageUrl", station.homepageURL)
            return object
        }
        return .element(
            "internetRadioStations", SubsonicObject(list: "internetRadioStation", stations))
    }

    private static func id(_ request: SubsonicRequest) throws -> Int {
        guard case .station(let id) = try request.id() else { throw missing(request) }
        return id
    }

    private static func missing(_ request: SubsonicRequest) -> SubsonicError {
        .noSuch("radio station", request.text("id") ?? "")
    }

    /// The station of a request.
    private static func station(_ request: SubsonicRequest, id: Int = 0) throws -> RadioStation {
        let page = (request.text("homepageUrl") ?? request.text("homePageUrl")).flatMap {
            $0.isEmpty ? nil : $0
        }
        let station = RadioStation(
            id: id, name: try request.require("name"), streamURL: try request.require("streamUrl"),
            homepageURL: page)
        do throws(RadioStation.InvalidText) {
            try station.check()
        } catch {
            let field =
                switch error.part {
                case .name: "name"
                case .streamURL: "streamUrl"
                case .homepageURL: "homepageUrl"
                }
            throw SubsonicError(.generic, "\"\(field)\" \(error.message).")
        }
        return station
    }
}
