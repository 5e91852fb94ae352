/// Measurements of a song: the element of this server's extension audioCompanionAnalysis.
///
/// All times are milliseconds from the start of the song, gaps of the encoder removed.
package struct SongAnalysis: SubsonicRepresentable, Equatable {
    /// Where to begin, to end and to start the next song.
    package struct Cue: SubsonicRepresentable, Equatable {
        /// First audible moment.
        package var inMilliseconds: Int
        /// End of the last audible moment.
        package var outMilliseconds: Int
        /// End of the fade-in.
        package var fadeInEndMilliseconds: Int
        /// Start of the fade-out.
        package var fadeOutStartMilliseconds: Int
        /// Earliest start of the next song.
        package var startNextMilliseconds: Int
        /// How it ends: "hard", "fade", "sustained" or "long_tail".
        package var ending: String

        /// Memberwise initializer.
        package init(
            inMilliseconds: Int, outMilliseconds: Int, fadeInEndMilliseconds: Int,
            fadeOutStartMilliseconds: Int, startNextMilliseconds: Int, ending: String
        ) {
            self.inMilliseconds = inMilliseconds
            self.outMilliseconds = outMilliseconds
            self.fadeInEndMilliseconds = fadeInEndMilliseconds
            self.fadeOutStartMilliseconds = fadeOutStartMilliseconds
            self.startNextMilliseconds = startNextMilliseconds
            self.ending = ending
        }

        /// The fields of `cue`.
        package var object: SubsonicObject {
            var object = SubsonicObject()
            object.add("inMs", inMilliseconds)
            object.add("outMs", outMilliseconds)
            object.add("fadeInEndMs", fadeInEndMilliseconds)
            object.add("fadeOutStartMs", fadeOutStartMilliseconds)
            object.add("startNextMs", startNextMilliseconds)
            object.add("ending", ending)
            return object
        }
    }

    /// Loudness and peaks by EBU R 128.
    package struct Loudness: SubsonicRepresentable, Equatable {
        /// Integrated loudness in LUFS; nil for silence.
        package var integrated: Double?
        /// Loudness range in LU.
        package var range: Double?
        /// Highest short-term loudness in LUFS; nil for songs shorter than 3 s.
        package var maxShortTerm: Double?
        /// Sample peak in dBFS; nil for silence.
        package var samplePeak: Double?
        /// True peak in dBTP; nil for silence.
        package var truePeak: Double?

        /// Creates values of a silent song.
        package init() {}

        /// The fields of `loudness`.
        package var object: SubsonicObject {
            var object = SubsonicObject()
            object.add("integrated", integrated)
            object.add("range", range)
            object.add("maxShortTerm", maxShortTerm)
            object.add("samplePeak", samplePeak)
            object.add("truePeak", truePeak)
            return object
        }
    }

    /// Tempo and beats.
    package struct Tempo: SubsonicRepresentable, Equatable {
        /// Beats per minute.
        package var bpm: Double
        /// Trust in the tempo, 0…1.
        package var confidence: Double
        /// Probability that the beats are on the beat rather than between, 0…1.
        package var beatConfidence: Double?
        /// All beats.
        package var beatMilliseconds: [Int]

        /// Beats per bar; nil if unknown, like the next two.
        package var beatsPerBar: Int?
        /// Index of the first beat that starts a bar.
        package var firstDownbeat: Int?
        /// Probability that metre and bars are right, 0…1.
        package var barConfidence: Double?

        /// Creates a tempo without bars.
        package init(bpm: Double, confidence: Double, beatConfidence: Double?, beatMilliseconds: [Int]) {
            self.bpm = bpm
            self.confidence = confidence
            self.beatConfidence = beatConfidence
            self.beatMilliseconds = beatMilliseconds
        }

        /// The fields of `tempo`.
        package var object: SubsonicObject {
            var object = SubsonicObject()
            object.add("bpm", bpm)
            object.add("confidence", confidence)
            object.add("beatConfidence", beatConfidence)
            object.add("beatMs", beatMilliseconds)
            object.add("beatsPerBar", beatsPerBar)
            object.add("firstDownbeat", firstDownbeat)
            object.add("barConfidence", barConfidence)
            return object
        }
    }

    /// The shape of the song: the lowest and highest sample of the mono mix in each stretch of time.
    package struct Waveform: SubsonicRepresentable, Equatable {
        /// Sample rate of the samples in Hz.
        package var sampleRate: Int
        /// Samples in one stretch.
        package var samplesPerPixel: Int
        /// Lowest and highest sample in turn, -128…127 for full scale.
        package var extremes: [Int]

        /// Memberwise initializer.
        package init(sampleRate: Int, samplesPerPixel: Int, extremes: [Int]) {
            self.sampleRate = sampleRate
            self.samplesPerPixel = samplesPerPixel
            self.extremes = extremes
        }

        /// The fields of `waveform`.
        package var object: SubsonicObject {
            var object = SubsonicObject()
            object.add("sampleRate", sampleRate)
            object.add("samplesPerPixel", samplesPerPixel)
            object.add("extreme", extremes)
            return object
        }
    }

    /// The song's id.
    package var id: String
    /// Where to begin and to end.
    package var cue: Cue
    /// Loudness.
    package var loudness = Loudness()
    /// Tempo; nil without a steady pulse.
    package var tempo: Tempo?
    /// Key, "F# minor"; nil for music without a key.
    package var key: String?
    /// Key in Camelot notation, "11A".
    package var camelotKey: String?
    /// The shape.
    package var waveform: Waveform
    /// The transition to another song; nil where none was named.
    package var transition: SongTransition?

    /// Creates an analysis without loudness, tempo, key and transition.
    package init(id: String, cue: Cue, waveform: Waveform) {
        self.id = id
        self.cue = cue
        self.waveform = waveform
    }

    /// The fields of `songAnalysis`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("id", id)
        object.add("key", key)
        object.add("camelotKey", camelotKey)
        object.add("cue", cue)
        object.add("loudness", loudness)
        object.add("tempo", tempo)
        object.add("waveform", waveform)
        object.add("transition", transition)
        return object
    }
}
