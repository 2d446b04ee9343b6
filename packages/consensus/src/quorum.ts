/** Number of members of `config` that are in `votes`. */
function countOf(votes: readonly string[], config: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < config.length; i++) if (votes.includes(config[i]!)) count++;
  return count;
}

/** Whether `votes` contain more than half of `config`. An empty configuration has no quorum. */
export function isQuorum(votes: readonly string[], config: readonly string[]): boolean {
  return countOf(votes, config) * 2 > config.length;
}

/** Whether two voting configurations have the same members; order does not matter, members are unique. */
export function sameConfig(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && countOf(a, b) === b.length);
}
