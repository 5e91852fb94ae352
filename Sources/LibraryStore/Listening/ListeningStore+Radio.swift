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

    /// Adds a radio station.
    package func addRadioStation(name: String, streamURL: String, homepageURL: String?) throws {
        try write { database in
            try database.execute(
                "INSERT INTO radio_stations (name, stream_url, homepage_url) VALUES (?, ?, ?)",
                [name, streamURL, homepageURL])
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
