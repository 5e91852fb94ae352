import BatchAnalysis

/// The `--help` pages of the commands for analyses on several machines.
extension HelpText {
    static let plan = """
        usage: analyze-cli plan SOURCE --output RUN [--root DIR] [--data DIR] [--force] [--dj] [--limit N] [--sample N]
                                      [--part-size N] [--json]

        Divides the analysis of a large library into parts, which any number of machines can work on. SOURCE is a music
        folder, a bucket (s3://BUCKET/PREFIX), or a list of files with one path per line. RUN is a folder that all machines
        can reach, or a prefix in a bucket; the plan in it contains paths, sizes and modification times, no audio. Machines
        must find the music at the same absolute path, unless it is in a bucket.
        docs/scale.md shows how to run the parts with Apache Spark, Slurm, Kubernetes or xargs.

        Buckets are those of Amazon S3 or of a service with the same interface; the variables AWS_ACCESS_KEY_ID,
        AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION and AWS_ENDPOINT_URL apply, here and to the commands
        for the run.

        Tracks are left out if the library in the data folder, if there is one, has a current analysis of them, by path,
        size and modification time.

          --output RUN    new folder for the plan and the results, or s3://BUCKET/PREFIX
          --root DIR      of a list: the folder that the library's paths are relative to  [/]
          --data DIR      data folder of the library                                      [./data]
          --force         plan all tracks, also those that the library knows
          --dj            profiles only: no visualizer frames
          --limit N       plan only the first N tracks
          --sample N      plan only N tracks chosen at random, the same each time
          --part-size N   tracks of a part, 1 to \(BatchPlanner.largestPartSize)\
                                                     [\(BatchPlanner.standardPartSize)]
          --json          print one JSON line

        Exit status: 0 success; 1 some files cannot be planned, listed with reasons; 2 nothing was done.
        """

    static let part = """
        usage: analyze-cli part RUN --part N [--force | --note-crash TRACK] [--quiet]

        Analyses part N of a plan, from 0, on one core, and stores its results in RUN: last and at once, so that a killed
        part leaves nothing behind and can be repeated, here or elsewhere, even twice at the same time. The same part has
        the same results, byte for byte. A part that is complete is not repeated. Files that cannot be analysed are part
        of the results, with their reasons.

        The folder for temporary files (TMPDIR) needs about 0.5 MB per track, space for two tracks of a
        bucket, and for the files of a part of a run in a bucket.

          --part N            number of the part
          --force             repeat the part even if it is complete
          --note-crash TRACK  only record that the track with this number, from 0, has crashed the program, which leaves
                              it out from then on; a crashing part of a run in a bucket does this itself
          --quiet             show errors only

        Exit status: 0 the part is complete; 2 it could not be run; 130 Ctrl-C.
        """

    static let status = """
        usage: analyze-cli status RUN [--core-hour-price PRICE] [--json] [--pending]

        Shows how many parts and tracks are complete, how many failed and why, tracks per second, and processor time.

          --core-hour-price PRICE  also show what the processor time costs
          --json                   print one JSON line
          --pending                print only the numbers of the parts without results, one per line
        """

    static let merge = """
        usage: analyze-cli merge RUN [--into LIBRARY | --data DIR] [--quiet]

        Adds the results of all complete parts to a library, which is created if there is none. Analyses that the library
        has in the same or a later version are kept, and so is what it knows of a later state of a file. Merging again
        changes nothing; a merge that was interrupted continues.

          --into LIBRARY  a library.sqlite, or its data folder
          --data DIR      data folder                            [./data]
          --quiet         show problems only

        Exit status: 0 all parts are merged; 1 some parts have no results yet; 2 nothing was done; 130 Ctrl-C.
        """
}
