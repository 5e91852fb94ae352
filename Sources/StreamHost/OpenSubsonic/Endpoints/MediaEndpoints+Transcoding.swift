internal import Analyzer
internal import HostStreams
internal import HTTPServer
internal import MusicShared
internal import OpenSubsonic

/// The extension transcoding: the choice between the original and MP3 with a lower bit rate by what a client can play.
extension MediaEndpoints {
    func transcodeDecision(_ request: SubsonicRequest) async throws -> TranscodeDecision {
        let track = try await tracks.track(try request.mediaID())
        let client = try await request.json(ClientCapabilities.self)
        let stream = track.original
        let source = StreamDetails(
            container: stream.format.rawValue, codec: stream.format.rawValue, channels: stream.channels,
            bitRate: stream.averageBitRate, sampleRate: stream.sampleRateHz)
        var decision = TranscodeDecision(source: source)
        decision.reasons = client.obstacles(to: source)
        decision.canDirectPlay = decision.reasons.isEmpty
        for quality in [StreamQuality.high, .low] where decision.target == nil {
            guard let rate = Rendition.bitRate(of: track, quality) else { continue }
            let target = StreamDetails(
                container: AudioFormat.mp3.rawValue, codec: AudioFormat.mp3.rawValue,
                channels: track.stream.channels, bitRate: rate * 1000, sampleRate: track.stream.sampleRateHz)
            if client.accepts(target) {
                decision.target = target
                decision.parameters = quality.rawValue
            }
        }
        if !decision.canDirectPlay, decision.target == nil {
            decision.error =
                "This server has the original and MP3 with 64 kbit/s, of files that are not MP3 also with 192 kbit/s; "
                + "the app can play none of them."
        }
        return decision
    }

    /// The stream that a decision has offered. Errors have an HTTP status, since the client is a player that expects audio.
    func transcodeStream(_ request: SubsonicRequest) async throws -> HTTPResponse {
        do {
            let track = try await tracks.track(try request.mediaID())
            let text = try request.require("transcodeParams")
            guard let quality = StreamQuality(rawValue: text), quality != .original else {
                throw SubsonicError(
                    .generic, "\"transcodeParams\" must be what getTranscodeDecision has returned.")
            }
            let seconds = Double(try request.integer("offset") ?? 0)
            return try await audio(track, quality, from: seconds)
        } catch let error as SubsonicError {
            throw SubsonicFailure(error: error, status: error.code == .notFound ? .notFound : .badRequest)
        } catch let error as HTTPError {
            let code: SubsonicError.Code = error.status == .notFound ? .notFound : .generic
            throw SubsonicFailure(error: SubsonicError(code, error.message), status: error.status)
        }
    }
}
