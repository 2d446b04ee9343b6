/**
 * Versions of the messages between nodes that this build speaks. Two nodes use the newest version that both know, and
 * need one in common. docs/internals/cluster.md §7 lists the changes of each.
 */
export const PROTOCOL_VERSIONS = { min: 1, max: 2 } as const;
