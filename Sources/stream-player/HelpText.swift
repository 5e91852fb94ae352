/// The page of `--help`.
enum HelpText {
    static let page = """
        stream-player: plays music from a host, from the network and from this machine.

        usage: stream-player play WHAT... [options]     files, addresses, and of a host: track:ID album:ID playlist:ID
               stream-player radio URL [options]        a station, or a list of stations (PLS, M3U, ASX)
               stream-player connect [URL]              get to know a host; without URL: those known, and those near
               stream-player browse [WHAT]              artists albums tracks playlists artist:ID album:ID playlist:ID
               stream-player search WORDS...            artists, albums and tracks that have these words
               stream-player download WHAT...           track:ID album:ID playlist:ID, to be there without the host

          The host that was connected last is the one that is meant, unless --host names another. While it is away, its
          library is browsed and searched in the copy that was taken.

          STREAM_PLAYER_CA      a file of certificates (PEM): hosts whose certificate it vouches for are trusted, no others
          --folder DIR          where hosts, copies and files are kept (STREAM_PLAYER_FOLDER)
          --forget NAME         connect: forget a host, with its key, copy and files
          --watch               connect: tell which hosts come into this network and which leave it
          --offline, --json     browse, search: ask the copy only; print JSON
          --limit N             browse, search: how many lines of a kind; standard 100

        Options of play and radio

          --host URL|NAME       the host, as `stream-host` prints it or as it is known (STREAM_PLAYER_HOST)
          --key-file FILE       a file that holds its key; or the key itself in STREAM_PLAYER_KEY
          --output WHERE        alsa, alsa:DEVICE, null, null:fast, wav:FILE, wav16:FILE; standard alsa. PulseAudio is
                                alsa:pulse, PipeWire alsa:pipewire (Debian: libasound2-plugins, pipewire-alsa)
          --transition HOW      gapless, planned, or the seconds of a crossfade; standard gapless
          --normalize HOW       off, track, album; standard off
          --target LUFS         the loudness that is aimed at; standard -18
          --skip-silence        pass over silence at the beginning and the end of tracks
          --quality LEVEL       low, automatic, high: which of several qualities; standard high
          --cellular            the network costs: the low quality, unless --quality says otherwise
          --from SECONDS        where in the first track to begin
          --volume PERCENT      0 to 100; standard 100
          --record FILE         write what a station sends into a new file, whole frames only
          --for SECONDS         end after so long
          --plain               lines instead of the full screen

        Keys: space pause, ←/→ 10 s back and on, ↑/↓ louder and softer, n next, p previous, r record or try again, q quit.

        Ends with 0 when all was played, 1 when something could not be, 2 when the command makes no sense.

        Example
          STREAM_PLAYER_KEY=$(stream-host key show) stream-player play album:3 --host http://127.0.0.1:8420
          stream-player play *.mp3 --output wav:album.wav
        """
}
