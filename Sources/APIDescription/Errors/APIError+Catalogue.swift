// All errors of the API. The name of each is its code; where a code has two statuses, the rarer one has a longer name.
// Errors of the layers below have their codes there: here is what they mean to a client.

internal import HTTPServer

// MARK: Every operation

extension APIError {
    package static let unknownParameter = APIError(
        .badRequest, "unknown_parameter", "The query has an unknown parameter.")
    package static let missingParameter = APIError(
        .badRequest, "missing_parameter", "A required parameter is missing.")
    package static let invalidParameter = APIError(
        .unprocessableContent, "invalid_parameter", "A parameter is malformed or out of range.")
    package static let notFound = APIError(.notFound, "not_found", "The path does not exist.")
    package static let malformedPath = APIError(
        .badRequest, "malformed_path", "The path is not percent-encoded UTF-8.")
    package static let preconditionFailed = APIError(
        .preconditionFailed, "precondition_failed", "The content has changed (ETag mismatch).")
    package static let preconditionRequired = APIError(
        .preconditionRequired, "precondition_required", "`If-Match` is missing.")
    package static let rangeNotSatisfiable = APIError(
        .rangeNotSatisfiable, "range_not_satisfiable", "The range is outside of the content.")
    package static let noSpace = APIError(.insufficientStorage, "no_space", "The host's disk is full.")
    package static let databaseDamaged = APIError(
        .internalServerError, "database_damaged",
        "A database of the host is damaged; see its log for details.")

    /// Errors of JSON request bodies.
    package static let ofBody = [
        malformedJSON, missingField, invalidField, unknownField, jsonExpected, contentTooLarge,
    ]
    package static let malformedJSON = APIError(
        .badRequest, "malformed_json", "The content is not a JSON object.")
    package static let missingField = APIError(.badRequest, "missing_field", "A required field is missing.")
    package static let invalidField = APIError(
        .unprocessableContent, "invalid_field", "A field has an invalid value.")
    package static let unknownField = APIError(
        .badRequest, "unknown_field", "The content has an unknown field.")
    package static let jsonExpected = APIError(
        .unsupportedMediaType, "json_expected", "The Content-Type is not JSON.")
    package static let contentTooLarge = APIError(
        .contentTooLarge, "content_too_large", "The content is too large.")
}

// MARK: Access and accounts

extension APIError {
    /// Errors of all routes that need a credential.
    package static let ofAccess = [foreignPage, foreignName, missingKey, wrongKey, tooManyFailures]
    package static let foreignPage = APIError(
        .forbidden, "foreign_page",
        "The host requires no key, and the request comes from a page of another site.")
    package static let foreignName = APIError(
        .forbidden, "foreign_name", "The host requires no key, and the Host header is not a local name.")
    package static let missingKey = APIError(.unauthorized, "missing_key", "No key was sent.")
    package static let wrongKey = APIError(
        .unauthorized, "wrong_key", "The API key, app password or token is invalid or has expired.")
    package static let tooManyFailures = APIError(
        .tooManyRequests, "too_many_failures", "This address has sent too many invalid keys.")
    package static let roleRequired = APIError(
        .forbidden, "role_required",
        "The caller's account does not have the role that the operation needs.")
    package static let missingSubject = APIError(
        .unprocessableContent, "missing_subject", "None of the four IDs was given.")
    package static let wrongPassword = APIError(
        .unauthorized, "wrong_password", "The name or the password is wrong.")
    package static let wrongCurrentPassword = APIError(
        .forbidden, "wrong_password", "The current password is wrong.")
    package static let noSuchAccount = APIError(
        .notFound, "no_such_account", "There is no account with this ID.")
    package static let accountNameTaken = APIError(
        .conflict, "account_name_taken", "Another account has this name.")
    package static let mainAccount = APIError(
        .conflict, "main_account", "The account of the API key cannot be deleted, and stays an owner.")
    package static let noAppPassword = APIError(
        .conflict, "no_app_password", "The request was made with the API key.")
    package static let noSuchAppPassword = APIError(
        .notFound, "no_such_app_password", "There is no app password with this ID.")
    package static let nameTaken = APIError(.conflict, "name_taken", "The name is in use.")
    package static let notOwner = APIError(.forbidden, "not_owner", "It belongs to another account.")
    package static let accessRefused = APIError(
        .unprocessableContent, "access_refused", "The service does not accept the token, key or secret.")
    package static let serviceFailed = APIError(
        .badGateway, "service_failed", "The service cannot be reached, or does not answer as expected.")
    package static let notAuthorizing = APIError(
        .conflict, "not_authorizing", "No access has been requested.")
    package static let notAuthorized = APIError(
        .conflict, "not_authorized", "The user has not allowed the access yet.")
}

