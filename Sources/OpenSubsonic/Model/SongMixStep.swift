/// A step from one song to the next in an order for mixing. Scores are 0…1.
package struct SongMixStep: SubsonicRepresentable, Equatable {
    /// The song before.
    package var fromID: String
    /// The song after.
    package var toID: String
    /// How well the keys go together.
    package var keyScore: Double
    /// How well the tempi go together.
    package var tempoScore: Double
    /// How well the levels go together.
    package var levelScore: Double
    /// Keys, tempi and levels of both songs, as a sentence.
    package var reason: String

    /// Memberwise initializer.
    package init(
        fromID: String, toID: String, keyScore: Double, tempoScore: Double, levelScore: Double, reason: String
    ) {
        self.fromID = fromID
        self.toID = toID
        self.keyScore = keyScore
        self.tempoScore = tempoScore
        self.levelScore = levelScore
        self.reason = reason
    }

    /// The fields of `step`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("fromId", fromID)
        object.add("toId", toID)
        object.add("keyScore", keyScore)
        object.add("tempoScore", tempoScore)
        object.add("levelScore", levelScore)
        object.add("reason", reason)
        return object
    }
}
