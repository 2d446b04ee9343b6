/** Present while a process has the store open: found at open, that process did not come to its end. */
export const openFlag = (path: string): string => `${path}/open`;

/** What the copy says of itself while it is closed. */
export const restPath = (path: string): string => `${path}/rest`;

/** Tells that the copy is damaged, and why. */
export const markerPath = (path: string): string => `${path}/marker`;

/** The newest batch that was synced. */
export const witnessPath = (path: string): string => `${path}/witness`;
