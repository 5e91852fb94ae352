/// Whether a client can play a song as it is, and what it can get instead (the extension transcoding).
package struct TranscodeDecision: SubsonicRepresentable, Equatable {
    /// Why the client cannot play the original, one reason for each of its profiles; empty where it can.
    package var reasons: [String]
    /// Why there is neither the original nor anything else for the client; nil where there is.
    package var error: String?
    /// The value with which the client requests the other stream; nil if there is no other stream.
    package var parameters: String?
    /// The original.
    package var source: StreamDetails
    /// The stream that the client can get instead; nil if there is no other stream.
    package var target: StreamDetails?
    /// Whether the client can play the original.
    package var canDirectPlay: Bool

    /// Creates a decision for a song that the client can play as it is.
    package init(source: StreamDetails) {
        self.source = source
        reasons = []
        canDirectPlay = true
    }

    /// The fields of a `transcodeDecision`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("canDirectPlay", canDirectPlay)
        object.add("canTranscode", target != nil)
        object.add("transcodeReason", reasons)
        object.add("errorReason", error ?? "")
        object.add("transcodeParams", parameters)
        object.add("sourceStream", source)
        object.add("transcodeStream", target)
        return object
    }
}

/// Facts about a stream of audio.
package struct StreamDetails: SubsonicRepresentable, Equatable {
    /// "http" or "hls".
    package var streamProtocol = "http"
    /// The container, such as "mp3".
    package var container: String
    /// The codec, such as "mp3".
    package var codec: String
    /// Number of channels.
    package var channels: Int
    /// Bits per second.
    package var bitRate: Int
    /// Sample rate in Hz.
    package var sampleRate: Int

    /// Describes a stream over HTTP.
    package init(container: String, codec: String, channels: Int, bitRate: Int, sampleRate: Int) {
        self.container = container
        self.codec = codec
        self.channels = channels
        self.bitRate = bitRate
        self.sampleRate = sampleRate
    }

    /// The fields of `StreamDetails`.
    package var object: SubsonicObject {
        var object = SubsonicObject()
        object.add("protocol", streamProtocol)
        object.add("container", container)
        object.add("codec", codec)
        object.add("audioChannels", channels)
        object.add("audioBitrate", bitRate)
        object.add("audioSamplerate", sampleRate)
        return object
    }
}
