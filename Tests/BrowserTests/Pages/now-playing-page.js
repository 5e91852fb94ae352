import { LyricsView } from '/player/scripts/lyrics/lyrics-view.js';
import { CoverColours } from '/player/scripts/visualizer/colours/cover-colours.js';
import { SeekBar } from '/player/scripts/visualizer/seek-bar/seek-bar.js';
import { PlainClient, SilentPlayer } from './stand-ins.js';

const client = new PlainClient();
const player = new SilentPlayer();
const colours = new CoverColours(client);
const seekBar = new SeekBar(document.getElementById('seek'), { player, client, colours });
const lyrics = new LyricsView(document.getElementById('lyrics'), { player, client });

globalThis.page = { client, player, colours, seekBar, lyrics };
globalThis.isReady = true;
