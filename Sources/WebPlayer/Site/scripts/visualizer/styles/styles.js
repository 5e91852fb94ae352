import { BarStyle } from './bar-style.js';
import { LineStyle } from './line-style.js';
import { SiriWaveStyle } from './siri-wave-style.js';
import { WaveStyle } from './wave-style.js';

/** Styles by their names in the settings. */
export const STYLES = { wave: WaveStyle, siri: SiriWaveStyle, bar: BarStyle, line: LineStyle };
