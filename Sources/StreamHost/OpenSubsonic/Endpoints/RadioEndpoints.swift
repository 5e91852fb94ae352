internal import Companion
internal import Foundation
internal import LibraryStore
internal import OpenSubsonic

/// Internet radio stations: a list of addresses that apps play by themselves.
struct RadioEndpoints: SubsonicEndpoints {
    /// The longest name or address, in characters.
    private static let textLimit = 2000

    let listening: ListeningStore

    var handlers: [String: Handler] {
        [
            "getInternetRadioStations": { _ in try stations() },
            "createInternetRadioStation": { call in
                let (name, stream, page) = try Self.texts(call.request)
                try listening.addRadioStation(name: name, streamURL: stream, homepageURL: page)
                return .empty
            },
            "updateInternetRadioStation": { call in
                let (name, stream, page) = try Self.texts(call.request)
                let station = RadioStation(
                    id: try Self.id(call.request), name: name, streamURL: stream, homepageURL: page)
                guard try listening.updateRadioStation(station) else { throw Self.missing(call.request) }
                return .empty
            },
            "deleteInternetRadioStation": { call in
                guard try listening.removeRadioStation(id: try Self.id(call.request)) else {
                    throw Self.missing(call.request)
                }
                return .empty
            },
        ]
    }

    private func stations() throws -> SubsonicAnswer {
        let stations = try listening.radioStations().map { station in
            var object = SubsonicObject()
            object.add("id", ItemID.station(station.id).description)
            object.add("name", station.name)
            object.add("streamUrl", station.streamURL)
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

    /// The name and addresses of a request. Apps open the addresses, so only those of the web are taken.
    private static func texts(
        _ request: SubsonicRequest
    ) throws -> (name: String, stream: String, page: String?) {
        let stream = try request.require("streamUrl")
        let name = try request.require("name")
        let page = (request.text("homepageUrl") ?? request.text("homePageUrl")).flatMap {
            $0.isEmpty ? nil : $0
        }
        for (field, text) in [("streamUrl", stream), ("homepageUrl", page ?? stream)] {
            let scheme = URL(string: text)?.scheme?.lowercased()
            guard scheme == "http" || scheme == "https", text.count <= textLimit else {
                throw SubsonicError(.generic, "\"\(field)\" must be an http or https address.")
            }
        }
        guard !name.isEmpty, name.count <= textLimit else {
            throw SubsonicError(.generic, "\"name\" must have 1 to \(textLimit) characters.")
        }
        return (name, stream, page)
    }
}
