internal import Foundation
internal import SQLiteDatabase

/// An internet radio station of the owner's list.
package struct RadioStation: Sendable, Equatable, Identifiable {
    /// Number of the station.
    package var id: Int
    /// The name shown to listeners.
    package var name: String
    /// The address of its stream.
    package var streamURL: String
    /// The address of its web page.
    package var homepageURL: String?

    /// Memberwise initializer.
    package init(id: Int, name: String, streamURL: String, homepageURL: String?) {
        self.id = id
        self.name = name
        self.streamURL = streamURL
        self.homepageURL = homepageURL
    }
}

extension RadioStation {
    /// The longest name or address, in characters.
    package static let textLimit = 2000
    /// Maximum number of stations in the list.
    package static let countLimit = 2000

    /// The texts of a station.
    package enum Part: Sendable {
        case name, streamURL, homepageURL
    }

    /// A text that cannot be stored.
    package struct InvalidText: Error, Sendable {
        /// Which text it is.
        package let part: Part
        /// The expected values.
        package let message: String
    }

    /// Checks the texts of a station. Apps and the host open the addresses, so only those of the web are accepted.
    package func check() throws(InvalidText) {
        guard !name.isEmpty, name.count <= Self.textLimit else {
            throw InvalidText(part: .name, message: "must have 1 to \(Self.textLimit) characters")
        }
        for (part, text) in [(Part.streamURL, streamURL), (.homepageURL, homepageURL ?? streamURL)] {
            let url = URL(string: text)
            guard ["http", "https"].contains(url?.scheme?.lowercased()), url?.host()?.isEmpty == false,
                text.count <= Self.textLimit
            else { throw InvalidText(part: part, message: "must be an http or https address") }
        }
    }

    /// The address without a name and a password, which only those who may edit stations see.
    package var publicStreamURL: String {
        guard var parts = URLComponents(string: streamURL), parts.user != nil || parts.password != nil else {
            return streamURL
        }
        (parts.user, parts.password) = (nil, nil)
        return parts.string ?? ""
    }
}

extension ListeningStore {
    /// Returns all radio stations by name.
    package func radioStations() throws -> [RadioStation] {
        try read { database in
            try database.fetchAll(
                "SELECT id, name, stream_url, homepage_url FROM radio_stations ORDER BY name COLLATE NOCASE, id"
            ) { row in
                RadioStation(
                    id: try row["id"], name: try row["name"], streamURL: try row["stream_url"],
                    homepageURL: try row["homepage_url"])
            }
        }
    }

    /// Returns the radio station with a number; nil if no station has it.
    package func radioStation(id: Int) throws -> RadioStation? { try radioStations().first { $0.id == id } }

    /// Adds a radio station.
    /// - Returns: its number, which is never used again.
    @discardableResult
    package func addRadioStation(name: String, streamURL: String, homepageURL: String?) throws -> Int {
        try write { database in
            try database.execute(
                "INSERT INTO radio_stations (name, stream_url, homepage_url) VALUES (?, ?, ?)",
                [name, streamURL, homepageURL])
            return Int(database.lastInsertRowID)
        }
    }

    /// Replaces a radio station.
    /// - Returns: whether there was one with this number.
    package func updateRadioStation(_ station: RadioStation) throws -> Bool {
        try write { database in
            try database.execute(
                "UPDATE radio_stations SET name = ?, stream_url = ?, homepage_url = ? WHERE id = ?",
                [station.name, station.streamURL, station.homepageURL, station.id])
            return database.changedRowCount > 0
        }
    }

    /// Removes a radio station.
    /// - Returns: whether there was one with this number.
    package func removeRadioStation(id: Int) throws -> Bool {
        try write { database in
            try database.execute("DELETE FROM radio_stations WHERE id = ?", [id])
            return database.changedRowCount > 0
        }
    }
}
