internal import Analyzer
internal import LibraryStore
package import MusicShared

extension UploadReport {
    /// Creates a report. If no file was stored or found to be a duplicate, its error is the first rejection.
    package init(_ results: [IntakeResult]) {
        let files = results.map(UploadedFile.init)
        let isTaken = files.contains { $0.status == .stored || $0.status == .duplicate }
        let refusal = isTaken ? nil : results.lazy.compactMap(\.refusal).first
        let nothing =
            isTaken ? nil : UploadFailure(code: "no_music", message: "The upload has no music file.")
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
        case .cover(let path): (status, relativePath) = (.stored, path.text)
        case .refused(let error):
            (status, code, message) = (.refused, error.code.rawValue, error.message)
        case .ignored: break
        }
    }
}
