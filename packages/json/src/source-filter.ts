/** What happens to a value at a path. */
export interface FilterNode {
  /** Taken whole, left out whole, or looked into. */
  readonly verdict: 'keep' | 'drop' | 'descend';
  /** Of `descend`: whether a value that is neither object nor array stays. */
  readonly keepsLeaves: boolean;
  /** Of `descend`: whether an object or array stays in its parent object when nothing of it is left. */
  readonly keepsEmpty: boolean;
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

/**
 * Whether `text` is of the form of `pattern`, in which `*` stands for any characters. Linear in time but for
 * backtracking to the last `*`.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** A pattern `a.*.c` and how many of its segments a path has matched. */
interface Progress {
  readonly segments: readonly string[];
  readonly done: number;
}

/** Patterns after one more segment of the path; null when one of them has matched whole. */
function advance(states: readonly Progress[], segment: string): Progress[] | null {
  const next: Progress[] = [];
  for (const { segments, done } of states) {
    for (let i = done; i < segments.length; i++) {
      const pattern = segments[i]!;
      if (pattern === '**') next.push({ segments, done: i });
      else if (matchesGlob(pattern, segment)) {
        if (i + 1 === segments.length) return null;
        next.push({ segments, done: i + 1 });
      }
      if (pattern !== '**') break;
      if (i + 1 === segments.length) return null;
    }
  }
  return next;
}

/** As `advance`, for a key that may hold dots itself. */
function advanceKey(states: readonly Progress[], key: string): readonly Progress[] | null {
  let current: readonly Progress[] | null = states;
  for (const segment of key.split('.')) {
    current = advance(current, segment);
    if (current === null) return null;
  }
  return current;
}

const startOf = (patterns: readonly string[]): Progress[] =>
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

/** Distinct keys that a node remembers; documents with keys of their own must not fill the memory. */
const CACHED_KEYS_MAX = 1000;
const KEEP = leaf('keep');
const DROP = leaf('drop');

/** `includes` null: everything so far included. */
function segmentNode(includes: readonly Progress[] | null, excludes: readonly Progress[]): FilterNode {
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

/** Excludes with wildcards: `*` also stands for dots, and what is left of an object stays even when it is empty. */
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
  matchesGlob(pattern, path) || matchesGlob(`${pattern}.*`, path);

/**
 * The tree of decisions of a predicate over whole paths: values stay whose path it takes, objects where something of
 * them stays.
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
 * The tree of decisions for `_source` patterns. As in Elasticsearch there are two dialects: `*` is one key (and `**`
 * any number), but when an exclude has a wildcard, `*` is any characters, dots included.
 */
export function filterTree(includes: readonly string[], excludes: readonly string[]): FilterNode {
  if (excludes.some((pattern) => pattern.includes('*'))) return pathNode(includes, excludes, '');
  return segmentNode(includes.length === 0 || includes.includes('*') ? null : startOf(includes), startOf(excludes));
}
