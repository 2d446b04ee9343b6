/** A segment as the merge policy sees it. */
export interface MergeCandidate {
  readonly byteSize: number;
  readonly maxDoc: number;
  readonly deletedDocs: number;
  readonly isMerging: boolean;
  /** Whether a merge of the segment alone would make graphs over its vectors. */
  readonly lacksGraphs?: boolean;
}

/** Settings `index.merge.policy.*`, named as there. Sizes in bytes, deletes in percent of the documents. */
export interface TieredSettings {
  readonly segmentsPerTier: number;
  readonly maxMergeAtOnce: number;
  readonly maxMergedSegmentBytes: number;
  readonly floorSegmentBytes: number;
  readonly deletesPercentAllowed: number;
}

interface Sized<T> {
  readonly segment: T;
  /** Bytes without the share of deleted documents. */
  readonly liveBytes: number;
}

interface Scored<T> {
  readonly segments: readonly Sized<T>[];
  readonly score: number;
}

function liveBytes(segment: MergeCandidate): number {
  return segment.maxDoc === 0 ? 0 : segment.byteSize * (1 - segment.deletedDocs / segment.maxDoc);
}

const percentDeleted = (segment: MergeCandidate): number =>
  segment.maxDoc === 0 ? 0 : (100 * segment.deletedDocs) / segment.maxDoc;

/**
 * Returns how many segments a shard of `totalBytes` may have: tiers of `segmentsPerTier` segments, each
 * `maxMergeAtOnce` times the size of those in the tier below.
 */
function allowedSegments(totalBytes: number, smallestBytes: number, settings: TieredSettings): number {
  const factor = Math.min(settings.maxMergeAtOnce, settings.segmentsPerTier);
  let level = Math.max(smallestBytes, settings.floorSegmentBytes);
  let left = totalBytes;
  let allowed = 0;
  for (;;) {
    const count = left / level;
    if (count < settings.segmentsPerTier || level >= settings.maxMergedSegmentBytes) {
      return Math.max(allowed + Math.ceil(count), settings.segmentsPerTier);
    }
    allowed += settings.segmentsPerTier;
    left -= settings.segmentsPerTier * level;
    level = Math.min(settings.maxMergedSegmentBytes, level * factor);
  }
}

/**
 * Returns the score of a merge; lower is better. Prefers segments of similar size, small segments, and merges that drop
 * many deletes.
 */
function scoreOf<T extends MergeCandidate>(
  segments: readonly Sized<T>[],
  hitTooLarge: boolean,
  settings: TieredSettings,
): number {
  const floored = (bytes: number): number => Math.max(bytes, settings.floorSegmentBytes);
  const before = segments.reduce((sum, { segment }) => sum + segment.byteSize, 0);
  const after = segments.reduce((sum, sized) => sum + sized.liveBytes, 0);
  const flooredAfter = segments.reduce((sum, sized) => sum + floored(sized.liveBytes), 0);
  const skew = hitTooLarge
    ? 1 / Math.min(settings.maxMergeAtOnce, settings.segmentsPerTier)
    : floored(segments[0]!.liveBytes) / flooredAfter;
  const kept = before === 0 ? 1 : after / before;
  return skew * Math.max(after, 1) ** 0.05 * kept ** 2;
}

function candidateFrom<T extends MergeCandidate>(
  eligible: readonly Sized<T>[],
  start: number,
  settings: TieredSettings,
): Scored<T> | null {
  const chosen: Sized<T>[] = [];
  let bytes = 0;
  let hitTooLarge = false;
  for (let i = start; i < eligible.length && chosen.length < settings.maxMergeAtOnce; i++) {
    const sized = eligible[i]!;
    if (chosen.length > 0 && bytes + sized.liveBytes > settings.maxMergedSegmentBytes) {
      hitTooLarge = true;
      continue;
    }
    chosen.push(sized);
    bytes += sized.liveBytes;
  }
  if (chosen.length === 0 || (chosen.length === 1 && chosen[0]!.segment.deletedDocs === 0)) return null;
  return { segments: chosen, score: scoreOf(chosen, hitTooLarge, settings) };
}

