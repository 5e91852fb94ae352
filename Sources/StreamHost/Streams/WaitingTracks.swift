internal import Companion

/// The tracks that clients wait for, in the order in which they were asked for.
struct WaitingTracks {
    /// The most that are remembered; those beyond are analysed all the same.
    static let capacity = 10_000

    /// A number for each track, larger for later ones.
    private var tickets: [RelativePath: Int] = [:]
    /// All numbers in use, ascending.
    private var order: [Int] = []
    private var lastTicket = 0

    var count: Int { order.count }

    func contains(_ path: RelativePath) -> Bool { tickets[path] != nil }

    /// Adds a track at the end, unless it waits already.
    /// - Returns: its place, from 1.
    mutating func add(_ path: RelativePath) -> Int {
        if let ticket = tickets[path] { return index(of: ticket) + 1 }
        guard order.count < Self.capacity else { return Self.capacity + 1 }
        lastTicket += 1
        tickets[path] = lastTicket
        order.append(lastTicket)
        return order.count
    }

    mutating func remove(_ path: RelativePath) {
        guard let ticket = tickets.removeValue(forKey: path) else { return }
        order.remove(at: index(of: ticket))
    }

    mutating func removeAll() {
        tickets = [:]
        order = []
    }

    private func index(of ticket: Int) -> Int {
        var range = 0..<order.count
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            if order[middle] == ticket { return middle }
            range = order[middle] < ticket ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
