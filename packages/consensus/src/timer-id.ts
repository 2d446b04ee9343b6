/** Timers of a consensus state machine; a check of a follower adds the node id. */
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

/** The timer of the checks of one follower. */
export function followerCheckTimer(nodeId: string): string {
  return FOLLOWER_CHECK + nodeId;
}

/** The follower whose check timer `id` is, or null. */
export function followerOfTimer(id: string): string | null {
  return id.startsWith(FOLLOWER_CHECK) ? id.slice(FOLLOWER_CHECK.length) : null;
}
