internal import APIDescription
internal import Foundation
internal import HTTPClient
internal import HostAccounts
internal import LibraryStore
internal import MusicShared
internal import Synchronization
internal import Threads

/// Keeps the copy of a primary's app passwords and roles up to date, and rejects the API key once the primary does. On a thread of its own, so
/// that what was revoked does not wait for the copy of a large library.
final class CredentialFollower: Sendable {
    /// Seconds between requests, as between two looks at the credentials of open WebSockets on the primary itself.
    private static let interval = 0.25

    private struct State {
        var isStopped = false
        var isKeyRefused = false
    }

    private let primary: PrimaryHost
    private let data: DataFolder
    private let listening: ListeningStore
    private let complain: @Sendable (String) -> Void
    private let state = Turnstile(State())
    /// Held during an update: the primary's tag of what was stored last, and the tag of what this host had then. They differ while
    /// an account has not arrived yet.
    private let stored = Mutex<(theirs: String, ours: String)?>(nil)

    /// - Parameter complain: called with a message when the primary refuses the API key.
    init(
        primary: PrimaryHost, data: DataFolder, listening: ListeningStore,
        complain: @escaping @Sendable (String) -> Void
    ) {
        self.primary = primary
        self.data = data
        self.listening = listening
        self.complain = complain
    }

    func start() {
        DedicatedThread.start("credentials") { [weak self] in
            while let follower = self, follower.waitForTurn() {
                // The thread that copies everything else reports that the primary is away.
                try? follower.update()
            }
        }
    }

    func stop() { state.change { $0.isStopped = true } }

    private func waitForTurn() -> Bool {
        state.wait(upTo: Self.interval) { $0.isStopped || $0.isKeyRefused ? true : nil } == nil
    }

    /// The tag of what this host has.
    private var tag: String {
        get throws {
            try CredentialCopy(dataFolder: data.path, accounts: listening.accounts).tag(with: primary.apiKey)
        }
    }

    /// Copies the app passwords and roles unless they have the primary's tag. Blocks.
    func update(to wanted: String) throws {
        if try tag != wanted { try update() }
    }

    /// Copies the app passwords and roles if they have changed. Blocks.
    func update() throws {
        try stored.withLock { stored in
            guard !state.read(\.isKeyRefused) else { return }
            let ours = try tag
            let known = stored.flatMap { $0.ours == ours ? $0.theirs : nil } ?? ours
            let answer: TransferLoop.Answer
            do throws(PrimaryHost.Failure) {
                answer = try primary.answer(Routes.replicaCredentials, unless: "\"\(known)\"")
            } catch {
                if error.code == APIError.wrongKey.code { try refuseKey() }
                throw error
            }
            guard answer.status == 200 else { return }
            stored = (try store(answer.body), try tag)
        }
    }

    /// - Returns: the primary's tag.
    private func store(_ sealed: [UInt8]) throws -> String {
        guard let copy = CredentialCopy(sealed: sealed, with: primary.apiKey) else {
            throw PrimaryHost.Failure(description: "the primary's app passwords cannot be decrypted")
        }
        do throws(HostError) { try copy.store(dataFolder: data.path) } catch {
            throw PrimaryHost.Failure(description: error.message)
        }
        try copy.storeRoles(in: listening)
        return copy.tag(with: primary.apiKey)
    }

    /// Replaces this host's API key by a random one: clients that have the old one are rejected, app passwords go on working. The next
    /// start sets the primary's new key.
    private func refuseKey() throws {
        _ = try HostSecrets.regenerate(dataFolder: data.path)
        state.change { $0.isKeyRefused = true }
        complain(
            "the primary refuses the API key, so it is not valid here any more; restart this host with the key that `stream-host key show` prints on the primary"
        )
    }
}
