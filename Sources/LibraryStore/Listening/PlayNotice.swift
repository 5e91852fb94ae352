internal import Catalogue
internal import Foundation
internal import MusicShared
internal import Synchronization

/// A track that a listener plays, or has played for long enough to count.
package struct PlayNotice: Sendable, Equatable {
    /// The kinds of notices.
    package enum Kind: Sendable, Equatable {
        /// A player has started the track.
        case started
        /// The play was added to the history.
        case played
    }

    /// The kind.
    package let kind: Kind
    /// The track's ID.
    package let trackID: Int
    /// Time of the play in the history, or of the start, in seconds since 1970.
    package let at: Double
    /// Seconds of the track that were played; nil if unknown.
    package let secondsPlayed: Double?
}

extension ListeningStore {
    /// Sets the function that receives every play of every source, with the account's id: the API's actions, and the scrobbles
    /// and reports of apps.
    ///
    /// Plays are passed on after they are written and before they are committed. So a play that the function has stored
    /// may be passed on again if the program ends in between, but none is missed. The function must be fast: other
    /// writes wait for it.
    package func observePlays(_ observer: @escaping @Sendable ([PlayNotice], _ accountID: Int) -> Void) {
        playObserver.withLock { $0 = observer }
    }
}

extension AccountListening {
    /// Passes on the plays, or the starts, among actions that were applied.
    func passOn(
        _ kind: PlayNotice.Kind, of actions: [ListeningAction],
        _ found: [Result<ListeningItem, ListeningResults.Refusal>], _ results: [ListeningResults.Result],
        now: Date
    ) {
        let wanted: ListeningAction.Kind = kind == .played ? .play : .nowPlaying
        var notices: [PlayNotice] = []
        for (index, action) in actions.enumerated()
        where action.action == wanted && results[index].status == .applied {
            guard case .success(let item) = found[index], let trackID = item.number else { continue }
            notices.append(
                PlayNotice(
                    kind: kind, trackID: trackID, at: Double(Self.time(action, now)) / 1000,
                    secondsPlayed: action.secondsPlayed))
        }
        passOn(notices)
    }

    /// Passes on notices.
    func passOn(_ notices: [PlayNotice]) {
        guard !notices.isEmpty, let observer = store.playObserver.withLock({ $0 }) else { return }
        observer(notices, accountID)
    }
}
