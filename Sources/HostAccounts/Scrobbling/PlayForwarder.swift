internal import Catalogue
internal import Foundation
internal import HTTPClient
package import LibraryStore
internal import MusicShared
package import Scrobbling
internal import Synchronization

/// Forwards the accounts' plays to ListenBrainz and Last.fm.
package final class PlayForwarder: Sendable {
    private struct Connected: Sendable {
        var access: ScrobblingAccess
        /// Nil until the user has allowed the access.
        var sender: ScrobbleSender?
    }

    private let scrobbling: ScrobblingStore
    private let library: LibraryStore
    /// Name and version of this program.
    private let program: (name: String, version: String)
    private let delays: RetryDelays
    private let report: @Sendable (String) -> Void
    private let loop: TransferLoop
    private let connected = Mutex<[ScrobbleQueue.Connection: Connected]>([:])

    /// Continues to send what waits.
    /// - Parameters:
    ///   - version: name and version of this program.
    ///   - report: receives messages for the owner.
    /// - Throws: an error if the queue or the file of accesses cannot be used.
    package init(
        scrobbling: ScrobblingStore, library: LibraryStore, version: String,
        delays: RetryDelays = RetryDelays(),
        report: @escaping @Sendable (String) -> Void
    ) throws {
        self.scrobbling = scrobbling
        self.library = library
        self.delays = delays
        self.report = report
        program = ("Audio Companion", version.split(separator: " ").last.map(String.init) ?? version)
        loop = TransferLoop(userAgent: "AudioCompanion/\(program.version)")
        for access in try scrobbling.file.read() { start(access) }
    }

    /// Stops sending. What waits is sent after the next start.
    package func stop() {
        let all = connected.withLock { connected in
            defer { connected = [:] }
            return Array(connected.values)
        }
        for each in all { each.sender?.stop() }
    }

    // MARK: - Plays

    /// Forwards plays of an account.
    package func take(_ notices: [PlayNotice], accountID: Int) {
        let senders = connected.withLock { connected in
            connected.filter { $0.key.accountID == accountID }.values.compactMap(\.sender)
        }
        guard !senders.isEmpty else { return }
        do {
            let listens = try listens(notices)
            for sender in senders {
                if let playing = listens.started.last { sender.announce(playing) }
                if !listens.played.isEmpty { try sender.add(listens.played) }
            }
        } catch {
            report("plays cannot be forwarded: \(error)")
        }
    }

    private func listens(_ notices: [PlayNotice]) throws -> (started: [Listen], played: [Listen]) {
        try library.catalogue { catalogue in
            var started: [Listen] = []
            var played: [Listen] = []
            for notice in notices {
                guard let listen = try Self.listen(notice, catalogue) else { continue }
                switch notice.kind {
                case .started: started.append(listen)
                case .played:
                    if listen.isLongEnough(secondsPlayed: notice.secondsPlayed) { played.append(listen) }
                }
            }
            return (started, played)
        }
    }

    /// Returns a play with what the tags say; nil if they do not name artist and title, which every service requires.
    private static func listen(_ notice: PlayNotice, _ catalogue: CatalogueReader) throws -> Listen? {
        guard let track = try catalogue.track(id: notice.trackID), let title = track.title, !title.isEmpty,
            let artist = track.artist ?? track.albumArtist, !artist.isEmpty
        else { return nil }
        var listen = Listen(artist: artist, title: title, listenedAt: Int(notice.at))
        listen.album = track.album
        listen.albumArtist = track.albumArtist == artist ? nil : track.albumArtist
        listen.trackNumber = track.trackNumber
        listen.durationSeconds = track.durationSeconds
        let details = try catalogue.trackDetails(ids: [track.id])[track.id]
        listen.recordingID = details?.musicBrainzID.flatMap { Listen.isMusicBrainzID($0) ? $0 : nil }
        listen.isrc = details?.isrcs.lazy.compactMap(Listen.isrc).first
        listen.releaseID = try track.albumID.flatMap { try catalogue.albumDetails(id: $0) }?.musicBrainzID
            .flatMap { Listen.isMusicBrainzID($0) ? $0 : nil }
        return listen
    }

    // MARK: - Connections

    /// Connects an account to ListenBrainz, or to a server with its API.
    /// - Throws: `ScrobbleError` if the token is wrong or the server does not answer; `HostError`.
    func connectListenBrainz(accountID: Int, address: String, token: String) async throws {
        let user = try await listenBrainz(address, token).userName()
        try connect(
            ScrobblingAccess(
                accountID: accountID, service: .listenBrainz, address: address, user: user,
                secrets: ScrobblingAccess.Secrets(token: token)))
    }

    /// Requests access to Last.fm, or to a server with its API. The user then allows it on the service's page.
    /// - Throws: `ScrobbleError` if the key is wrong or the server does not answer; `HostError`.
    func beginLastFM(
        accountID: Int, address: String, page: String, application: LastFM.Application
    ) async throws {
        let token = try await LastFM(
            address: address, application: application, session: nil, loop: loop
        ).token()
        try connect(
            ScrobblingAccess(
                accountID: accountID, service: .lastFM, address: address, page: page,
                secrets: ScrobblingAccess.Secrets(application: application, pendingToken: token)))
    }

    /// Completes the connection to Last.fm after the user has allowed it.
    /// - Returns: false if no access was requested.
    /// - Throws: `ScrobbleError` if the access is not allowed or the server does not answer; `HostError`.
    func completeLastFM(accountID: Int) async throws -> Bool {
        let connection = Self.connection(accountID, .lastFM)
        guard var access = connected.withLock({ $0[connection]?.access }),
            let application = access.secrets.application, let token = access.secrets.pendingToken
        else { return false }
        let session = try await LastFM(
            address: access.address, application: application, session: nil, loop: loop
        ).session(token: token)
        access.secrets.session = session
        access.secrets.pendingToken = nil
        access.user = session.user
        try connect(access)
        return true
    }

    /// Ends a connection and discards the plays that wait for it.
    /// - Throws: `HostError` or `DatabaseError` if the change cannot be stored.
    func disconnect(accountID: Int, _ service: ScrobblingAccess.Service) throws {
        let connection = Self.connection(accountID, service)
        try scrobbling.file.remove(accountID: accountID, service)
        let ended = connected.withLock { $0.removeValue(forKey: connection) }
        ended?.sender?.stop()
        try scrobbling.queue.forget(connection)
    }

    private func connect(_ access: ScrobblingAccess) throws {
        let connection = Self.connection(access.accountID, access.service)
        try scrobbling.file.set(access)
        let former = connected.withLock { $0[connection]?.sender }
        former?.stop()
        try scrobbling.queue.reset(connection)
        start(access)
    }

    private func start(_ access: ScrobblingAccess) {
        let connection = Self.connection(access.accountID, access.service)
        let sender = service(access).map {
            ScrobbleSender(
                $0, queue: scrobbling.queue, connection: connection, delays: delays, report: report)
        }
        connected.withLock { $0[connection] = Connected(access: access, sender: sender) }
    }

    private func service(_ access: ScrobblingAccess) -> (any ScrobbleService)? {
        switch access.service {
        case .listenBrainz: return access.secrets.token.map { listenBrainz(access.address, $0) }
        case .lastFM:
            guard let application = access.secrets.application, let session = access.secrets.session else {
                return nil
            }
            return LastFM(
                address: access.address, application: application, session: session, loop: loop)
        }
    }

    private func listenBrainz(_ address: String, _ token: String) -> ListenBrainz {
        ListenBrainz(address: address, token: token, program: program, loop: loop)
    }

    private static func connection(
        _ accountID: Int, _ service: ScrobblingAccess.Service
    ) -> ScrobbleQueue.Connection {
        ScrobbleQueue.Connection(accountID: accountID, service: service.rawValue)
    }

    // MARK: - State

    /// Returns the state of an account's connections.
    /// - Throws: `DatabaseError` if the queue cannot be read.
    func state(of accountID: Int) throws -> ScrobblingReport {
        ScrobblingReport(
            listenbrainz: try state(accountID, .listenBrainz, standard: ListenBrainz.standardAddress),
            lastfm: try state(accountID, .lastFM, standard: LastFM.standardAddress))
    }

    private func state(
        _ accountID: Int, _ service: ScrobblingAccess.Service, standard: String
    ) throws -> ScrobblingReport.Service {
        let connection = Self.connection(accountID, service)
        guard let found = connected.withLock({ $0[connection] }) else {
            return ScrobblingReport.Service(.disconnected, address: standard)
        }
        let record = try scrobbling.queue.record(of: connection)
        let access = found.access
        var state = ScrobblingReport.Service(
            found.sender == nil ? .authorizing : record.isRefused ? .refused : .connected,
            address: access.address)
        state.user = access.user
        state.waitingCount = record.waitingCount
        state.sentCount = record.sentCount
        state.rejectedCount = record.rejectedCount
        state.lastSentAt = record.lastSentAt
        state.error = record.error
        state.nextAttemptAt = found.sender?.nextAttempt?.timeIntervalSince1970
        if let application = access.secrets.application, let token = access.secrets.pendingToken {
            state.authorizationURL = LastFM(
                address: access.address, application: application, session: nil, loop: loop
            ).authorizationURL(page: access.page ?? LastFM.standardPage, token: token)
        }
        return state
    }
}