// MARK: Tracks, files and streams

extension APIError {
    package static let noSuchTrack = APIError(
        .notFound, "no_such_track", "There is no track with this ID.")
    package static let noSuchTracks = APIError(
        .unprocessableContent, "no_such_track", "There is no track with one of the IDs.")
    package static let noSuchAlbum = APIError(
        .notFound, "no_such_album", "There is no album with this ID.")
    package static let noSuchArtist = APIError(
        .notFound, "no_such_artist", "There is no artist with this ID.")
    package static let noSuchGenre = APIError(.notFound, "no_such_genre", "No track has this genre.")
    package static let noSuchPlaylist = APIError(
        .notFound, "no_such_playlist", "There is no playlist with this ID.")
    package static let noSuchShare = APIError(
        .notFound, "no_such_share", "There is no share with this ID.")
    package static let noSuchAudio = APIError(
        .notFound, "no_such_audio", "The track has different audio than the URL specifies.")
    package static let noSuchSegment = APIError(
        .notFound, "no_such_segment", "The track has fewer segments or frames.")

    /// Errors of requests that name a track by its path.
    package static let ofPath = [
        noSuchTrack.when("There is no music file at this path in the music folder."), analysisFailed,
    ]
    package static let analysisFailed = APIError(
        .unprocessableContent, "analysis_failed", "The file cannot be analysed.")
    package static let notAnalysed = APIError(
        .conflict, "not_analysed", "The track has not been analysed yet.")
    package static let notMeasured = APIError(
        .unprocessableContent, "not_measured",
        "The track has not been measured yet, so it cannot be trimmed or normalised.")
    package static let noFrames = APIError(
        .notFound, "no_frames", "The track has no spectrum frames yet.")
    package static let framesChanged = APIError(
        .serviceUnavailable, "frames_changed", "The frames are being replaced.")
    package static let noWaveform = APIError(.notFound, "no_waveform", "The track has no waveform yet.")
    package static let noCover = APIError(
        .notFound, "no_cover", "Neither the tags nor the folder contain a cover.")
    package static let tooManyPaths = APIError(
        .unprocessableContent, "too_many_paths", "There are too many paths.")

    /// Reasons why a track's file cannot be sent.
    package static let ofFile = [fileMissing, fileChanged, analysisDamaged]
    package static let fileMissing = APIError(
        .notFound, "file_missing", "The file is missing or cannot be opened.")
    package static let fileChanged = APIError(
        .conflict, "file_changed",
        "The file has changed since it was analysed; it is being analysed again.")
    package static let analysisDamaged = APIError(
        .conflict, "analysis_damaged",
        "The stored analysis cannot be read; the file is being analysed again.")

    package static let cannotSegment = APIError(
        .unprocessableContent, "cannot_segment",
        "The file cannot be cut into segments, for example because it uses free format.")
    package static let gainOutOfRange = APIError(
        .unprocessableContent, "gain_out_of_range", "The level of the frames cannot be changed that much.")
    package static let noLowQuality = APIError(
        .unprocessableContent, "no_low_quality",
        "The track does not have this quality: an MP3 file has no high one, and no low one if its bit rate is already low or its "
            + "frames are not uniform.")
    package static let notNormalised = APIError(
        .unprocessableContent, "not_normalised",
        "Only MP3 files in their original quality can be normalised or faded on the host.")
    package static let notContiguous = APIError(
        .unprocessableContent, "not_contiguous",
        "The file has junk inside segments, so they are not contiguous byte ranges.")
    package static let notTheFile = APIError(
        .unprocessableContent, "not_the_file",
        "Ranges of the original file are available for MP3 files only, and cannot be normalised or faded.")
    package static let damaged = APIError(
        .internalServerError, "damaged", "The transcoded version is damaged.")
}

// MARK: Tags, lyrics and files

