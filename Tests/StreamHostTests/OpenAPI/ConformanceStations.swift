import Foundation
import MusicShared
import TestSupport
import Testing

/// Requests for radio stations, which need a real station.
enum ConformanceStations {
    /// The operations that make the host connect to stations.
    static let operations = [
        "checkRadioStation", "radioStationPlaylist", "radioStationTimeline", "startRadioRecording",
    ]

    /// Sends each of these requests, and those for what they make.
    static func use(_ served: ServedLibrary) async throws {
        let mp3 = try Encoders.lame(PCM.music(frameCount: 10 * 44_100, seed: 41), ["-b", "64", "-t"])
        let adts = try Encoders.ffmpeg(
            PCM.music(frameCount: 10 * 44_100, seed: 42), ["-c:a", "aac", "-f", "adts"], as: "x.aac")
        for (sound, format) in [(mp3, "mp3"), (adts, "aac")] {
            let server = try RadioServer(sound, bytesPerSecond: 40_000)
            let json = { (fields: String) in ["-H", "Content-Type: application/json", "-d", "{\(fields)}"] }
            let address = "\"stream_url\": \"\(server.address())\""
            _ = try await served.get(Routes.stationCheck, json(address))
            let made = try await served.get(Routes.stations, json("\"name\": \"Radio\", \(address)"))
            let path = try #require(made.field("Location"))
            _ = try await served.get(path, ["-X", "PATCH"] + json("\"name\": \"Other\""))
            let playlist = try await served.get("\(path)/live.m3u8").text
            let name = try #require(playlist.split(separator: "\n").first { $0.hasSuffix(".\(format)") })
            _ = try await served.get("\(path)/\(name)")
            _ = try await served.get("\(path)/recording", ["-X", "PUT"])
            try await until {
                let timeline = try await served.get("\(path)/timeline")
                return try JSONDecoder().decode(StationTimeline.self, from: Data(timeline.body)).recording?
                    .durationSeconds ?? 0 > 4
            }
            _ = try await served.get("\(path)/recording", ["-X", "DELETE"])
            let recordings = try await until { () -> [StationRecordingItem]? in
                let list = try await served.get(Routes.stationRecordings)
                let items = try JSONDecoder().decode(StationRecordingList.self, from: Data(list.body)).items
                return items.isEmpty ? nil : items
            }
            for each in recordings {
                _ = try await served.get("/stations/recordings/\(each.id)", ["-X", "DELETE"])
            }
            server.end()
        }
    }
}
