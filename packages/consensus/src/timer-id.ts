/** Ids of the timers of a consensus state machine; a follower check adds the node id. */
export const TIMER = {
  election: 'election',
  findPeers: 'findPeers',
  bootstrap: 'bootstrap',
  leaderCheck: 'leaderCheck',
  publish: 'publish',
  acks: 'acks',
  lag: 'lag',
  removal: 'removal',
  reelection: 'reelection',
} as const;

const FOLLOWER_CHECK = 'followerCheck/';

/** Id of the timer of the checks of one follower. */
export function followerCheckTimer(nodeId: string): string {
  return FOLLOWER_CHECK + nodeId;
}

/** The follower to whose checks timer `id` belongs, or null for other timers. */
export function followerOfTimer(id: string): string | null {
  return id.startsWith(FOLLOWER_CHECK) ? id.slice(FOLLOWER_CHECK.length) : null;
}
