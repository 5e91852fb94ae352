/// Says where something is when its turn comes, and where else where it cannot be had there.
public protocol MediaLocator: Sendable {
    /// Where an item is at the moment.
    /// - Parameter failed: where it was looked for in vain; nil for the first time.
    /// - Returns: nil for where the item itself says.
    func location(
        of item: PlayableItem, insteadOf failed: PlayableItem.Location?
    ) async -> PlayableItem.Location?
}
