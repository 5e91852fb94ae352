internal import APIDescription
internal import HTTPServer
internal import MusicShared

extension StationRecordingRoutes {
    static let tag = StationRoutes.tag

    static let operations = [
        operation(
            .get, Routes.stationRecordings, "radioRecordings", "List the recordings of radio stations",
            answer: .json("StationRecordingList", "The newest 500 recordings, and those in progress.")),
        operation(
            .delete, Routes.stationRecordingItem, "removeRadioRecording", "Remove a recording from the list",
            details: "Its file stays in the library.", role: .editor,
            answer: .done("The recording was removed from the list.")),
        operation(
            .put, Routes.stationRecording, "startRadioRecording", "Record a radio station",
            details: """
                Whole frames are written to files in the music folder, one for each title, with tags and as after an upload. The \
                recording starts with the current title, if its start is kept and at most ten minutes old; it ends by itself after \
                twelve hours. A station that is being recorded already stays as it is.
                """, role: .editor,
            answer: .json("StationRecordingState", "The recording."),
            errors: [.tooManyRelays, .stationFailed]),
        operation(
            .delete, Routes.stationRecording, "endRadioRecording", "End the recording of a radio station",
            role: .editor,
            answer: .done("The recording has ended; its last file is being added to the library."),
            errors: [.noSuchRecording.when("The station is not being recorded.")]),
    ]

    static let state = JSONSchema.object(
        [
            "station_id": .identifier("Station ID."),
            "station_name": .text("Name of the station when the recording started."),
            "started_at": .time("When it started"), "duration_seconds": .seconds("Audio so far"),
            "file_count": .integer("Number of files that are in the library so far."),
            "message": .text("Why a file could not be kept, or the recording has ended.").optional,
        ], "A recording in progress.")

    static let schemas: [String: JSONSchema] = [
        "StationRecordingList": .object(
            [
                "items": .array(
                    of: [
                        "id": .identifier("Recording ID."), "station_name": .text("Name of the station."),
                        "title": .text("Title as the station reported it; empty if it reported none."),
                        "recorded_at": .time("When its first sample was on air"),
                        "duration_seconds": .seconds("Duration"),
                        "track_id": .identifier("The track in the library; missing if it was removed.")
                            .optional,
                    ], "Recorded files, the newest first."),
                "active": .array(of: .named("StationRecordingState"), "Recordings in progress."),
            ], "The recordings of radio stations.")
    ]
}
