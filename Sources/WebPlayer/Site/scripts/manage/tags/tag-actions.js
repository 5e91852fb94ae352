import { confirmed } from '../../views/parts/dialog.js';
import { toast } from '../../views/parts/toast.js';
import { showTagSheet } from './tag-sheet.js';
import { t } from '../../texts/text.js';

/**
 * Asks for confirmation, and moves tracks to the trash.
 * @param {Pick<import('../../host/host-client.js').HostClient, 'json'>} client
 * @param {any[]} tracks
 */
export async function moveToTrash(client, tracks) {
    const text = t('They can be restored from the trash (Manage, Trash), with their stars, plays and playlist entries.');
    if (!await confirmed(t('Move {count} files to the trash?', { count: tracks.length }), text, t('Move to trash'))) return;
    let count = 0;
    try {
        for (const { id } of tracks) {
            await client.json(`/tracks/${id}`, { method: 'DELETE' });
            count++;
        }
        toast(t('{count} files moved to the trash', { count: tracks.length }));
    } catch (error) {
        toast(
            t('{done} of {count} files moved to the trash: {message}', {
                done: count,
                count: tracks.length,
                message: error.message,
            }),
        );
    }
}

/**
 * Returns the menu items for tracks that editors have.
 * @param {{client: import('../../host/host-client.js').HostClient, history: import('./edit-history.js').EditHistory}} parts
 * @param {any[]} tracks
 * @returns {import('../../views/parts/menu.js').MenuItem[]}
 */
export function tagItems(parts, tracks) {
    return [
        { label: t('Edit tags…'), icon: 'edit', action: () => showTagSheet(parts, tracks) },
        { label: t('Move to trash…'), icon: 'trash', isDanger: true, action: () => moveToTrash(parts.client, tracks) },
    ];
}
