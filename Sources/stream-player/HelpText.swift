/// The `--help` page.
enum HelpText {
    static let page = """
        stream-player: plays music from a host, from the internet and from local files.

        usage: stream-player play WHAT... [options]     files, URLs, or track:ID album:ID playlist:ID of a host;
                                                        radio:ID plays on with what sounds like a track
               stream-player radio URL [options]        a station, or a list of stations (PLS, M3U, ASX)
               stream-player connect [URL]              add a host; without URL, list known and discovered hosts
               stream-player browse [WHAT]              artists albums tracks playlists artist:ID album:ID playlist:ID
               stream-player search WORDS...            search artists, albums and tracks
               stream-player download WHAT...           download track:ID album:ID playlist:ID for offline use
               stream-player jukebox [ACTION]           control the host's own player: play [WHAT...], pause, next, previous,
                                                        seek SECONDS, volume PERCENT, add WHAT..., shuffle, clear;
                                                        without ACTION, show what it does

          Commands use the host connected last, unless --host selects another. While the host is offline, the local copy
          of its library is used.

          STREAM_PLAYER_CA      CA certificates (PEM file) to trust instead of the system's
          --folder DIR          folder for hosts, library copies and downloads (STREAM_PLAYER_FOLDER)
          --user NAME           connect: sign in to this account; its password is read from standard input
          --forget NAME         connect: remove a host with its key, library copy and downloads
          --watch               connect: report hosts appearing on and leaving the local network
          --offline             browse, search: use only the local copy
          --json                browse, search, jukebox: print JSON
          --limit N             browse, search: maximum number of results of each kind; default 100

        Options of play and radio:

          --host URL|NAME       URL of the host, or name of a known host (STREAM_PLAYER_HOST)
          --key-file FILE       file or pipe with the API key or an app password; or set the key in STREAM_PLAYER_KEY
          --output WHERE        alsa, alsa:DEVICE, pipe:PATH (16-bit stereo, 44.1 kHz), null, null:fast, wav:FILE,
                                wav16:FILE; default alsa. Use alsa:pulse for PulseAudio, alsa:pipewire
                                for PipeWire (Debian: libasound2-plugins, pipewire-alsa)
          --transition HOW      gapless, planned, mix (in time with the beat where possible), or length of a crossfade in
                                seconds; default gapless
          --only-when-it-fits   with mix: tracks that cannot be mixed overlap only where the first one has faded
          --normalize HOW       automatic (album gain while an album plays in order, otherwise track gain), off, track,
                                album; default automatic
          --target LUFS         target loudness; default -18
          --skip-silence        skip silence at the start and end of tracks
          --quality LEVEL       low, automatic or high, if several qualities are available; default high
          --cellular            metered network: use low quality unless --quality is given
          --from SECONDS        start position in the first track
          --volume PERCENT      0 to 100; default 100
          --record FILE         record a station to a new file, whole frames only
          --for SECONDS         stop after this time
          --plain               print lines instead of using the full screen

        Keys: space pause, ←/→ seek 10 s, ↑/↓ volume, n next, p previous, r record or retry, q quit.

        Exit status: 0 if everything was played, 1 if something could not be played, 2 if the command could not be run.

        Examples:
          STREAM_PLAYER_KEY=$(stream-host key show) stream-player play album:3 --host http://127.0.0.1:8420
          stream-player play *.mp3 --output wav:album.wav
        """
}
