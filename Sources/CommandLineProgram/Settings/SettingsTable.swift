/// All settings of the programs, one row each.
///
/// To add a setting, add a row here and read it with `settings[\.name]`. Flag, environment variable, file, `--help` and
/// `config` are derived from it.
package struct SettingsTable: Sendable {
    // MARK: Folders

    /// The settings file.
    package let config = Setting(
        "config", .file, defaultText: "DATA/stream-host.conf, if it exists", section: .folders,
        programs: [.host, .analyzer], help: "settings file with one `name = value` per line")
    /// The data folder.
    package let data = Setting(
        "data", .folder, defaultValue: "./data", section: .folders, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "DB_PATH", isFileInFolder: true)],
        help: "folder for the databases and the API key")
    /// The music folder.
    package let music = Setting(
        "music", .folder, section: .folders, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "MUSIC_DIR")], help: "folder with the music files")
    /// The folder for visualizer frames.
    package let frames = Setting(
        "frames", .folder, defaultText: "the data folder", section: .folders, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "VIS_CACHE_DIR")],
        help: "folder for the visualizer frames: large, but can be regenerated")

    /// Path pattern for uploaded files.
    package let uploadNames = Setting(
        "upload-names", .text("PATTERN"),
        defaultValue: "{album_artist}/{year} - {album}/{disc}-{track} {title}",
        section: .folders, help: "path pattern for uploaded files, filled in from their tags")
    /// Maximum size of an uploaded file.
    package let uploadLimit = Setting(
        "upload-limit", .integer(1...1_048_576), defaultValue: 4096, section: .folders,
        help: "maximum size of an uploaded file, in MiB")

    // MARK: Network and access

    /// Addresses to listen on.
    package let host = Setting(
        "host", .text("ADDRESS"), defaultValue: "127.0.0.1", section: .network,
        help: "addresses to listen on, comma-separated; 0.0.0.0 or :: for all")
    /// Port to listen on.
    package let port = Setting(
        "port", .integer(0...65_535), defaultValue: 8420, section: .network, help: "port; 0 for any free port"
    )
    /// Display name of the host.
    package let name = Setting(
        "name", .text, defaultText: "this machine's name", section: .network, help: "name shown in clients")
    /// Whether access without an API key is allowed.
    package let trustLAN = Setting(
        "trust-lan", .toggle, defaultValue: false, section: .network,
        help: "require no API key: anyone who can reach the address has access")
    /// Name of the account that the API key belongs to.
    package let account = Setting(
        "account", .text("NAME"), defaultValue: "owner", section: .network,
        help: "the name of the account that the API key belongs to")
    /// Connection limit per client address.
    package let connectionsPerAddress = Setting(
        "connections-per-address", .integer(1...1_000_000), defaultValue: 1024, section: .network,
        help:
            "maximum connections per address (IPv6: per /64 network); idle ones are closed to admit new ones"
    )
    /// Reverse proxies whose forwarded client addresses are trusted.
    package let trustedProxies = Setting(
        "trusted-proxies", .text("ADDRESS"), section: .network,
        help:
            "proxies whose X-Forwarded-For header is trusted, comma-separated, such as 127.0.0.1,::1; "
            + "their number of connections is not limited")
    /// The folder with the web player's files.
    package let web = Setting(
        "web", .folder, defaultText: "the files installed with the program", section: .network,
        help: "folder with the web player's files")
    /// TLS certificate.
    package let certificate = Setting(
        "certificate", .file, section: .network,
        help: "serve HTTPS with this PEM certificate; requires --key")
    /// Private key of the TLS certificate.
    package let key = Setting(
        "key", .file, section: .network, help: "private key of the certificate, PEM")

    /// Seconds for which a stopping host still serves.
    package let drain = Setting(
        "drain", .seconds(0...3600), defaultValue: 0, section: .network,
        help: "seconds for which a host that was asked to stop still serves, and answers 503 at /ready")

    // MARK: Several hosts

    /// Address of the host to follow.
    package let follow = Setting(
        "follow", .text("URL"), section: .following,
        help: "follow the host at this address: copy its library, answer what reads, forward what changes")
    /// File with the API key of the host to follow.
    package let followKeyFile = Setting(
        "follow-key-file", .file, section: .following,
        help: "file with the API key of that host, readable only by you; or set FOLLOW_KEY instead")
    /// Disk budget of copied music files.
    package let followCache = Setting(
        "follow-cache", .integer(1...1_048_576), defaultValue: 20, section: .following,
        help: "disk space for copies of music files in GiB, without --music")
    /// Address of the database with the listening data that hosts share.
    package let listening = Setting(
        "listening", .text("postgres://…"), section: .following, isSecret: true,
        help: "PostgreSQL database in which hosts share stars, ratings, plays, queues and accounts")

    // MARK: Discovery and tunnels

    /// Whether the host is announced on the local network.
    package let announce = Setting(
        "announce", .toggle, defaultValue: true, section: .reach,
        help: "announce the host on the local network through avahi-daemon")
    /// The kind of tunnel.
    package let tunnel = Setting(
        "tunnel", .text("quick|named"), section: .reach,
        help: "expose the host through a Cloudflare tunnel, with a random or your own host name")
    /// Name of the tunnel at Cloudflare.
    package let tunnelName = Setting(
        "tunnel-name", .text("NAME"), section: .reach,
        help: "name of a tunnel created with `cloudflared tunnel create`")
    /// Configuration file of cloudflared.
    package let tunnelConfig = Setting(
        "tunnel-config", .file, section: .reach, help: "cloudflared configuration file of a named tunnel")
    /// File with the tunnel's token.
    package let tunnelTokenFile = Setting(
        "tunnel-token-file", .file, section: .reach,
        help:
            "file with the token of a named tunnel, readable only by you; or set TUNNEL_TOKEN instead"
    )
    /// The tunnel's public host name.
    package let tunnelHostname = Setting(
        "tunnel-hostname", .text("NAME"), section: .reach,
        help: "public host name of a named tunnel if cloudflared does not report it")
    /// The cloudflared program.
    package let cloudflared = Setting(
        "cloudflared", .text("PATH"), defaultValue: "cloudflared", section: .reach,
        help: "the cloudflared program to run")

    // MARK: Analysis

    /// Number of files analysed in parallel.
    package let jobs = Setting(
        "jobs", .integer(1...256), defaultText: "analyze-cli: all cores; stream-host: half of them",
        section: .work, programs: [.host, .analyzer], help: "number of files analysed in parallel")

    /// Whether the music folder is watched.
    package let watch = Setting(
        "watch", .toggle, defaultValue: true, section: .work,
        help: "detect new, changed and deleted files automatically")
    /// Interval of full scans.
    package let scanInterval = Setting(
        "scan-interval", .seconds(0...31_536_000), defaultValue: 600, section: .work,
        help:
            "seconds between full scans for changes that the system does not report, as on network drives; "
            + "0 to scan only at startup")

    /// Retention of missing tracks.
    package let pruneAfter = Setting(
        "prune-after", .integer(0...36_500), defaultValue: 365, section: .work,
        help:
            "days after which a missing track is removed with its analysis, unless it is in a playlist or most "
            + "tracks are missing; stars and plays are kept; 0 for never")

    // MARK: Radio

    /// Networks that radio stations may be in although they are not public.
    package let radioNetworks = Setting(
        "radio-networks", .text("NETWORKS"), section: .radio,
        help:
            "private networks that radio stations may be in, comma-separated, such as 192.168.1.0/24; others are refused"
    )
    /// Maximum number of relayed stations.
    package let radioStations = Setting(
        "radio-stations", .integer(1...100), defaultValue: 4, section: .radio,
        help:
            "number of radio stations that can be played at once; each is connected to once for all its listeners"
    )
    /// Disk budget of the timeshifts.
    package let radioDisk = Setting(
        "radio-disk", .integer(4...1_048_576), defaultValue: 512, section: .radio,
        help: "disk space for the last hour of the radio stations that are playing, in MiB")

    // MARK: Jukebox

    /// The output of the jukebox.
    package let jukebox = Setting(
        "jukebox", .text("OUTPUT"), section: .jukebox,
        help:
            "play through this machine's sound card, controlled by clients: an ALSA device such as default or hw:0, "
            + "pipe:PATH for a FIFO with 16-bit stereo samples (Snapcast), or null"
    )
    /// Sample rate of the FIFO.
    package let jukeboxRate = Setting(
        "jukebox-rate", .integer(44_100...96_000), defaultValue: 44_100, section: .jukebox,
        help: "sample rate of pipe:PATH: 44100, 48000, 88200 or 96000 Hz")
    /// The role that may control the jukebox.
    package let jukeboxRole = Setting(
        "jukebox-role", .text("listener|editor|owner"), defaultValue: "listener", section: .jukebox,
        help: "the role that an account needs to control the jukebox")
    /// The transition between tracks of the jukebox.
    package let jukeboxTransition = Setting(
        "jukebox-transition", .text("HOW"), defaultValue: "gapless", section: .jukebox,
        help: "gapless, planned, mix, or the length of a crossfade in seconds")
    /// The loudness normalization of the jukebox.
    package let jukeboxNormalize = Setting(
        "jukebox-normalize", .text("HOW"), defaultValue: "automatic", section: .jukebox,
        help:
            "automatic (album gain while an album plays in order, otherwise track gain), track, album, or off for the "
            + "samples of the files")
    /// The target of the loudness normalization.
    package let jukeboxTarget = Setting(
        "jukebox-target", .number(-40 ... -5), defaultValue: -18, section: .jukebox,
        help: "target of the loudness normalization, in LUFS")

    // MARK: Navidrome

    /// URL of the Navidrome server.
    package let navidromeURL = Setting(
        "navidrome-url", .text("URL"), section: .navidrome, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "NAVIDROME_URL")],
        help: "Navidrome (or other Subsonic) server to notify of changes so that it rescans")
    /// User name on the Navidrome server.
    package let subsonicUser = Setting(
        "subsonic-user", .text("NAME"), section: .navidrome, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "SUBSONIC_USER")], help: "its user; must be an administrator")
    /// The user's password.
    package let subsonicPassword = Setting(
        "subsonic-password", .text("PASSWORD"), section: .navidrome, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "SUBSONIC_PASSWORD")], isSecret: true,
        help: "the user's password; never sent in plain text")
    /// Alternative to the password: the hash of password and salt.
    package let subsonicToken = Setting(
        "subsonic-token", .text("MD5"), section: .navidrome, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "SUBSONIC_TOKEN")], isSecret: true,
        help: "instead of the password: MD5 hash of password and salt, in hexadecimal")
    /// Salt of the token.
    package let subsonicSalt = Setting(
        "subsonic-salt", .text("TEXT"), section: .navidrome, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "SUBSONIC_SALT")], isSecret: true, help: "salt of the token")
    /// Delay that groups changes into one notification.
    package let navidromeDelay = Setting(
        "navidrome-delay", .seconds(0...3600), defaultValue: 5, section: .navidrome,
        help: "seconds without further changes before Navidrome is notified")
    /// Timeout of requests to Navidrome.
    package let navidromeTimeout = Setting(
        "navidrome-timeout", .seconds(1...300), defaultValue: 15, section: .navidrome,
        programs: [.host, .analyzer], help: "seconds to wait for a response from Navidrome")

    // MARK: AcoustID

    /// The user's key for look-ups at AcoustID.
    package let acoustIDKey = Setting(
        "acoustid-key", .text("KEY"), section: .acoustID, programs: [.analyzer],
        aliases: [SettingVariable(name: "ACOUSTID_KEY")], isSecret: true,
        help: "your own API key of an application, from acoustid.org, for `analyze-cli identify`")
    /// Address of AcoustID.
    package let acoustIDURL = Setting(
        "acoustid-url", .text("URL"), defaultValue: "https://api.acoustid.org", section: .acoustID,
        programs: [.analyzer], help: "address of the service")

    // MARK: Logs and metrics

    /// Whether logging is disabled.
    package let quiet = Setting(
        "quiet", .toggle, defaultValue: false, section: .logs,
        help: "do not log requests, scans, edits, uploads and deletions")
    /// Token that grants access to `/metrics` only.
    package let metricsToken = Setting(
        "metrics-token", .text("TOKEN", minimumLength: 16), section: .logs, isSecret: true,
        help: "bearer token that grants access to /metrics only; at least 16 characters")

    /// The table.
    package init() {}

    /// The rows, in order.
    static let rows: [any SettingRow] = Mirror(reflecting: SettingsTable()).children.compactMap {
        $0.value as? any SettingRow
    }

    /// Returns the rows that a program reads.
    static func rows(of program: SettingProgram) -> [any SettingRow] {
        rows.filter { $0.programs.contains(program) }
    }
}
