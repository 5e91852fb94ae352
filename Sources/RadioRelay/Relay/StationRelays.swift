internal import FileSystem
internal import Foundation
internal import HTTPClient
package import MusicShared
internal import Synchronization
internal import Threads

/// The relays of all stations that someone listens to: one connection for each, for a limited number of stations.
///
/// Relays end by themselves when no one uses them; ``stopAll()`` ends them at once.
package final class StationRelays: Sendable {
    /// Seconds that a check of an address may take.
    private static let checkSeconds = 20.0

    private let folder: String
    private let settings: RelaySettings
    private let loop: TransferLoop
    private let relays = Mutex<[Int: StationRelay]>([:])

    /// Creates the relays of a host; no connection is made yet.
    /// - Parameter folder: a folder of its own for the timeshifts; what an earlier process has left there is deleted.
    package init(folder: String, settings: RelaySettings) {
        self.folder = folder
        self.settings = settings
        loop = TransferLoop(userAgent: settings.userAgent)
        try? FileManager.default.removeItem(atPath: folder)
        try? Files.makeFolder(folder, permissions: 0o700)
    }

    /// Returns the relay of a station, and starts it if it does not run.
    /// - Parameter address: the station's address; a relay of another address is replaced.
    /// - Throws: `tooManyStations`, or `storage`.
    package func relay(stationID: Int, address: String) throws(RelayError) -> StationRelay {
        let result = relays.withLock { relays in
            Result { () throws(RelayError) in
                if let known = relays[stationID], known.address == address, !known.isStopped {
                    known.use()
                    return known
                }
                relays.removeValue(forKey: stationID)?.stop()
                relays = relays.filter { !$0.value.isStopped }
                guard relays.count < settings.stationLimit else {
                    throw RelayError(
                        .tooManyStations,
                        "\(settings.stationLimit) other stations are playing; stop one and try again")
                }
                // A name of its own: the thread of an earlier relay may still be deleting its files.
                let name = "\(stationID)-\(String(UInt64.random(in: .min ... .max), radix: 36))"
                let relay = try StationRelay(
                    stationID: stationID, address: address, folder: "\(folder)/\(name)", settings: settings,
                    loop: loop)
                relays[stationID] = relay
                DedicatedThread.start("radio \(stationID)") { relay.run() }
                return relay
            }
        }
        return try result.get()
    }

    /// Returns the relay of a station if it runs.
    package func running(stationID: Int) -> StationRelay? {
        relays.withLock { relays in
            if relays[stationID]?.isStopped == true { relays[stationID] = nil }
            return relays[stationID]
        }
    }

    /// Ends the relay of a station.
    package func stop(stationID: Int) { relays.withLock { $0.removeValue(forKey: stationID) }?.stop() }

    /// Ends all relays.
    package func stopAll() {
        let all = relays.withLock { relays in
            defer { relays = [:] }
            return Array(relays.values)
        }
        for relay in all { relay.stop() }
    }

    /// Connects to an address and finds out what it sends. Blocks for up to 20 seconds.
    /// - Throws: the reason why it cannot be relayed.
    package func check(_ address: String) throws(RelayError) -> StationCheck {
        let end = ContinuousClock.now + .seconds(Self.checkSeconds)
        let opener = StationOpener(loop: loop, policy: AddressPolicy(allowed: settings.allowedNetworks)) {
            ContinuousClock.now >= end
        }
        do throws(RelayError) {
            let source = try opener.open(address)
            var splitter = FrameSplitter()
            while ContinuousClock.now < end {
                for case .sound(let bytes) in try source.next() {
                    guard let frame = try splitter.take(bytes).first else { continue }
                    let facts = source.description
                    return StationCheck(
                        delivery: source.delivery, format: frame.kind.format, name: facts.name,
                        genre: facts.genre, homepageURL: facts.homepageURL, bitRate: facts.bitRate)
                }
            }
        } catch {
            guard error.code == .stopped else { throw error }
        }
        throw RelayError(.unreachable, "the station sent no audio within \(Int(Self.checkSeconds)) seconds")
    }
}
