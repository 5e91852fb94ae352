/// A track in the catalogue lists, with everything a player needs, so that one request covers many tracks.
///
/// Keys are those of `GET /tracks/:id/analysis`. Missing values are omitted.
public struct TrackItem: Codable, Sendable, Equatable, Identifiable {
    /// Track ID.
    public var id: Int
    /// Whether the file existed at the last check. Lists contain only available tracks; playlists also keep unavailable ones.
    public var isAvailable = true
    /// Path relative to the music folder.
    public var relativePath: String
    /// Identity of the audio, 32 hexadecimal digits.
    public var audioHash: String
    /// Size of the file in bytes.
    public var fileSizeBytes: Int
    /// Time the track was first seen, in seconds since 1970.
    public var addedAt: Double
    /// Time of the last change, in seconds since 1970.
    public var changedAt: Double

    /// Title.
    public var title: String?
    /// Artist.
    public var artist: String?
    /// Artist ID.
    public var artistID: Int?
    /// Album.
    public var album: String?
    /// Album ID.
    public var albumID: Int?
    /// Album artist.
    public var albumArtist: String?
    /// Track number on the disc.
    public var trackNumber: Int?
    /// Disc number.
    public var discNumber: Int?
    /// Year.
    public var year: Int?
    /// Genre.
    public var genre: String?
    /// Composer.
    public var composer: String?

    /// Exact duration in seconds after gapless trimming.
    public var durationSeconds: Double?
    /// Samples per channel after gapless trimming.
    public var sampleCount: Int?
    /// Format of the file, such as "mp3" or "flac".
    public var format: AudioFormat?
    /// Bits per sample; nil for MP3.
    public var bitDepth: Int?
    /// Sample rate in Hz.
    public var sampleRateHz: Int?
    /// Channels.
    public var channels: Int?
    /// Mean bit rate in bits per second.
    public var averageBitRateBPS: Int?
    /// Encoder delay in samples.
    public var encoderDelaySamples: Int?
    /// Encoder padding in samples.
    public var encoderPaddingSamples: Int?

    /// Integrated loudness in LUFS.
    public var integratedLUFS: Double?
    /// Loudness range in LU.
    public var loudnessRangeLU: Double?
    /// Sample peak in dBFS.
    public var samplePeakDBFS: Double?
    /// True peak in dBTP.
    public var truePeakDBTP: Double?
    /// Integrated loudness of the whole album in LUFS, for players that preserve the levels within an album.
    public var albumIntegratedLUFS: Double?
    /// Highest true peak of the album in dBTP.
    public var albumTruePeakDBTP: Double?

    /// First audible moment, in seconds.
    public var cueInSeconds: Double?
    /// End of the last audible moment, in seconds.
    public var cueOutSeconds: Double?
    /// End of the fade-in, in seconds.
    public var fadeInEndSeconds: Double?
    /// Start of the fade-out, in seconds.
    public var fadeOutStartSeconds: Double?
    /// Earliest start of the next track, in seconds.
    public var startNextSeconds: Double?
    /// "hard", "fade", "sustained" or "long_tail".
    public var ending: String?

    /// Tempo in beats per minute.
    public var bpm: Double?
    /// Confidence of the tempo, 0…1.
    public var bpmConfidence: Double?
    /// Probability that the beats are on the beat rather than between, 0…1.
    public var beatConfidence: Double?
    /// Time of the first beat in seconds.
    public var firstBeatSeconds: Double?
    /// Metre: beats per bar, 2, 3, 4 or 6.
    public var beatsPerBar: Int?
    /// Number of the first beat that starts a bar, from 0.
    public var firstDownbeat: Int?
    /// Probability that metre and bars are right, 0…1.
    public var barConfidence: Double?
    /// Key, "F# minor".
    public var key: String?
    /// Key in Camelot notation, "11A".
    public var keyCamelot: String?

    /// Number of damaged frames, which are measured as silence; nil if they were not counted.
    public var damagedFrameCount: Int?

    /// Whether the file's tags contain a picture. A track without one may still have a cover image in its folder.
    public var hasCover: Bool
    /// Path of the HLS playlist on the host.
    public var streamURL: String
    /// Path of the original file on the host.
    public var fileURL: String
    /// Path of the cover on the host. It changes with the track, so that responses can be cached for a long time.
    public var coverURL: String
    /// Star, rating and play count; nil unless requested.
    public var listening: ListeningState?

    /// Creates an item without tags or measurements.
    /// - Parameters:
    ///   - addedAt: time the track was first seen, in seconds since 1970.
    ///   - changedAt: time of the last change, in seconds since 1970.
    public init(
        id: Int, relativePath: String, audioHash: String, fileSizeBytes: Int, addedAt: Double,
        changedAt: Double, hasCover: Bool
    ) {
        self.id = id
        self.relativePath = relativePath
        self.audioHash = audioHash
        self.fileSizeBytes = fileSizeBytes
        self.addedAt = addedAt
        self.changedAt = changedAt
        self.hasCover = hasCover
        streamURL = Routes.path(Routes.mediaPlaylist, id)
        fileURL = Routes.path(Routes.file, id)
        coverURL = Routes.path(Routes.trackCover, id) + "?v=\(Int((changedAt * 1000).rounded()))"
    }

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case isAvailable = "is_available"
        case relativePath = "relative_path"
        case audioHash = "audio_hash"
        case fileSizeBytes = "file_size_bytes"
        case addedAt = "added_at"
        case changedAt = "changed_at"
        case title, artist
        case artistID = "artist_id"
        case album
        case albumID = "album_id"
        case albumArtist = "album_artist"
        case trackNumber = "track_number"
        case discNumber = "disc_number"
        case year, genre, composer
        case durationSeconds = "duration_seconds"
        case sampleCount = "sample_count"
        case format
        case bitDepth = "bit_depth"
        case sampleRateHz = "sample_rate_hz"
        case channels
        case averageBitRateBPS = "average_bit_rate_bps"
        case encoderDelaySamples = "encoder_delay_samples"
        case encoderPaddingSamples = "encoder_padding_samples"
        case integratedLUFS = "integrated_lufs"
        case loudnessRangeLU = "loudness_range_lu"
        case samplePeakDBFS = "sample_peak_dbfs"
        case truePeakDBTP = "true_peak_dbtp"
        case albumIntegratedLUFS = "album_integrated_lufs"
        case albumTruePeakDBTP = "album_true_peak_dbtp"
        case cueInSeconds = "cue_in_seconds"
        case cueOutSeconds = "cue_out_seconds"
        case fadeInEndSeconds = "fade_in_end_seconds"
        case fadeOutStartSeconds = "fade_out_start_seconds"
        case startNextSeconds = "start_next_seconds"
        case ending, bpm
        case bpmConfidence = "bpm_confidence"
        case beatConfidence = "beat_confidence"
        case firstBeatSeconds = "first_beat_seconds"
        case beatsPerBar = "beats_per_bar"
        case firstDownbeat = "first_downbeat"
        case barConfidence = "bar_confidence"
        case key
        case keyCamelot = "key_camelot"
        case damagedFrameCount = "damaged_frame_count"
        case hasCover = "has_cover"
        case streamURL = "stream_url"
        case fileURL = "file_url"
        case coverURL = "cover_url"
        case listening
    }
}
