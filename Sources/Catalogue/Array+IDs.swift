extension Array where Element: Identifiable, Element.ID == Int {
    /// Returns the elements with some ids, in the order of the ids; ids that no element has are left out.
    package func inOrder(of ids: [Int]) -> [Element] {
        var places: [Int: Int] = [:]
        places.reserveCapacity(count)
        for (place, element) in enumerated() { places[element.id] = place }
        return ids.compactMap { id in places[id].map { self[$0] } }
    }
}
