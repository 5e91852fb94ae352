extension Double {
    /// Rounds to a multiple of `1 / unitsPerOne`: to hundredths for 100.
    public func rounded(to unitsPerOne: Double) -> Double {
        (self * unitsPerOne).rounded() / unitsPerOne
    }
}