extension APIError {
    /// Reasons why a file cannot be edited.
    package static let ofEdit = [
        partOfFile, fileBusy, invalidValue, changedDuringEdit, stateDiffers, noAudio, notARegularFile,
        unsupportedTag,
        valueNotKept, audioWouldChange, fileReadOnly, cannotKeepOwner,
        noSpace.when("There is not enough disk space for the new file."),
        readFailed, writeFailed,
    ]
    package static let fileBusy = APIError(.conflict, "busy", "The file is being written or edited.")
    package static let invalidValue = APIError(
        .unprocessableContent, "invalid_value", "A value cannot be stored in tags; `field` names it.")
    package static let changedDuringEdit = APIError(
        .conflict, "changed_meanwhile", "The file was changed by another program during the edit.")
    package static let stateDiffers = APIError(
        .preconditionFailed, "state_differs", "The file has changed (ETag mismatch).")
    package static let noAudio = APIError(
        .unprocessableContent, "no_audio", "The file contains no audio in a supported format.")
    package static let unsupportedTag = APIError(
        .unprocessableContent, "unsupported_tag",
        "The file's tags are damaged or too large to edit without data loss.")
    package static let valueNotKept = APIError(
        .unprocessableContent, "value_not_kept", "A field would not read back as requested.")
    package static let audioWouldChange = APIError(
        .unprocessableContent, "audio_would_change", "The edited file would not contain the same audio.")
    package static let fileReadOnly = APIError(.forbidden, "read_only", "The file is read-only.")
    package static let cannotKeepOwner = APIError(
        .forbidden, "cannot_keep_owner", "The file's owner or group could not be preserved.")
    package static let writeFailed = APIError(
        .internalServerError, "write_failed", "Writing the file failed.")
    package static let readFailed = APIError(
        .internalServerError, "read_failed", "Reading the file failed.")
    package static let notARegularFile = APIError(
        .unprocessableContent, "not_a_regular_file", "The path does not name a file.")

    package static let oneFileExpected = APIError(
        .unprocessableContent, "one_file_expected",
        "Neither `relative_path` nor `id` was given, or they refer to different files.")
    package static let unreadable = APIError(
        .unprocessableContent, "unreadable", "The file's tags could not be read.")
    package static let noChanges = APIError(
        .unprocessableContent, "no_changes", "No field to change was given.")
    package static let tooManyItems = APIError(
        .unprocessableContent, "too_many_items", "The lists are too long.")
    package static let nothingSelected = APIError(
        .unprocessableContent, "nothing_selected",
        "Neither tracks nor `all` were given, or no operation was selected.")
    package static let unclearFiles = APIError(
        .unprocessableContent, "unclear_files", "Both lists and `all` were given.")

    package static let noLyrics = APIError(
        .notFound, "no_lyrics", "The track has no lyrics, or none from this source.")
    package static let invalidLyrics = APIError(
        .unprocessableContent, "invalid_lyrics", "Lines, text or times cannot be stored exactly.")
    package static let notSynced = APIError(
        .unprocessableContent, "not_synced", "The lyrics have no times, but times are required.")
    package static let systemFailed = APIError(
        .internalServerError, "system_failed", "Writing the file failed.")

    package static let noSuchEdit = APIError(
        .notFound, "no_such_edit", "The history has no edit with this ID.")
    package static let notInTrash = APIError(
        .notFound, "not_in_trash", "There is no file with this ID in the trash.")
    package static let pathTaken = APIError(
        .conflict, "path_taken", "Another file is now at its path.")
    package static let folderBlocked = APIError(
        .conflict, "folder_blocked", "The path contains a symbolic link.")
    package static let partOfFile = APIError(
        .conflict, "part_of_file",
        "The track is a part of a file, from a cue sheet, and has no file of its own.")
    package static let notDuplicates = APIError(
        .conflict, "not_duplicates", "The files do not have the same recording, or one has changed.")
    package static let readOnly = APIError(.conflict, "read_only", "The music folder is read-only.")
    package static let trashFailed = APIError(
        .internalServerError, "trash_failed", "Moving the file failed.")
}

// MARK: Uploads

