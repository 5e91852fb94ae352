internal import Foundation

/// Searches the order of tracks with the lowest cost: what the transitions lack to a perfect score, and the squares of the
/// distances from the places that the energy asks for.
///
/// Starts with the nearest neighbour of each track, or with the places by energy, and exchanges, moves and reverses parts while that
/// helps (2-opt and Or-opt: G. Croes, *A method for solving traveling-salesman problems*, 1958; I. Or, 1976).
struct MixOrderSearch {
    /// Cost of a track whose energy belongs to the other end of the order, in transitions without any score.
    private static let energyWeight: Float = 8
    /// Tracks in one wave of energy.
    private static let tracksPerWave = 12.0
    /// Most tracks that are reversed, or passed by one that moves, if each of them has a place by its energy.
    private static let longestShift = 48
    /// Smallest improvement that counts.
    private static let leastGain: Float = 1e-4
    /// Most tracks for which several starts are tried, and their number.
    private static let mostRestarted = 100
    private static let mostStarts = 8
    /// Maximum number of pairs of places that are examined: bounds the time.
    private static let mostTrials = 20_000_000

    /// Indices of the tracks in order.
    private(set) var order: [Int]
    private let count: Int
    /// Cost of each transition from a row to a column: row · count + column. A key that changes within a track makes it depend on
    /// the direction.
    private let costs: [Float]
    /// Whether the key of a track changes within it, so that the direction of a transition matters.
    private let isDirected: Bool
    /// For each place, what all transitions before it cost more in the other direction; empty if directions do not matter.
    private var turned: [Float] = []
    /// Share of the tracks that have less energy than a track, 0…1; empty without a wanted development.
    private let ranks: [Float]
    /// The same for each place.
    private let targets: [Float]
    /// The places that may change.
    private let places: Range<Int>

    init(_ tracks: [MixOrder.Track], energy: MixOrder.Energy, keepsFirst: Bool, keepsLast: Bool) {
        count = tracks.count
        let low = keepsFirst && count > 0 ? 1 : 0
        places = low..<max(low, count - (keepsLast && count > 1 ? 1 : 0))
        costs = Self.costs(tracks)
        isDirected = tracks.contains { $0.keysDiffer }
        order = Array(0..<count)
        guard energy != .none, places.count > 1 else {
            (ranks, targets) = ([], [])
            startWithNeighbours()
            return
        }
        let known = places.compactMap { tracks[$0].energy }.sorted()
        let middle = known.isEmpty ? 0 : known[known.count / 2]
        var ranks = [Float](repeating: 0, count: count)
        var targets = ranks
        for (place, rank) in zip(places, Self.ranks(places.map { tracks[$0].energy ?? middle })) {
            ranks[place] = rank
        }
        for (place, rank) in zip(places, Self.ranks(Self.curve(energy, count: places.count))) {
            targets[place] = rank
        }
        (self.ranks, self.targets) = (ranks, targets)
        let byEnergy = places.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        let byTarget = places.sorted { (targets[$0], $0) < (targets[$1], $1) }
        for (place, track) in zip(byTarget, byEnergy) { order[place] = track }
    }

    private static func costs(_ tracks: [MixOrder.Track]) -> [Float] {
        var costs = [Float](repeating: 0, count: tracks.count * tracks.count)
        for row in tracks.indices {
            for column in row + 1..<max(row + 1, tracks.count) {
                let (one, other) = (tracks[row], tracks[column])
                let cost = Float(1 - TransitionScore(one, other).mean)
                costs[row * tracks.count + column] = cost
                costs[column * tracks.count + row] =
                    one.keysDiffer || other.keysDiffer ? Float(1 - TransitionScore(other, one).mean) : cost
            }
        }
        return costs
    }

    /// Returns the wanted energy at each place; only its order matters.
    private static func curve(_ energy: MixOrder.Energy, count: Int) -> [Double] {
        (0..<count).map { place in
            let share = Double(place) / Double(max(1, count - 1))
            return switch energy {
            case .none: 0
            case .rising: share
            case .falling: -share
            case .wave: -cos(2 * .pi * share * max(1, (Double(count) / tracksPerWave).rounded()))
            }
        }
    }

    /// Returns the rank of each value, 0…1; equal values have the same.
    private static func ranks(_ values: [Double]) -> [Float] {
        let sorted = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
        var ranks = [Float](repeating: 0, count: values.count)
        var first = 0
        while first < sorted.count {
            var end = first
            while end < sorted.count, values[sorted[end]] == values[sorted[first]] { end += 1 }
            let rank = Float(first + end - 1) / 2 / Float(max(1, values.count - 1))
            for index in first..<end { ranks[sorted[index]] = rank }
            first = end
        }
        return ranks
    }

    /// Puts after each track the one that follows it best.
    private mutating func startWithNeighbours() {
        guard count > 2, !places.isEmpty else { return }
        for place in max(1, places.lowerBound)..<max(1, places.upperBound) {
            let row = order[place - 1] * count
            let best = (place..<places.upperBound).min { costs[row + order[$0]] < costs[row + order[$1]] }
            if let best { order.swapAt(place, best) }
        }
    }

