import Settings

/// The pages of `--help`.
enum HelpText {
    static let usage = """
        usage: analyze-cli MUSIC_DIR [options]      analyse a folder of MP3s
               analyze-cli show TRACK [options]     everything about one track
               analyze-cli list [options]           all tracks in a table
               analyze-cli export [options]         JSON, CSV or Liquidsoap annotations
               analyze-cli config [options]         the settings in force, and from where
               analyze-cli help [show|list|export]
        """

    static func page(for topic: String?) -> String {
        switch topic {
        case "show": show
        case "list": list
        case "export": export
        default: general
        }
    }

    private static let general = """
        analyze-cli: decodes every MP3 of a folder once and keeps what it learnt.

        \(usage)

        The first pass over a folder decodes everything; later ones look only at files that are new or changed.
        Renaming, moving and re-tagging files costs no new analysis. Ctrl-C, a crash or a power cut loses at most the
        tracks in flight: run it again and it goes on.

        Options of a pass
          --force               analyse everything again
          --dj                  profiles only: loudness, silence, cue points, tempo, key
          --vis                 visualizer frames only
          --watch               stay, and analyse what is added or changed
          --json                one JSON line for each track on standard output
          --quiet               no progress; failures are still told
          --loudness METHOD     built-in or reference (libebur128, slower)        [built-in]
          --silence-threshold DB  level below which a track is silent, in dBFS    [-60]
          --silence-minimum SECONDS  shorter silences are none                    [0.05]

        Settings, which may also stand in the environment and in a file
        \(SettingsHelp.options(of: .analyzer, leavingOut: ["music"]))

        Exit status: 0 all fine; 1 some tracks failed, listed with reasons; 2 nothing could be done; 130 Ctrl-C.

        Examples
          analyze-cli ~/Music
          analyze-cli ~/Music --data /srv/companion --jobs 2 --watch
          analyze-cli show "smells like" --png spirit.png
          analyze-cli export --format csv > library.csv
        """

    private static let show = """
        usage: analyze-cli show TRACK [--data DIR] [--png FILE] [--json] [--width N] [--plain]

        TRACK is a path in the music folder, the number that `list` shows, or words of title, artist and album.

          --data DIR    where the databases live   [./data]
          --png FILE    draw waveform, loudness, cue points, beats and spectrum as a picture
          --json        the same as one JSON line
          --width N     columns to use             [the terminal's]
          --plain       no colours
        """

    private static let list = """
        usage: analyze-cli list [WORDS] [--data DIR]

        All tracks, or those that the words find: number, length, loudness, tempo, key, artist and title.
        """

    private static let export = """
        usage: analyze-cli export [--format FORMAT] [--output FILE] [--data DIR] [--music DIR] [--skip-blank]

          --format FORMAT   json        an array of all tracks, with beat times  (default)
                            jsonl       a line for each track, as a pass with --json prints
                            csv         a row for each track
                            liquidsoap  annotate: requests with the fields of autocue
          --output FILE     write there instead of standard output
          --data DIR        where the databases live                        [./data]
          --music DIR       put before each path in Liquidsoap's requests
          --skip-blank      Liquidsoap: end a track before a long silence inside it
        """
}
