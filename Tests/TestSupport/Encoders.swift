/// MP3 files from third-party encoders.
public enum Encoders {
    /// Encodes `pcm` with `lame` and the given options. No tags are added unless requested.
    public static func lame(_ pcm: PCM, _ options: [String] = []) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(pcm.wav, as: "in.wav")
        try ProcessRun.run("lame", ["--quiet"] + options + [input, directory.file("out.mp3")])
        return try directory.read("out.mp3")
    }

    /// Encodes `pcm` with `ffmpeg` and the given output options, to a file `name` whose suffix selects the format.
    public static func ffmpeg(_ pcm: PCM, _ options: [String], as name: String) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(pcm.wav, as: "in.wav")
        try ProcessRun.run(
            "ffmpeg", ["-v", "error", "-bitexact", "-i", input] + options + [directory.file(name)])
        return try directory.read(name)
    }
}
