import CommandLineProgram
import MusicShared

/// The `--help` pages.
enum HelpText {
    static let usage = """
        usage: analyze-cli MUSIC_DIR [options]      analyse a music folder
               analyze-cli show TRACK [options]     everything about one track
               analyze-cli list [options]           all tracks in a table
               analyze-cli similar TRACK [options]  the tracks that sound most like one
               analyze-cli mix A B [options]        the transition between two tracks
               analyze-cli export [options]         JSON, CSV or Liquidsoap annotations
               analyze-cli duplicates [options]     files with the same recording
               analyze-cli tag MUSIC_DIR [options]  write ReplayGain, tempo and key to tags
               analyze-cli identify MUSIC_DIR [options]  name recordings by their fingerprints, at AcoustID
               analyze-cli prune [options]          remove tracks whose files have long been gone
               analyze-cli plan SOURCE --output RUN [options]  divide the analysis of a large library into parts
               analyze-cli part RUN --part N [options]  analyse one part, on any machine
               analyze-cli status RUN [options]     how far the parts are
               analyze-cli merge RUN [options]      add the results of the parts to a library
               analyze-cli config [options]         effective settings and their sources
               analyze-cli help [show|list|similar|mix|export|duplicates|tag|identify|prune|plan|part|status|merge]
        """

    static func page(for topic: String?) -> String {
        switch topic {
        case "show": show
        case "list": list
        case "similar": similar
        case "mix": mix
        case "export": export
        case "duplicates": duplicates
        case "tag": tag
        case "identify": identify
        case "prune": prune
        case "plan": plan
        case "part": part
        case "status": status
        case "merge": merge
        default: general
        }
    }

    private static let general = """
        analyze-cli: analyses every music file in a folder once and stores the results.
        Formats: \(AudioFormat.acceptedNames).

        \(usage)

        The first pass over a folder decodes everything; later passes only read new and changed files. Renamed, moved
        and re-tagged files are not analysed again. Ctrl-C, a crash or a power failure loses at most the tracks being
        analysed; the next pass continues.

        Options of a pass
          --force               analyse everything again
          --dj                  profiles only: loudness, silence, cue points, tempo, key
          --vis                 visualizer frames only
          --watch               keep running, and analyse files that are added or changed
          --json                one JSON line for each track on standard output
          --quiet               show failures, but no progress
          --confirm-removed FOLDER  remove the missing tracks of an unavailable folder; "." is MUSIC_DIR; may be
                                given several times
          --rebind              use a data folder that belongs to another music folder: tracks that are not in
                                this one become unavailable; stars and plays are kept
          --profile             report the time of each stage at the end
          --loudness METHOD     built-in or reference (libebur128, slower)        [built-in]
          --silence-threshold DB  level below which a track is silent, in dBFS    [-60]
          --silence-minimum SECONDS  ignore shorter silences                      [0.05]

        Settings, which can also be given in the environment and in a file
        \(SettingsHelp.options(of: .analyzer, leavingOut: ["music"]))

        The tracks of a folder that is not mounted, is a broken link or cannot be read are kept as unavailable. So are
        those of a deleted folder that held more than half of a library of 50 tracks or more.

        Exit status: 0 success; 1 some tracks failed, listed with reasons; 2 nothing was done; 3 success, but folders
        are unavailable; 130 Ctrl-C.

        Examples
          analyze-cli ~/Music
          analyze-cli ~/Music --data /srv/companion --jobs 2 --watch
          analyze-cli show "smells like" --png spirit.png
          analyze-cli export --format csv > library.csv
        """

    private static let mix = """
        usage: analyze-cli mix A B [--data DIR] [--mode MODE] [--beats N] [--target LUFS] [--only-when-it-fits] [--json]
                                 [--png FILE] [--output wav:FILE --music DIR]

        Plans the transition from track A to track B and says why. A and B are paths in the music folder, IDs, or words
        from titles (in quotes). The rules are in docs/transitions.md.

          --data DIR    data folder                              [./data]
          --mode MODE   off, gapless, crossfade or mix           [mix]
          --beats N     longest mix in beats, 2 to 32            [32]
          --target LUFS loudness that gains lead to              [-18]
          --png FILE    draw the transition: both waveforms and their beats, fades, bass and reason
          --output wav:FILE  render the transition, with 15 s before and after it, to judge it by ear
          --music DIR   music folder that the tracks are in, for --output
          --only-when-it-fits  tracks that cannot be mixed overlap only where the first has faded
          --json        print the plan as one JSON line
        """

    private static let show = """
        usage: analyze-cli show TRACK [--data DIR] [--png FILE] [--json] [--width N] [--plain]

        TRACK is a path in the music folder, the ID that `list` shows, or words from its title, artist and album.

          --data DIR    data folder                [./data]
          --png FILE    write a picture of waveform, loudness, cue points, beats and spectrum
          --json        print one JSON line
          --width N     width in columns           [the terminal's]
          --plain       no colours
        """

