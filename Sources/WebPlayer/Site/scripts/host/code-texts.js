import { currentLanguage, t } from '../texts/text.js';

/** Texts of errors that people meet, by the host's code. */
const texts = () => ({
    analysis_damaged: t('The analysis of this track is damaged. Analyse it again.'),
    changed_meanwhile: t('This has changed in the meantime. Try again.'),
    content_too_large: t('This is larger than the host allows.'),
    file_changed: t('The file has changed on the host. Try again in a moment.'),
    file_missing: t('The file is missing on the host.'),
    file_too_large: t('The file is larger than the host allows.'),
    internal_error: t('The host reports an internal error.'),
    name_taken: t('This name is already in use. Choose another one.'),
    no_audio: t('The file contains no audio.'),
    no_jukebox: t('This host has no jukebox that you may control.'),
    no_space: t('The disk of the host is full.'),
    no_such_album: t('The album is no longer in the library.'),
    no_such_artist: t('The artist is no longer in the library.'),
    no_such_playlist: t('The playlist no longer exists.'),
    no_such_station: t('The station no longer exists.'),
    no_such_track: t('The track is no longer in the library.'),
    not_analysed: t('The track is not analysed yet.'),
    not_in_trash: t('The file is no longer in the trash.'),
    not_owner: t('This belongs to another account.'),
    path_taken: t('There is already a file at this place.'),
    precondition_failed: t('This has changed in the meantime. Try again.'),
    read_only: t('The host may not change this file.'),
    role_required: t('Your account may not do this.'),
    write_failed: t('The host could not write the file.'),
});

/**
 * Returns the text of the host's error in the language of the page; undefined for other codes and in English, because the host's
 * own messages are English and say more.
 * @param {string | undefined} code
 * @returns {string | undefined}
 */
export function codeText(code) {
    return code && currentLanguage() !== 'en' ? texts()[code] : undefined;
}
