/// All settings of the programs: a row each, and nowhere else.
///
/// To add one, add a row, and read it by `settings[\.name]`. Flag, environment, file, `--help` and `config` follow.
public struct SettingsTable: Sendable {
    // MARK: Folders

    /// The file that holds settings.
    public let config = Setting(
        "config", .file, standardText: "DATA/stream-host.conf, if it is there", section: .folders,
        programs: [.host, .analyzer], help: "a file of settings, a line `name = value` each")
    /// Where the databases live.
    public let data = Setting(
        "data", .folder, standard: "./data", section: .folders, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "DB_PATH", isFileInFolder: true)],
        help: "where the databases and the key live")
    /// The music.
    public let music = Setting(
        "music", .folder, section: .folders, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "MUSIC_DIR")], help: "the folder of MP3s")
    /// Where visualizer frames live.
    public let frames = Setting(
        "frames", .folder, standardText: "the data folder", section: .folders, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "VIS_CACHE_DIR")],
        help: "where the visualizer frames live: large, and can be made again")

    /// How files that are sent are named.
    public let uploadNames = Setting(
        "upload-names", .text("PATTERN"),
        standard: "{album_artist}/{year} - {album}/{disc}-{track} {title}.mp3",
        section: .folders, help: "folders and name of files that are sent, after their tags")
    /// How large a file that is sent may be.
    public let uploadLimit = Setting(
        "upload-limit", .integer(1...1_048_576), standard: 4096, section: .folders,
        help: "how large a file that is sent may be, in MiB")

    // MARK: Network and access

    /// Addresses to listen on.
    public let host = Setting(
        "host", .text("ADDRESS"), standard: "127.0.0.1", section: .network,
        help: "addresses to listen on, with commas between; 0.0.0.0 or :: for all")
    /// Port to listen on.
    public let port = Setting(
        "port", .integer(0...65_535), standard: 8420, section: .network, help: "port; 0 for any that is free")
    /// What clients call the host.
    public let name = Setting(
        "name", .text, standardText: "this machine's", section: .network, help: "the name that clients show")
    /// Whether everybody is let in.
    public let trustLAN = Setting(
        "trust-lan", .toggle, standard: false, section: .network,
        help: "no key: whoever reaches the address is let in")
    /// Where the files of the web player are.
    public let web = Setting(
        "web", .folder, standardText: "those that came with the program", section: .network,
        help: "the files of the web player")
    /// Certificate of HTTPS.
    public let certificate = Setting(
        "certificate", .file, section: .network,
        help: "serve HTTPS with this certificate, PEM, and with --key")
    /// Private key of HTTPS.
    public let key = Setting(
        "key", .file, section: .network, help: "the private key of the certificate, PEM")

    // MARK: Being found and reached

    /// Whether the network is told of the host.
    public let announce = Setting(
        "announce", .toggle, standard: true, section: .reach,
        help: "tell the local network of the host, through avahi-daemon")
    /// Which tunnel leads to the host.
    public let tunnel = Setting(
        "tunnel", .text("quick|named"), section: .reach,
        help: "reach the host from outside through Cloudflare: under a name at random, or your own")
    /// Name of the tunnel at Cloudflare.
    public let tunnelName = Setting(
        "tunnel-name", .text("NAME"), section: .reach,
        help: "a named tunnel that `cloudflared tunnel create` made")
    /// The configuration of cloudflared.
    public let tunnelConfig = Setting(
        "tunnel-config", .file, section: .reach, help: "the configuration of a named tunnel")
    /// The token of a tunnel.
    public let tunnelTokenFile = Setting(
        "tunnel-token-file", .file, section: .reach,
        help:
            "the token of a named tunnel, in a file that only you may read; or TUNNEL_TOKEN in the environment"
    )
    /// The tunnel's name in the DNS.
    public let tunnelHostname = Setting(
        "tunnel-hostname", .text("NAME"), section: .reach,
        help: "the name of a named tunnel, where cloudflared does not tell it: music.example.com")
    /// The program that makes tunnels.
    public let cloudflared = Setting(
        "cloudflared", .text("PATH"), standard: "cloudflared", section: .reach,
        help: "the program that makes the tunnel")

    // MARK: Analysis

    /// Files analysed at the same time.
    public let jobs = Setting(
        "jobs", .integer(1...256), standardText: "analyze-cli: all cores; stream-host: half of them",
        section: .work, programs: [.host, .analyzer], help: "files analysed at the same time")

    /// Whether the music folder is watched.
    public let watch = Setting(
        "watch", .toggle, standard: true, section: .work,
        help: "take in new, changed and deleted files by itself")
    /// How often the whole folder is looked through.
    public let scanInterval = Setting(
        "scan-interval", .seconds(0...31_536_000), standard: 600, section: .work,
        help:
            "how often to look through the whole folder for what the system does not tell of, as on network disks; "
            + "0 for at the start only")

    // MARK: Navidrome

    /// Where Navidrome is.
    public let navidromeURL = Setting(
        "navidrome-url", .text("URL"), section: .navidrome, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "NAVIDROME_URL")],
        help: "tell this Navidrome (or other Subsonic server) to look for changes")
    /// Who asks it.
    public let subsonicUser = Setting(
        "subsonic-user", .text("NAME"), section: .navidrome, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "SUBSONIC_USER")], help: "its user, who has to be an administrator")
    /// The user's password.
    public let subsonicPassword = Setting(
        "subsonic-password", .text("PASSWORD"), section: .navidrome, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "SUBSONIC_PASSWORD")], isSecret: true,
        help: "the user's password; never sent as it is")
    /// Instead of the password: the hash of password and salt.
    public let subsonicToken = Setting(
        "subsonic-token", .text("MD5"), section: .navidrome, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "SUBSONIC_TOKEN")], isSecret: true,
        help: "instead of the password: MD5 of password and salt, in hexadecimal")
    /// The salt of the token.
    public let subsonicSalt = Setting(
        "subsonic-salt", .text("TEXT"), section: .navidrome, programs: [.host, .analyzer],
        aliases: [SettingVariable(name: "SUBSONIC_SALT")], isSecret: true, help: "the salt of the token")
    /// How long changes are gathered.
    public let navidromeDelay = Setting(
        "navidrome-delay", .seconds(0...3600), standard: 5, section: .navidrome,
        help: "how long no further change may come before Navidrome is told")
    /// How long Navidrome may take to answer.
    public let navidromeTimeout = Setting(
        "navidrome-timeout", .seconds(1...300), standard: 15, section: .navidrome,
        programs: [.host, .analyzer], help: "how long Navidrome may take to answer")

    // MARK: Logs and metrics

    /// No access log.
    public let quiet = Setting(
        "quiet", .toggle, standard: false, section: .logs, help: "no access log")
    /// What opens `/metrics` and nothing else.
    public let metricsToken = Setting(
        "metrics-token", .text("TOKEN", minimumLength: 16), section: .logs, isSecret: true,
        help: "a bearer token that opens /metrics, and nothing else; 16 characters or more")

    /// The table.
    public init() {}

    /// The rows, in order.
    static let rows: [any SettingRow] = Mirror(reflecting: SettingsTable()).children.compactMap {
        $0.value as? any SettingRow
    }

    /// The rows that a program reads.
    static func rows(of program: SettingProgram) -> [any SettingRow] {
        rows.filter { $0.programs.contains(program) }
    }
}