extension APIError {
    package static let tooManyUploads = APIError(
        .serviceUnavailable, "too_many_uploads", "Too many uploads are in progress.")
    package static let tooManyOpenUploads = APIError(
        .tooManyRequests, "too_many_uploads", "Too many open uploads.")
    package static let noSuchUpload = APIError(
        .notFound, "no_such_upload", "There is no upload with this ID, or it has expired.")
    package static let uploadBusy = APIError(
        .conflict, "upload_busy", "Another request is sending to this upload.")
    package static let oneFileOnly = APIError(
        .conflict, "one_file_only", "Several files cannot have the same title or track number.")
    package static let malformedMultipart = APIError(
        .badRequest, "malformed_multipart", "The form is malformed.")
    package static let tooManyFiles = APIError(
        .contentTooLarge, "too_many_files", "The form contains too many files.")
    package static let multipartTooLarge = APIError(
        .contentTooLarge, "multipart_too_large",
        "The form has too many parts, or the headers of a part are too long.")
    package static let formExpected = APIError(
        .unsupportedMediaType, "form_expected",
        "The content is neither a form nor a file of an accepted type.")
    package static let fileTooLarge = APIError(
        .contentTooLarge, "file_too_large", "The file is too large.")
    package static let wrongOffset = APIError(
        .conflict, "wrong_offset", "These are not the next bytes; get the upload for its offset.")
    package static let invalidContentRange = APIError(
        .rangeNotSatisfiable, "invalid_content_range", "`Content-Range` is malformed.")
    package static let wrongLength = APIError(
        .rangeNotSatisfiable, "wrong_length", "The content length does not match `Content-Range`.")
    package static let lengthRequired = APIError(
        .lengthRequired, "length_required", "Neither `Content-Range` nor `Content-Length` was sent.")
}

// MARK: Playlists, listening and the host

extension APIError {
    package static let busy = APIError(
        .serviceUnavailable, "busy", "The library is locked by another process.")
    package static let unknownState = APIError(
        .conflict, "unknown_state",
        "The library does not know this state, or no longer has all changes since; copy it from /db.")
    package static let primaryAway = APIError(
        .serviceUnavailable, "primary_away",
        "The primary host, which stores all changes, cannot be reached; try again.")
    package static let listeningAway = APIError(
        .serviceUnavailable, "listening_away",
        "The database that stores stars, ratings, plays, queues, playlists and accounts cannot be reached; try again."
    )
    package static let notReady = APIError(
        .serviceUnavailable, "not_ready", "The host is stopping, or has not copied the primary's library yet."
    )
    package static let changedMeanwhile = APIError(
        .preconditionFailed, "changed_meanwhile", "It has changed (ETag mismatch).")
    package static let tooManyEntries = APIError(
        .unprocessableContent, "too_many_entries", "Too many entries for a playlist.")
    package static let badPosition = APIError(
        .unprocessableContent, "bad_position", "The playlist has no such position.")
    package static let invalidRules = APIError(
        .unprocessableContent, "invalid_rules", "The rules are not valid; `field` names the place.")
    package static let smartPlaylist = APIError(
        .conflict, "smart_playlist", "The tracks of a smart playlist follow from its rules.")
    package static let noRules = APIError(.conflict, "no_rules", "The playlist is not smart.")
    package static let tooManyActions = APIError(
        .unprocessableContent, "too_many_actions", "There are too many actions.")
    package static let notUnavailable = APIError(
        .conflict, "not_unavailable", "One of the folders is not unavailable; nothing was changed.")
    package static let noNavidrome = APIError(
        .conflict, "no_navidrome", "No Navidrome server is configured.")

    package static let noJukebox = APIError(.notFound, "no_jukebox", "The host has no jukebox.")
    package static let noSuchStation = APIError(
        .notFound, "no_such_station", "There is no radio station with this ID.")
    package static let tooManyStations = APIError(
        .conflict, "too_many_stations", "The list of radio stations is full.")
    package static let tooManyRelays = APIError(
        .serviceUnavailable, "too_many_relays", "The host relays as many other radio stations as allowed.")
    package static let stationFailed = APIError(
        .badGateway, "station_failed",
        "The radio station cannot be reached, or sends nothing that can be played.")
    package static let noSuchRecording = APIError(
        .notFound, "no_such_recording", "There is no recording with this ID.")

    /// Errors of routes that open a WebSocket.
    package static let ofWebSocket = [
        APIError(.badRequest, "websocket_key", "The key of the WebSocket's handshake is malformed."),
        APIError(.upgradeRequired, "websocket_required", "The route only supports WebSocket version 13."),
    ]
}
