internal import MusicShared

extension PlaybackEngine {
    /// Replaces the queue and prepares one of its items, paused at a position.
    /// - Parameters:
    ///   - items: the items to play, in order.
    ///   - index: index of the item to prepare.
    ///   - seconds: position in that item.
    public func prepare(_ items: [PlayableItem], startingAt index: Int = 0, from seconds: Double = 0) {
        play(items, startingAt: index, from: seconds)
        pause()
    }

    /// Replaces the queue; the current item continues if it is one of the new ones, otherwise nothing changes.
    /// - Parameter place: the index of the current item in the new queue.
    /// - Returns: whether the queue was replaced.
    public func replaceQueue(_ items: [PlayableItem], keepingCurrentAt place: Int) -> Bool {
        guard let index, items.indices.contains(place), items[place].id == queue[index].item.id else {
            return false
        }
        let current = queue[index]
        queue = items.enumerated().map { number, item in
            number == place ? current : QueueEntry(id: makeID(), item: item)
        }
        self.index = place
        hub.send(.queueChanged)
        reconsiderNext()
        return true
    }

    /// Stops playback and empties the queue.
    public func clear() {
        stop()
        queue = []
        index = nil
        lastPosition = 0
        hub.send(.queueChanged)
    }

    /// Inserts items into the queue; playback continues.
    public func insert(_ items: [PlayableItem], at place: Int) {
        guard (0...queue.count).contains(place) else { return }
        queue.insert(contentsOf: items.map { QueueEntry(id: makeID(), item: $0) }, at: place)
        if let index, place <= index { self.index = index + items.count }
        hub.send(.queueChanged)
        reconsiderNext()
    }

    /// Appends items to the queue.
    public func append(_ items: [PlayableItem]) {
        queue += items.map { QueueEntry(id: makeID(), item: $0) }
        hub.send(.queueChanged)
        considerNext()
    }

    /// Removes an item from the queue, unless it is playing.
    public func remove(at place: Int) {
        guard queue.indices.contains(place), place != index else { return }
        queue.remove(at: place)
        if let index, place < index { self.index = index - 1 }
        hub.send(.queueChanged)
        reconsiderNext()
    }

    /// Moves an item within the queue; playback continues.
    public func move(from place: Int, to other: Int) {
        guard queue.indices.contains(place), queue.indices.contains(other), place != other else { return }
        let playing = index.map { queue[$0].id }
        queue.insert(queue.remove(at: place), at: other)
        index = playing.flatMap { id in queue.firstIndex { $0.id == id } }
        hub.send(.queueChanged)
        reconsiderNext()
    }
}
