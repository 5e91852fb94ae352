/// The transition from one song to the next. Times are milliseconds, gains dB.
package struct SongTransition: SubsonicRepresentable, Equatable {
    /// Gain and fade of one of the two songs.
    package struct Side: SubsonicRepresentable, Equatable {
        /// Gain for the whole song in dB.
        package var gain: Double
        /// Gain for the whole album in dB; nil where the songs are not of one album.
        package var albumGain: Double?
        /// The fade; nil without one.
        package var fade: Fade?

        /// Memberwise initializer.
        package init(gain: Double, albumGain: Double?, fade: Fade?) {
            self.gain = gain
            self.albumGain = albumGain
            self.fade = fade
        }

        /// The fields of `outgoing` and `incoming`.
        package var object: SubsonicObject {
            var object = SubsonicObject()
            object.add("gain", gain)
            object.add("albumGain", albumGain)
            object.add("fade", fade)
            return object
        }
    }

    /// A change of the gain during the overlap.
    package struct Fade: SubsonicRepresentable, Equatable {
        /// Shape: "none", "linear" or "equal_power".
        package var curve: String
        /// Start within the song.
        package var startMilliseconds: Int
        /// Duration.
        package var durationMilliseconds: Int
        /// Amplitude factor at the start, 0…1.
        package var startGain: Double
        /// Amplitude factor at the end, 0…1.
        package var endGain: Double

        /// Memberwise initializer.
        package init(
            curve: String, startMilliseconds: Int, durationMilliseconds: Int, startGain: Double,
            endGain: Double
        ) {
            self.curve = curve
            self.startMilliseconds = startMilliseconds
            self.durationMilliseconds = durationMilliseconds
            self.startGain = startGain
            self.endGain = endGain
        }

        /// The fields of `fade`.
        package var object: SubsonicObject {
            var object = SubsonicObject()
            object.add("curve", curve)
            object.add("startMs", startMilliseconds)
            object.add("durationMs", durationMilliseconds)
            object.add("startFactor", startGain)
            object.add("endFactor", endGain)
            return object
        }
    }

    /// The next song's id.
    package var nextID: String
    /// "gapless", "cut" or "overlap".
    package var kind: String
    /// Where the next song starts in this one.
    package var startMilliseconds: Int
    /// Where this song ends.
    package var endMilliseconds: Int
    /// Where the next song begins in itself.
    package var cueInMilliseconds: Int
    /// How long both play.
    package var overlapMilliseconds: Int
    /// Loudness in LUFS that the gains lead to.
    package var targetLoudness: Double
    /// This song.
    package var outgoing: Side
    /// The next song.
    package var incoming: Side
    /// Playback speed at which the next song has the same tempo; nil without tempos.
    package var tempoRatio: Double?
    /// How the keys relate, such as "same" or "distant"; nil without keys.
    package var keyRelation: String?

    /// Creates a transition without tempo and key.
    package init(
        nextID: String, kind: String, startMilliseconds: Int, endMilliseconds: Int, cueInMilliseconds: Int,
        overlapMilliseconds: Int, targetLoudness: Double, outgoing: Side, incoming: Side
    ) {
        self.nextID = nextID
        self.kind = kind
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.cueInMilliseconds = cueInMilliseconds
        self.overlapMilliseconds = overlapMilliseconds
        self.targetLoudness = targetLoudness
        self.outgoing = outgoing
        self.incoming = incoming
    }

    /// The fields of `transition`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("nextId", nextID)
        object.add("kind", kind)
        object.add("startMs", startMilliseconds)
        object.add("endMs", endMilliseconds)
        object.add("cueInMs", cueInMilliseconds)
        object.add("overlapMs", overlapMilliseconds)
        object.add("targetLoudness", targetLoudness)
        object.add("tempoRatio", tempoRatio)
        object.add("keyRelation", keyRelation)
        object.add("outgoing", outgoing)
        object.add("incoming", incoming)
        return object
    }
}
