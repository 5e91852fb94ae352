extension PlaybackEngine {
    /// Writes what is being loaded into a new file from now on, whole frames only: for stations.
    /// - Throws: `file_unreadable` where the file is there already or cannot be made.
    public func startRecording(to path: String) throws(PlaybackError) {
        recorder = try StationRecorder(path: path)
    }

    /// Ends the recording.
    public func stopRecording() { recorder = nil }
}
