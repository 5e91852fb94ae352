/// The most similar rows found so far: a binary heap with the least similar on top.
struct BestNeighbours {
    private let limit: Int
    private var heap: [SimilarityIndex.Neighbour] = []

    init(limit: Int) {
        self.limit = limit
        heap.reserveCapacity(min(limit, 4096))
    }

    /// The least similar of them; nil until there are as many as wanted.
    var worst: SimilarityIndex.Neighbour? { heap.count == limit ? heap.first : nil }

    /// The rows, the most similar first.
    var sorted: [SimilarityIndex.Neighbour] { heap.sorted(by: SimilarityIndex.Neighbour.isCloser) }

    /// Adds a row if it is among the best.
    /// - Returns: whether it was added.
    @discardableResult
    mutating func insert(_ neighbour: SimilarityIndex.Neighbour) -> Bool {
        if heap.count < limit {
            heap.append(neighbour)
            rise()
            return true
        }
        guard let worst = heap.first, SimilarityIndex.Neighbour.isCloser(neighbour, worst) else {
            return false
        }
        heap[0] = neighbour
        sink()
        return true
    }

    private func isWorse(_ place: Int, _ other: Int) -> Bool {
        SimilarityIndex.Neighbour.isCloser(heap[other], heap[place])
    }

    private mutating func rise() {
        var place = heap.count - 1
        while place > 0, isWorse(place, (place - 1) / 2) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func sink() {
        var place = 0
        while true {
            var worst = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && isWorse(child, worst) {
                worst = child
            }
            if worst == place { return }
            heap.swapAt(place, worst)
            place = worst
        }
    }
}
