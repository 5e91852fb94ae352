package import LibraryStore
package import Scrobbling

/// The services that the accounts' plays are forwarded to, and the plays that wait to be sent.
package struct ScrobblingStore: Sendable {
    package let file: ScrobblingFile
    package let queue: ScrobbleQueue

    /// Opens the data of a folder; creates the queue if it is missing.
    /// - Throws: `DatabaseError` if the queue cannot be used.
    package init(_ data: DataFolder) throws {
        file = ScrobblingFile(dataFolder: data.path)
        queue = try ScrobbleQueue(path: data.scrobbleDatabase)
    }

    /// Removes an account's access to all services, and its waiting plays.
    ///
    /// A running host that a command line does this for keeps the access in memory until it restarts, but sends nothing: the
    /// account has no plays any more.
    package func removeAll(ofAccount accountID: Int) throws {
        try file.remove(accountID: accountID)
        try queue.forget(accountID: accountID)
    }
}
