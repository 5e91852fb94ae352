internal import Analyzer

/// A moment that is marked in drawings.
struct CueMark {
    /// Its name.
    var label: String
    /// Its time in seconds.
    var seconds: Double
    /// Its colour.
    var colour: RGB

    /// The cue points in their order, without the ends of fades if there is no fade.
    static func marks(of cue: CuePoints) -> [CueMark] {
        var marks = [CueMark(label: "cue-in", seconds: cue.cueInSeconds, colour: Palette.cueIn)]
        if cue.fadeInEndSeconds > cue.cueInSeconds {
            marks.append(CueMark(label: "fade-in end", seconds: cue.fadeInEndSeconds, colour: Palette.fade))
        }
        if cue.fadeOutStartSeconds < cue.cueOutSeconds {
            marks.append(
                CueMark(label: "fade-out start", seconds: cue.fadeOutStartSeconds, colour: Palette.fade))
        }
        marks.append(CueMark(label: "start next", seconds: cue.startNextSeconds, colour: Palette.startNext))
        marks.append(CueMark(label: "cue-out", seconds: cue.cueOutSeconds, colour: Palette.cueOut))
        return marks
    }
}
