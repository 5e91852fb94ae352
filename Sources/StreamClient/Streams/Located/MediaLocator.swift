/// Resolves the location of an item when it is played, and an alternative if that fails.
public protocol MediaLocator: Sendable {
    /// Returns the current location of an item.
    /// - Parameter failed: the location that was unavailable; nil on the first call.
    /// - Returns: nil to use the item's own location.
    func location(
        of item: PlayableItem, insteadOf failed: PlayableItem.Location?
    ) async -> PlayableItem.Location?
}
