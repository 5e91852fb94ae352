extension Array where Element: Identifiable, Element.ID == Int {
    /// Returns the elements with some ids, in the order of the ids; ids that no element has are left out.
    package func inOrder(of ids: [Int]) -> [Element] {
        var places: [Int: Int] = [:]
        places.reserveCapacity(count)
        for (place, element) in enumerated() { places[element.id] = place }
        // Large elements: an array that grows would copy them several times.
        var ordered: [Element] = []
        ordered.reserveCapacity(Swift.min(count, ids.count))
        for id in ids {
            if let place = places[id] { ordered.append(self[place]) }
        }
        return ordered
    }
}
