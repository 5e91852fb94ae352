import { confirmed } from '../../views/parts/dialog.js';
import { counted } from '../../views/parts/texts.js';
import { toast } from '../../views/parts/toast.js';
import { showTagSheet } from './tag-sheet.js';

/**
 * Asks for confirmation, and moves tracks to the trash.
 * @param {Pick<import('../../host/host-client.js').HostClient, 'json'>} client
 * @param {any[]} tracks
 */
export async function moveToTrash(client, tracks) {
    const files = counted(tracks.length, 'file');
    const text = 'They can be restored from the trash (Manage, Trash), with their stars, plays and playlist entries.';
    if (!await confirmed(`Move ${files} to the trash?`, text, 'Move to trash')) return;
    let count = 0;
    try {
        for (const { id } of tracks) {
            await client.json(`/tracks/${id}`, { method: 'DELETE' });
            count++;
        }
        toast(`${files} moved to the trash`);
    } catch (error) {
        toast(`${count} of ${files} moved to the trash: ${error.message}`);
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
        { label: 'Edit tags…', icon: 'edit', action: () => showTagSheet(parts, tracks) },
        { label: 'Move to trash…', icon: 'trash', isDanger: true, action: () => moveToTrash(parts.client, tracks) },
    ];
}
