/// MP3 files by encoders other people wrote.
public enum Encoders {
    /// The bytes that `lame` makes of `pcm` with the given options. No tags are added unless asked for.
    public static func lame(_ pcm: PCM, _ options: [String] = []) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(pcm.wav, as: "in.wav")
        try ProcessRun.run("lame", ["--quiet"] + options + [input, directory.file("out.mp3")])
        return try directory.read("out.mp3")
    }

    /// The bytes that `ffmpeg` makes of `pcm` with the given output options, in a file named `name`, whose suffix
    /// chooses the format.
    public static func ffmpeg(_ pcm: PCM, _ options: [String], as name: String) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let input = try directory.write(pcm.wav, as: "in.wav")
        try ProcessRun.run(
            "ffmpeg", ["-v", "error", "-bitexact", "-i", input] + options + [directory.file(name)])
        return try directory.read(name)
    }
}
