/** Seconds from the decision to the first sample, where nothing is heard yet. */
export const START_LEAD = 0.02;
/** Seconds from a change to when it is heard, where sound goes on. */
export const CHANGE_LEAD = 0.25;
