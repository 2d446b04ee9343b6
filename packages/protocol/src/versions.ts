/**
 * Versions of the messages between nodes that this build speaks: two nodes speak the newest that both know, and need
 * one in common. docs/internals/cluster.md §7 says what each added.
 */
export const PROTOCOL_VERSIONS = { min: 1, max: 2 } as const;