/**
 * Returns the best merge to do next, or null: of the tiers, and if they want none, of a segment that lacks graphs.
 */
export function findMerge<T extends MergeCandidate>(
  segments: readonly T[],
  settings: TieredSettings,
): readonly T[] | null {
  const chosen = findTierMerge(segments, settings);
  if (chosen !== null) return chosen;
  const bare = segments.find(({ lacksGraphs, isMerging }) => lacksGraphs === true && !isMerging);
  return bare === undefined ? null : [bare];
}

/**
 * Returns the best merge of the tiers, or null. Algorithm of Lucene's TieredMergePolicy (9.x): if there are more
 * segments than the tiers allow, or more deletes than wanted, the group of similar-sized segments with the best score.
 */
function findTierMerge<T extends MergeCandidate>(
  segments: readonly T[],
  settings: TieredSettings,
): readonly T[] | null {
  const sorted = segments
    .map((segment): Sized<T> => ({ segment, liveBytes: liveBytes(segment) }))
    .sort((a, b) => b.liveBytes - a.liveBytes);
  const docs = segments.reduce((sum, segment) => sum + segment.maxDoc, 0);
  const deleted = segments.reduce((sum, segment) => sum + segment.deletedDocs, 0);
  const isDeletedTooMuch = docs > 0 && (100 * deleted) / docs > settings.deletesPercentAllowed;
  const considered = sorted.filter(
    ({ segment, liveBytes: bytes }) =>
      bytes <= settings.maxMergedSegmentBytes / 2 ||
      (isDeletedTooMuch && percentDeleted(segment) > settings.deletesPercentAllowed),
  );
  if (considered.length === 0) return null;
  const total = considered.reduce((sum, sized) => sum + sized.liveBytes, 0);
  const allowed = allowedSegments(total, considered.at(-1)!.liveBytes, settings);
  const eligible = considered.filter(({ segment }) => !segment.isMerging);
  if (eligible.length <= allowed && !isDeletedTooMuch) return null;
  return bestOf(eligible, allowed, settings)?.segments.map(({ segment }) => segment) ?? null;
}

function bestOf<T extends MergeCandidate>(
  eligible: readonly Sized<T>[],
  allowed: number,
  settings: TieredSettings,
): Scored<T> | null {
  // If the tiers allow all segments, only those with many deletes are merged.
  const pool =
    eligible.length > allowed
      ? eligible
      : eligible.filter(({ segment }) => percentDeleted(segment) > settings.deletesPercentAllowed);
  let best: Scored<T> | null = null;
  for (let start = 0; start < pool.length; start++) {
    const candidate = candidateFrom(pool, start, settings);
    if (candidate && (best === null || candidate.score < best.score)) best = candidate;
  }
  return best;
}

/**
 * Returns the segments of a merge that brings the shard down to `maxSegments`: the smallest ones, all of them for 1.
 */
export function findForcedMerge<T extends MergeCandidate>(
  segments: readonly T[],
  maxSegments: number,
): readonly T[] | null {
  if (segments.length <= maxSegments) {
    const only = segments.length === 1 ? segments[0]! : null;
    const needsRewrite = maxSegments === 1 && only !== null && (only.deletedDocs > 0 || only.lacksGraphs === true);
    return needsRewrite ? segments : null;
  }
  const smallestFirst = [...segments].sort((a, b) => liveBytes(a) - liveBytes(b));
  const chosen = new Set(smallestFirst.slice(0, segments.length - maxSegments + 1));
  return segments.filter((segment) => chosen.has(segment));
}

/** Returns the segments that a force merge with `only_expunge_deletes` rewrites. */
export function findExpunge<T extends MergeCandidate>(segments: readonly T[], percentAllowed: number): readonly T[] {
  return segments.filter((segment) => percentDeleted(segment) > percentAllowed);
}