    private static let duplicates = """
        usage: analyze-cli duplicates [--data DIR] [--json] [--trash MUSIC_DIR]

        Lists files that contain the same recording, whatever their tags, bit rates and encoders, also if some seconds are
        missing at the ends. They are recognised by their audio (fingerprints and spectra: a pass with --dj stores no
        spectra); remixes, edits and other takes are not listed. The first file of each group is the one to keep: with the
        fewest damaged frames, else the highest bit rate, else the longest, else with the most tags. "maybe" marks files
        that may be other mixes, because their sample rate or number of channels differs, or their sound by more than
        that of encodings; they are never moved.

          --data DIR         data folder                                    [./data]
          --json             print one JSON line for each group
          --trash MUSIC_DIR  move the copies to the folder .trash in MUSIC_DIR. Their stars, ratings, plays, bookmarks
                             and playlist entries go to the file that is kept

        Without --trash, nothing is changed.
        """

    private static let tag = """
        usage: analyze-cli tag MUSIC_DIR [PATH …] [options]

        Writes ReplayGain 2.0 tags (REPLAYGAIN_TRACK_GAIN and so on, as rsgain does) from the stored measurements, without
        decoding; tempo and key only on request, because they replace those of other programs. PATH is a file or folder in the
        music folder; without it, all tracks are tagged. Files that are already correct are not touched; the audio of the
        others does not change by a single byte. The former values can be restored in the web player of a host with the same
        data folder: Manage, Trash.

          --bpm                      also write the tempo, in whole beats per minute (TBPM); tracks
                                     without a tempo keep what they have
          --key musical|camelot      also write the key (TKEY): F#m, or 11A
          --no-replaygain            write only these
          --album tags|folder|none   which tracks share album values: those of an album by their
                                     tags, those of a folder, or none (existing values are kept)   [tags]
          --peak sample|true         the highest sample, or the true peak                          [sample]
          --clip-mode none|positive|always
                                     which gains are reduced so that peaks stay below full scale   [none]
          --target LUFS              target loudness, -30 to -5                                    [-18]
          --skip-existing            skip files that have values, correct or not
          --dry-run                  show the changes without writing them
          --data DIR                 data folder                                                   [./data]
          --json                     print a JSON line for each file
          --quiet                    show failures only

        Exit status: 0 success; 1 some files failed or are not analysed, listed with reasons; 2 nothing was done; 130
        Ctrl-C, which ends after the current file.
        """

    private static let identify = """
        usage: analyze-cli identify MUSIC_DIR [PATH …] [options]

        Looks the fingerprints of analysed tracks up at AcoustID (acoustid.org), with your own API key of an application, and
        shows the title, artist and album that it has for them, with the identifier of the recording at MusicBrainz. Nothing
        but fingerprint and duration is sent; at most three tracks per second. PATH is a file or folder in the music folder;
        without it, all tracks are looked up.

        Title and artist are proposed if they differ in more than case and accents, an album only for tracks without one.
        If several recordings are equally similar, nothing is proposed.

          --apply             write the proposed tags; without it, nothing is changed
          --untitled          only tracks without a title or an artist
          --acoustid-key KEY  your API key; better in the environment (ACOUSTID_KEY) or the settings file, where other
                              users do not see it
          --acoustid-url URL  address of the service                       [https://api.acoustid.org]
          --data DIR          data folder                                  [./data]
          --json              print a JSON line for each file
          --quiet             show failures only

        Exit status: 0 success; 1 some files failed or are not analysed, listed with reasons; 2 nothing was done; 130
        Ctrl-C, which ends after the current file.
        """

    private static let prune = """
        usage: analyze-cli prune [--older-than TIME] [--apply] [--data DIR] [--quiet]

        Lists tracks whose files have been missing from the music folder for a long time, and what would be removed with
        them: analyses and spectra that no track uses, albums and artists without tracks. --apply removes all of it. Tracks
        in playlists are kept. So are stars, ratings and plays: if a file comes back, it is analysed again and has them as
        before. The databases reuse the freed space for new tracks.

          --older-than TIME  minimum time that files have been missing: 90d, 12w, 2y  [90d]
          --apply            remove them; without it, nothing is changed
          --data DIR         data folder                                          [./data]
          --quiet            show totals only

        A host removes such tracks automatically after `prune-after` days (365). --apply also works while a host is running,
        except during an analysis.
        """

    private static let list = """
        usage: analyze-cli list [WORDS] [--data DIR]

        Lists all tracks, or those that match the words: ID, length, loudness, tempo, key, artist and title.
        """

    private static let similar = """
        usage: analyze-cli similar TRACK [--count N] [--other-artists] [--json] [--data DIR]

        Lists the tracks that sound most like one: similarity, ID, artist and title. TRACK is a path in the music folder,
        the ID that `list` shows, or words from its title, artist and album. Nothing is decoded: tracks are compared by
        the descriptors that the analysis has stored.

          --count N        number of tracks               [20]
          --other-artists  leave out the track's artist
          --json           print a JSON line for each track
          --data DIR       data folder                    [./data]
        """

    private static let export = """
        usage: analyze-cli export [--format FORMAT] [--output FILE] [--data DIR] [--music DIR] [--skip-blank]

          --format FORMAT   json        an array of all tracks, with beat times  (default)
                            jsonl       a line for each track, like a pass with --json
                            csv         a row for each track
                            liquidsoap  annotate: requests with autocue's fields
          --output FILE     write to a file instead of standard output
          --data DIR        data folder                                     [./data]
          --music DIR       prefix for the paths in Liquidsoap requests
          --skip-blank      Liquidsoap: end a track before a long silence inside it
        """
}
