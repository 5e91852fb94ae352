/// Creates the sources of items.
struct SourceFactory: Sendable {
    let context: StreamContext
    let locator: (any MediaLocator)?

    /// Returns the source of an item.
    func source(of item: PlayableItem) -> any MediaSource {
        if let locator { return LocatedSource(item, locator, opening: source(at:)) }
        return source(at: item.location)
    }

    /// Returns the source for a location.
    func source(at location: PlayableItem.Location) -> any MediaSource {
        switch location {
        case .file(let path): ProgressiveSource(resource: FileResource(path: path))
        case .address(let address, let fields):
            AddressSource(address, fields: fields, context: context)
        }
    }
}
