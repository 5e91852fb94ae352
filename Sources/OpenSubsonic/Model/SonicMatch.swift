/// A song found by its sound (the extension sonicSimilarity).
package struct SonicMatch: SubsonicRepresentable, Equatable {
    /// The song.
    package var entry: Child
    /// 1 for the same sound, towards 0 for the most different.
    package var similarity: Double

    /// Memberwise initializer.
    package init(entry: Child, similarity: Double) {
        self.entry = entry
        self.similarity = similarity
    }

    /// The fields of `sonicMatch`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("entry", entry)
        object.add("similarity", similarity)
        return object
    }
}
