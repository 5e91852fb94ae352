extension Double {
    /// The nearest multiple of a fraction: to the hundredth for 100.
    public func rounded(to unitsPerOne: Double) -> Double {
        (self * unitsPerOne).rounded() / unitsPerOne
    }
}
