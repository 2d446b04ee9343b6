import { matchesWildcard } from '@shoal/values';

/** Decision of a `_source` filter for the value at one path. */
export interface FilterNode {
  /** Keep or drop the whole value, or decide for its members one by one. */
  readonly verdict: 'keep' | 'drop' | 'descend';
  /** With `descend`: whether to keep a value that is neither object nor array. */
  readonly keepsLeaves: boolean;
  /** With `descend`: whether to keep an object or array of which nothing is left; never inside an array. */
  readonly keepsEmpty: boolean;
  /** Decision for the member `key`. */
  child(key: string): FilterNode;
}

const leaf = (verdict: 'keep' | 'drop'): FilterNode => {
  const node: FilterNode = {
    verdict,
    keepsLeaves: verdict === 'keep',
    keepsEmpty: verdict === 'keep',
    child: () => node,
  };
  return node;
};

/** A pattern such as `a.*.c`, and the number of its segments that the path so far has matched. */
interface PatternProgress {
  readonly segments: readonly string[];
  readonly done: number;
}

/** The patterns that still match after one more segment of the path; null if one has matched completely. */
function advance(states: readonly PatternProgress[], segment: string): PatternProgress[] | null {
  const next: PatternProgress[] = [];
  for (const { segments, done } of states) {
    for (let i = done; i < segments.length; i++) {
      const pattern = segments[i]!;
      if (pattern === '**') next.push({ segments, done: i });
      else if (matchesWildcard(pattern, segment)) {
        if (i + 1 === segments.length) return null;
        next.push({ segments, done: i + 1 });
      }
      if (pattern !== '**') break;
      if (i + 1 === segments.length) return null;
    }
  }
  return next;
}

/** As `advance`, for a key that may contain dots itself. */
function advanceKey(states: readonly PatternProgress[], key: string): readonly PatternProgress[] | null {
  let current: readonly PatternProgress[] | null = states;
  for (const segment of key.split('.')) {
    current = advance(current, segment);
    if (current === null) return null;
  }
  return current;
}

const startOf = (patterns: readonly string[]): PatternProgress[] =>
  patterns.map((pattern) => ({ segments: pattern.split('.'), done: 0 }));

function cachedChildren(make: (key: string) => FilterNode): (key: string) => FilterNode {
  const cache = new Map<string, FilterNode>();
  return (key) => {
    let node = cache.get(key);
    if (!node) {
      node = make(key);
      if (cache.size < CACHED_KEYS_MAX) cache.set(key, node);
    }
    return node;
  };
}

/** Limit of the keys that a node caches, so that documents with ever new keys do not fill the memory. */
const CACHED_KEYS_MAX = 1000;
const KEEP = leaf('keep');
const DROP = leaf('drop');

/** Decision in the dialect where `*` is one key. `includes` is null below a path that is included as a whole. */
function segmentNode(includes: readonly PatternProgress[] | null, excludes: readonly PatternProgress[]): FilterNode {
  if (includes === null && excludes.length === 0) return KEEP;
  if (includes !== null && includes.length === 0) return DROP;
  return {
    verdict: 'descend',
    keepsLeaves: includes === null,
    keepsEmpty: false,
    child: cachedChildren((key) => {
      const excluded = advanceKey(excludes, key);
      if (excluded === null) return DROP;
      return segmentNode(includes && advanceKey(includes, key), excluded);
    }),
  };
}

/**
 * Decision in the dialect of excludes with wildcards: `*` also matches dots, and an object stays when it becomes empty.
 */
function pathNode(includes: readonly string[], excludes: readonly string[], path: string): FilterNode {
  const accepted = includes.length === 0 || includes.some((pattern) => coversPath(pattern, path));
  return {
    verdict: 'descend',
    keepsLeaves: accepted,
    keepsEmpty: accepted,
    child: cachedChildren((key) => {
      const below = path === '' ? key : `${path}.${key}`;
      return excludes.some((pattern) => coversPath(pattern, below)) ? DROP : pathNode(includes, excludes, below);
    }),
  };
}

const coversPath = (pattern: string, path: string): boolean =>
  matchesWildcard(pattern, path) || matchesWildcard(`${pattern}.*`, path);

/**
 * Decision tree of a predicate over whole paths: keeps the values whose path it accepts, and the objects of which
 * something is kept.
 */
export function predicateTree(takes: (path: string) => boolean, path = ''): FilterNode {
  return {
    verdict: 'descend',
    keepsLeaves: path !== '' && takes(path),
    keepsEmpty: false,
    child: cachedChildren((key) => predicateTree(takes, path === '' ? key : `${path}.${key}`)),
  };
}

/**
 * Decision tree for `_source` patterns. As in Elasticsearch there are two dialects: `*` is one key and `**` any number
 * of keys, but if an exclude has a wildcard, `*` is any characters including dots.
 */
export function filterTree(includes: readonly string[], excludes: readonly string[]): FilterNode {
  if (excludes.some((pattern) => pattern.includes('*'))) return pathNode(includes, excludes, '');
  return segmentNode(includes.length === 0 || includes.includes('*') ? null : startOf(includes), startOf(excludes));
}
