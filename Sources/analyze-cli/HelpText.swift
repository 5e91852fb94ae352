import Settings

/// The pages of `--help`.
enum HelpText {
    static let usage = """
        usage: analyze-cli MUSIC_DIR [options]      analyse a folder of MP3s
               analyze-cli show TRACK [options]     everything about one track
               analyze-cli list [options]           all tracks in a table
               analyze-cli export [options]         JSON, CSV or Liquidsoap annotations
               analyze-cli tag MUSIC_DIR [options]  write ReplayGain tags
               analyze-cli config [options]         the settings in force, and from where
               analyze-cli help [show|list|export|tag]
        """

    static func page(for topic: String?) -> String {
        switch topic {
        case "show": show
        case "list": list
        case "export": export
        case "tag": tag
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
          --profile             tell at the end what each stage of the work took
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

    private static let tag = """
        usage: analyze-cli tag MUSIC_DIR [PATH …] [options]

        Writes ReplayGain 2.0 tags (REPLAYGAIN_TRACK_GAIN and so on, as rsgain does) from what a pass has measured;
        nothing is decoded. PATH is a file or folder in the music folder; all tracks without. Files that are right
        already are not touched, and the audio of the others stays the same to the byte.

          --album tags|folder|none   which tracks share album values: those of an album by their
                                     tags, those of a folder, none (values in the tags stay)       [tags]
          --peak sample|true         the largest sample, or the true peak                          [sample]
          --clip-mode none|positive|always
                                     which gains are lowered so that peaks stay below full scale   [none]
          --target LUFS              the loudness that gains lead to, -30 to -5                    [-18]
          --skip-existing            leave files alone that have values, right or not
          --dry-run                  show what would be written, and write nothing
          --data DIR                 where the databases live                                      [./data]
          --json                     a JSON line for each file on standard output
          --quiet                    only failures

        Exit status: 0 all fine; 1 some files failed or are not analysed, listed with reasons; 2 nothing could be
        done; 130 Ctrl-C, which ends after the file at hand.
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
