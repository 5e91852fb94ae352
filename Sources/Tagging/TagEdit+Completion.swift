extension TagEdit {
    /// The edit for a file without ID3v2 that is going to get it: what the file's other tags say is set as well, since many
    /// programs look at no other tag where there is ID3v2. What ID3v2 cannot take as it stands is left.
    /// - Parameter tags: what the file's tags say now.
    public func completed(by tags: TrackTags) -> TagEdit {
        var edit = self
        func complete<Value>(_ path: WritableKeyPath<TagEdit, TagChange<Value>>, _ value: Value?) {
            guard let value, edit[keyPath: path].isLeft else { return }
            var alone = TagEdit()
            alone[keyPath: path] = .set(value)
            guard (try? alone.checked()) != nil else { return }
            edit[keyPath: path] = .set(value)
        }
        complete(\.title, tags.title)
        complete(\.artist, tags.artist)
        complete(\.album, tags.album)
        complete(\.albumArtist, tags.albumArtist)
        complete(\.genre, tags.genre)
        complete(\.composer, tags.composer)
        complete(\.comment, tags.comment)
        complete(\.trackNumber, tags.track.number)
        complete(\.trackTotal, tags.track.total)
        complete(\.discNumber, tags.disc.number)
        complete(\.discTotal, tags.disc.total)
        complete(\.year, tags.year)
        if tags.isCompilation { complete(\.isCompilation, true) }
        return edit
    }

    /// Whether it sets anything: a file without tags then gets ID3v2.
    public var setsSomething: Bool {
        let texts = [title, artist, album, albumArtist, genre, composer, comment]
        let numbers = [trackNumber, trackTotal, discNumber, discTotal, year]
        return texts.contains(where: \.isSetting) || numbers.contains(where: \.isSetting) || cover.isSetting
            || isCompilation == .set(true) || replayGain.setsSomething
    }
}

extension TagChange {
    /// Whether the field gets a value.
    var isSetting: Bool { if case .set = self { true } else { false } }
}