    /// Finds a good order: for few tracks the best of several starts, since single changes may lead nowhere from one of them.
    mutating func run() {
        let starts = ranks.isEmpty && places.lowerBound == 0 && count <= Self.mostRestarted ? places : 0..<1
        let first = order
        var best: (cost: Float, order: [Int])?
        for start in starts.prefix(Self.mostStarts) {
            order = first
            if start > 0 {
                order.swapAt(0, start)
                startWithNeighbours()
            }
            improve()
            let total = total
            if best.map({ total < $0.cost - Self.leastGain }) ?? true { best = (total, order) }
        }
        if let best { order = best.order }
    }

    /// Cost of all transitions.
    private var total: Float {
        zip(order, order.dropFirst()).reduce(0) { $0 + costs[$1.0 * count + $1.1] }
    }

    /// Improves the order until no single change helps, or until the maximum number of trials is reached.
    private mutating func improve() {
        var trials = 0
        turn()
        var isBetter = true
        while isBetter, trials < Self.mostTrials {
            isBetter = false
            for one in places {
                for other in one + 1..<max(one + 1, places.upperBound) where change(one, other) {
                    isBetter = true
                    turn()
                }
                trials += places.upperBound - one
            }
        }
    }

    /// Adds up what the transitions cost more in the other direction.
    private mutating func turn() {
        guard isDirected else { return }
        turned = [Float](repeating: 0, count: count)
        for place in order.indices.dropFirst() {
            let (one, next) = (order[place - 1], order[place])
            turned[place] = turned[place - 1] + costs[next * count + one] - costs[one * count + next]
        }
    }

    /// Changes two places, and what is between them, if that helps. Returns whether it has.
    private mutating func change(_ one: Int, _ other: Int) -> Bool {
        if other - one > 1, exchange(one, other) < -Self.leastGain {
            order.swapAt(one, other)
            return true
        }
        guard ranks.isEmpty || other - one <= Self.longestShift else { return false }
        if reversal(one, other) < -Self.leastGain {
            order[one...other].reverse()
        } else if moveForward(one, other) < -Self.leastGain {
            order.insert(order.remove(at: one), at: other)
        } else if moveBack(one, other) < -Self.leastGain {
            order.insert(order.remove(at: other), at: one)
        } else {
            return false
        }
        return true
    }

    // Each returns the change of the cost.

    private func exchange(_ one: Int, _ other: Int) -> Float {
        let (a, b) = (order[one], order[other])
        let old =
            cost(one - 1, to: a) + cost(a, toPlace: one + 1) + cost(other - 1, to: b)
            + cost(b, toPlace: other + 1)
        let new =
            cost(one - 1, to: b) + cost(b, toPlace: one + 1) + cost(other - 1, to: a)
            + cost(a, toPlace: other + 1)
        guard !ranks.isEmpty else { return new - old }
        return new - old + misfit(b, one) + misfit(a, other) - misfit(a, one) - misfit(b, other)
    }

    private func reversal(_ one: Int, _ other: Int) -> Float {
        let (a, b) = (order[one], order[other])
        var change =
            cost(one - 1, to: b) + cost(a, toPlace: other + 1) - cost(one - 1, to: a)
            - cost(b, toPlace: other + 1)
        if isDirected { change += turned[other] - turned[one] }
        guard !ranks.isEmpty else { return change }
        for place in one...other {
            change += misfit(order[one + other - place], place) - misfit(order[place], place)
        }
        return change
    }

    private func moveForward(_ one: Int, _ other: Int) -> Float {
        let (a, b) = (order[one], order[other])
        let old = cost(one - 1, to: a) + cost(a, toPlace: one + 1) + cost(b, toPlace: other + 1)
        var change =
            cost(one - 1, to: order[one + 1]) + cost(other, to: a) + cost(a, toPlace: other + 1) - old
        guard !ranks.isEmpty else { return change }
        change += misfit(a, other) - misfit(a, one)
        for place in one + 1...other {
            change += misfit(order[place], place - 1) - misfit(order[place], place)
        }
        return change
    }

    private func moveBack(_ one: Int, _ other: Int) -> Float {
        let (a, b) = (order[one], order[other])
        let old = cost(other - 1, to: b) + cost(b, toPlace: other + 1) + cost(one - 1, to: a)
        var change =
            cost(order[other - 1], toPlace: other + 1) + cost(one - 1, to: b) + cost(b, toPlace: one) - old
        guard !ranks.isEmpty else { return change }
        change += misfit(b, one) - misfit(b, other)
        for place in one..<other {
            change += misfit(order[place], place + 1) - misfit(order[place], place)
        }
        return change
    }

    /// Returns the cost of the transition from the track at a place to another one; 0 outside of the order.
    private func cost(_ place: Int, to track: Int) -> Float {
        place < 0 ? 0 : costs[order[place] * count + track]
    }

    /// Returns the cost of the transition from a track to the one at a place; 0 outside of the order.
    private func cost(_ track: Int, toPlace place: Int) -> Float {
        place >= count ? 0 : costs[track * count + order[place]]
    }

    /// Returns the cost of the energy of a track at a place.
    private func misfit(_ track: Int, _ place: Int) -> Float {
        let distance = ranks[track] - targets[place]
        return Self.energyWeight * distance * distance
    }
}
