package import HTTPClient

/// Settings and limits of the relay of radio stations.
package struct RelaySettings: Sendable {
    /// Maximum number of stations that are relayed at once.
    package var stationLimit = 4
    /// Maximum size of all timeshifts together, in bytes. Each of the stations that may be relayed at once has the same share.
    package var diskBudget = 512 << 20
    /// Maximum duration of a timeshift in seconds.
    package var timeshiftSeconds = 3600.0
    /// Seconds after the last request for a station until its connection is closed.
    package var idleSeconds = 120.0
    /// Duration of a segment in seconds; the first ones are shorter, so that playback starts soon.
    package var segmentSeconds = 4.0
    /// The longest pause between attempts to reconnect, in seconds.
    package var longestPause = 30.0
    /// Networks that stations may be in although they are not public.
    package var allowedNetworks: [NetworkRange] = []
    /// The program's name for the `User-Agent` field.
    package var userAgent = "audio-companion"

    /// Creates default settings.
    package init() {}

    /// Maximum size of one station's timeshift in bytes.
    var share: Int { diskBudget / max(1, stationLimit) }
}
