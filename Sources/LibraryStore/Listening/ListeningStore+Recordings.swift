package import Analyzer
internal import SQLiteDatabase

/// A recording of a radio station in the library.
package struct RadioRecording: Sendable, Identifiable {
    /// Number of the recording.
    package let id: Int
    /// The name of the station when it was recorded.
    package let stationName: String
    /// The title as the station reported it; empty if it reported none.
    package let title: String
    /// When its first sample was on air, in milliseconds since 1970.
    package let recordedAtMilliseconds: Int
    /// Duration in seconds.
    package let durationSeconds: Double
    /// The audio of the file.
    package let audioHash: AudioHash
}

extension ListeningStore {
    /// Returns the newest recordings of radio stations, the newest first.
    package func radioRecordings(limit: Int) throws -> [RadioRecording] {
        try read { database in
            try database.fetchAll(
                """
                SELECT id, station_name, title, recorded_at_ms, duration_seconds, audio_hash FROM radio_recordings
                ORDER BY recorded_at_ms DESC, id DESC LIMIT ?
                """, [limit]
            ) { row -> RadioRecording? in
                guard let hash = AudioHash(bytes: try row["audio_hash"]) else { return nil }
                return RadioRecording(
                    id: try row["id"], stationName: try row["station_name"], title: try row["title"],
                    recordedAtMilliseconds: try row["recorded_at_ms"],
                    durationSeconds: try row["duration_seconds"], audioHash: hash)
            }.compactMap { $0 }
        }
    }

    /// Adds a recording of a radio station.
    package func addRadioRecording(
        stationName: String, title: String, recordedAtMilliseconds: Int, durationSeconds: Double,
        audioHash: AudioHash
    ) throws {
        try write { database in
            try database.execute(
                """
                INSERT INTO radio_recordings (station_name, title, recorded_at_ms, duration_seconds, audio_hash)
                VALUES (?, ?, ?, ?, ?)
                """, [stationName, title, recordedAtMilliseconds, durationSeconds, audioHash.bytes])
        }
    }

    /// Removes a recording from the list; its file stays.
    /// - Returns: whether there was one with this number.
    package func removeRadioRecording(id: Int) throws -> Bool {
        try write { database in
            try database.execute("DELETE FROM radio_recordings WHERE id = ?", [id])
            return database.changedRowCount > 0
        }
    }
}
