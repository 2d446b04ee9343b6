/** A result with its place in time; `name` is null for the whole job. */
export interface ScoredResult {
  readonly at: number;
  readonly score: number;
  readonly name: string | null;
}

/** The greatest score of each span of time. */
export interface Lane {
  readonly name: string;
  readonly scores: readonly number[];
}

/** Lanes over the same spans of time. */
export interface SwimLanes {
  /** Begin of each span in milliseconds since 1970. */
  readonly times: readonly number[];
  readonly spanMs: number;
  readonly lanes: readonly Lane[];
}

/** Lanes of influencers shown at most. */
const LANES_MAX = 10;

/** Names of severities as 8.12 has them, from the least score of each. */
export function severityOf(score: number): 'none' | 'warning' | 'minor' | 'major' | 'critical' {
  if (score >= 75) return 'critical';
  if (score >= 50) return 'major';
  if (score >= 25) return 'minor';
  return score >= 1 ? 'warning' : 'none';
}

/**
 * Lanes of at most `cells` spans, each whole buckets of `bucketMs`: the job's, and those of the influencers with the
 * greatest scores, the greatest first. Null without a result.
 */
export function swimLanes(results: readonly ScoredResult[], bucketMs: number, cells: number): SwimLanes | null {
  if (results.length === 0) return null;
  const [first, last] = results.reduce(
    ([least, most], { at }) => [Math.min(least, at), Math.max(most, at)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const buckets = Math.floor((last - first) / bucketMs) + 1;
  const spanMs = Math.ceil(buckets / cells) * bucketMs;
  const count = Math.floor((last - first) / spanMs) + 1;
  const lanes = new Map<string | null, number[]>([[null, Array.from({ length: count }, () => 0)]]);
  for (const { at, score, name } of results) {
    const scores = lanes.get(name) ?? Array.from({ length: count }, () => 0);
    const cell = Math.floor((at - first) / spanMs);
    scores[cell] = Math.max(scores[cell]!, score);
    lanes.set(name, scores);
  }
  const greatest = (scores: readonly number[]): number => Math.max(...scores);
  const named = [...lanes]
    .flatMap(([name, scores]) => (name === null ? [] : [{ name, scores }]))
    .toSorted((a, b) => greatest(b.scores) - greatest(a.scores))
    .slice(0, LANES_MAX);
  return {
    times: Array.from({ length: count }, (_, i) => first + i * spanMs),
    spanMs,
    lanes: [{ name: 'Overall', scores: lanes.get(null)! }, ...named],
  };
}
