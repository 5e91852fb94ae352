import { makeBackup, restoreBackup } from '../../offline/backup.js';
import { BACKUP_NAME, backupText, readBackup, saveFile } from '../../offline/backup-file.js';
import { textButton } from '../parts/buttons.js';
import { h } from '../parts/dom.js';
import { settingsGroup } from '../parts/setting-rows.js';
import { orToast, toast } from '../parts/toast.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'catalogue' | 'client' | 'connection' | 'favourites' | 'go' | 'playlists' | 'settings'>} Parts what this module uses of the page */

/**
 * The settings for backup: one file with settings, favourites, ratings and playlists.
 * @param {Parts} app
 */
export function backupSection(app) {
    const chooser = h('input', {
        type: 'file',
        accept: '.json,application/json',
        hidden: true,
        'aria-label': t('Backup file'),
        onchange: async () => {
            const file = chooser.files?.[0];
            const done = file && await orToast(async () => await restoreBackup(app, await readBackup(file)));
            if (done) {
                toast(resultText(done));
                app.go('/settings');
            }
            chooser.value = '';
        },
    });
    const save = async () => {
        const backup = await orToast(() => makeBackup(app));
        if (backup) saveFile(new Blob([backupText(backup)], { type: 'application/json' }), BACKUP_NAME);
    };
    return settingsGroup(
        t('Backup'),
        h(
            'div.settings-box',
            null,
            h(
                'div.setting',
                null,
                h(
                    'div.setting-name',
                    null,
                    h('span', null, t('Backup file')),
                    h(
                        'small',
                        null,
                        t('Settings, favourites, ratings and your playlists, for another browser or host. It does not contain the API key.'),
                    ),
                ),
                h(
                    'div.setting-control',
                    null,
                    chooser,
                    textButton(t('Import'), () => chooser.click(), { name: 'upload' }),
                    textButton(t('Export'), save, { name: 'download' }),
                ),
            ),
        ),
    );
}

/** @param {{favourites: number, playlists: number, missing: number}} result */
function resultText({ favourites, playlists, missing }) {
    const parts = [t('Settings imported')];
    if (favourites) parts.push(t('{count} favourites', { count: favourites }));
    if (playlists) parts.push(t('{count} playlists', { count: playlists }));
    const done = parts.join(', ');
    return missing ? t('{done}. Not in this library: {count} songs', { done, count: missing }) : done;
}
