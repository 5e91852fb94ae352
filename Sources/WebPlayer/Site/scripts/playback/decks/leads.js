/** Seconds between a decision and the first sample if nothing is playing yet. */
export const START_LEAD = 0.02;
/** Seconds between a change and its effect while audio is playing. */
export const CHANGE_LEAD = 0.25;
/** The longest such time, on a machine that is too slow for shorter ones. */
export const LONGEST_LEAD = 2;
