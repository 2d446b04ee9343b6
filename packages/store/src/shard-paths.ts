/**
 * Path of the open flag, a file that exists while a store is open. If an open finds it, the store was not closed
 * cleanly.
 */
export const openFlag = (path: string): string => `${path}/open`;

/** Path of the description of a cleanly closed store. */
export const restPath = (path: string): string => `${path}/rest`;

/** Path of the marker of a damaged store, which contains the reason. */
export const markerPath = (path: string): string => `${path}/marker`;

/** Path of the witness, which contains the last batch that was synced. */
export const witnessPath = (path: string): string => `${path}/witness`;
