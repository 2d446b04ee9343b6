/** Heights of lines in pixels by name; a target is 24 pixels high at least. */
export const DENSITIES = { Compact: 26, Normal: 32, Tall: 72 } as const;

/** Name of a height. */
export type Density = keyof typeof DENSITIES;
