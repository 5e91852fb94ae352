internal import APIDescription
internal import FileSystem
internal import Foundation
internal import HTTPServer
internal import SQLiteDatabase

/// A full disk or a damaged database, detected in any route.
enum StorageFailure {
    case full
    /// The associated value is the path of the database, if known.
    case damaged(String?)

    /// Detects errors of the system, SQLite or Foundation; nil for any other error.
    init?(_ error: any Error) {
        switch error {
        case let error as DatabaseError:
            switch error.code {
            case .full: self = .full
            case .corrupt, .notADatabase: self = .damaged(error.path)
            default: return nil
            }
        case let error as HTTPServerError where [ENOSPC, EDQUOT].contains(error.errorNumber): self = .full
        case let error as SystemError where error.kind == .noSpace: self = .full
        case let error as POSIXError where [.ENOSPC, .EDQUOT].contains(error.code): self = .full
        case let error as CocoaError where error.code == .fileWriteOutOfSpace: self = .full
        default: return nil
        }
    }

    /// The response to the client.
    var answer: HTTPError {
        switch self {
        case .full:
            APIError.noSpace("The host's disk is full. Free some space on it and try again.")
        case .damaged:
            APIError.databaseDamaged("A database of the host is damaged; see the host's log for details.")
        }
    }

    /// Advice for the owner, for the log.
    var remedy: String {
        switch self {
        case .full: return "free some space on the disk of the data folder"
        case .damaged(let path):
            let path = path ?? "the database"
            let name = path.split(separator: "/").last ?? ""
            let rest =
                name.hasPrefix("listening")
                ? "restore its latest backup, or recover what is readable with "
                    + "`sqlite3 \(path) .recover | sqlite3 recovered.sqlite`"
                : name.hasPrefix("work")
                    ? "delete it; it is created again"
                    : "move it away and run `analyze-cli`, which creates it again"
            return "\(path) is damaged; stop the host, then \(rest)"
        }
    }
}

/// Answers requests that fail because of a full disk or a damaged database with specific statuses and codes,
/// and logs what to do.
struct StorageFailureMiddleware: HTTPMiddleware {
    let report: @Sendable (String) -> Void

    func finish(_ outcome: inout Result<HTTPResponse, any Error>, for request: HTTPRequest) {
        guard case .failure(let error) = outcome, let failure = StorageFailure(error) else { return }
        report("request \(request.id) failed: \(error); \(failure.remedy)")
        outcome = .failure(failure.answer)
    }
}
