import { Stage } from '../../visualizer/stage.js';
import { h } from '../parts/dom.js';
import { drawMix, isInPicture } from './mix-picture.js';
import { titleOf } from '../../library/track-text.js';
import { t } from '../../texts/text.js';

/** @typedef {Pick<import('../../app.js').App, 'player' | 'timelines'>} Parts what this module uses of the page */

/**
 * Shows the mix that is heard, or the coming one: a picture of both tracks, and why it was chosen.
 * @param {Parts} app
 * @param {AbortSignal} signal stops it
 */
export function mixNote({ player, timelines }, signal) {
    const canvas = /** @type {HTMLCanvasElement} */ (h('canvas.now-mix-picture', { role: 'img' }));
    const reason = h('p', null);
    const note = h('div.now-mix', { hidden: true }, canvas, reason);
    const stage = new Stage(canvas);
    /** @type {import('./mix-picture.js').Described | null} */
    let mix = null;
    /** @type {[import('./mix-picture.js').Timeline | null, import('./mix-picture.js').Timeline | null]} */
    let tracks = [null, null];

    let showsHeard = false;

    /** Returns the time that is heard, in seconds after the start of the mix; null once the incoming track plays on its own. */
    const heardIn = (mix) => {
        const isOutgoing = player.current?.id === mix.from.id;
        const after = player.position - (isOutgoing ? mix.start : mix.cueIn);
        return isOutgoing || after < mix.seconds ? after : null;
    };
    const draw = () => {
        if (!mix || stage.width <= 0) return;
        const heard = heardIn(mix);
        showsHeard = isInPicture(mix, heard);
        const style = getComputedStyle(canvas);
        const colours = {
            outgoing: style.getPropertyValue('--mix-outgoing'),
            incoming: style.getPropertyValue('--mix-incoming'),
            line: style.color,
        };
        const [outgoing, incoming] = tracks;
        const { width, height } = stage;
        drawMix(stage.context, {
            width,
            height,
            mix,
            outgoing,
            incoming,
            heard,
            colours,
        });
    };
    const update = async () => {
        const found = [player.transition, player.plannedTransition].find((each) => each?.isMix) ?? null;
        const isOther = found?.from.id !== mix?.from.id || found?.to.id !== mix?.to.id;
        mix = found;
        note.hidden = !mix?.reason;
        if (!mix) return;
        reason.textContent = mix.reason ?? '';
        canvas.setAttribute(
            'aria-label',
            t('The mix of {first} and {second}', { first: titleOf(mix.from), second: titleOf(mix.to) }),
        );
        if (isOther) {
            tracks = [null, null];
            const { from, to } = mix;
            const loaded = await Promise.all([from, to].map(({ id }) => timelines.load(id).catch(() => null)));
            // Another mix may have taken its place meanwhile.
            if (mix?.from.id !== from.id || mix?.to.id !== to.id) return;
            tracks = [loaded[0], loaded[1]];
        }
        draw();
    };
    for (const type of ['plan', 'queue', 'track', 'transition']) player.addEventListener(type, update, { signal });
    // Far from the mix the picture does not change.
    player.addEventListener('position', () => {
        if (mix && (showsHeard || isInPicture(mix, heardIn(mix)))) draw();
    }, { signal });
    for (const type of ['size', 'visibility']) stage.addEventListener(type, draw);
    stage.open();
    signal.addEventListener('abort', () => stage.close());
    update();
    return note;
}
