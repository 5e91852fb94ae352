extension PlaybackEngine {
    /// Starts recording to a new file. Only whole frames are written; intended for stations.
    /// - Throws: `file_unreadable` if the file exists or cannot be created.
    public func startRecording(to path: String) throws(PlaybackError) {
        recorder = try StationRecorder(path: path)
    }

    /// Stops recording.
    public func stopRecording() { recorder = nil }
}
