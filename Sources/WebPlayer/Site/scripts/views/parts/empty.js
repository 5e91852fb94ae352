import { textButton } from './buttons.js';
import { h } from './dom.js';
import { icon } from './icons.js';
import { t } from '../../texts/text.js';

/** Creates a placeholder for an empty page or list. */
export function empty(name, title, text, ...more) {
    return h('div.empty', null, icon(name), h('h2', null, title), text && h('p', null, text), more);
}

/**
 * Creates the placeholder of a library without music; editors are offered to upload some.
 * @param {Pick<import('../../app.js').App, 'connection' | 'go'>} app
 */
export function noMusic(app) {
    const isEditor = app.connection.hasRole('editor');
    return empty(
        'songs',
        t('No music yet'),
        isEditor
            ? t('Upload music files here, or add them to the host’s music folder. They appear within seconds.')
            : t('Songs appear here as soon as music is added to the host.'),
        isEditor && textButton(t('Upload music'), () => app.go('/manage/upload'), { name: 'upload', kind: 'is-main' }),
    );
}
