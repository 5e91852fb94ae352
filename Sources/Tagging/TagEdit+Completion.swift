extension TagEdit {
    /// Returns the edit with all other values of a file's tags set as well, so that a file with only ID3v1 gets a complete
    /// ID3v2 tag. Values that cannot be set by an edit are omitted. Not for tags with multiple values in a field, which would
    /// be merged into one: a new ID3v2 tag takes those over by itself (see ``TagRewrite``).
    /// - Parameter tags: the current tags of the file.
    package func completed(by tags: TrackTags) -> TagEdit {
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
        complete(\.replayGain.trackGain, tags.replayGain.trackGainDB.flatMap(ReplayGainEdit.Gain.init))
        complete(\.replayGain.trackPeak, tags.replayGain.trackPeak.flatMap(ReplayGainEdit.Peak.init))
        complete(\.replayGain.albumGain, tags.replayGain.albumGainDB.flatMap(ReplayGainEdit.Gain.init))
        complete(\.replayGain.albumPeak, tags.replayGain.albumPeak.flatMap(ReplayGainEdit.Peak.init))
        return edit
    }
}
