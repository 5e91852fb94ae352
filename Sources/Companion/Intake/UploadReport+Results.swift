internal import Analyzer
public import MusicShared

extension UploadReport {
    /// What became of files, and why nothing was taken if nothing was: the first refusal tells.
    public init(_ results: [IntakeResult]) {
        let files = results.map(UploadedFile.init)
        let isTaken = files.contains { $0.status == .stored || $0.status == .duplicate }
        let refusal = isTaken ? nil : results.lazy.compactMap(\.refusal).first
        let nothing = isTaken ? nil : UploadFailure(code: "no_music", message: "There is no MP3 file in it.")
        self.init(
            files: files,
            error: refusal.map { UploadFailure(code: $0.code.rawValue, message: $0.message, field: $0.field) }
                ?? nothing)
    }
}

extension UploadedFile {
    init(_ result: IntakeResult) {
        self.init(
            fileName: result.fileName, status: .ignored, audioHash: result.audioHash?.description,
            durationSeconds: result.durationSeconds)
        switch result.outcome {
        case .stored(let path, let id): (status, relativePath, trackID) = (.stored, path.text, id)
        case .duplicate(let path, let id): (status, relativePath, trackID) = (.duplicate, path.text, id)
        case .refused(let error): (status, code, message) = (.refused, error.code.rawValue, error.message)
        case .ignored: break
        }
    }
}
