/**
 * Severity: `red` data cannot be reached; `yellow` data is not safe or badly placed; `blocked` data cannot be changed;
 * `warning` one of these will happen soon.
 */
export type Severity = 'red' | 'yellow' | 'blocked' | 'warning';

/** An API call that solves a problem. If there are several, they are alternatives, the best first. */
export interface RemedyCall {
  /** What the call does, and what to consider before making it. */
  readonly does: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** One reason why a cluster, index or shard has a problem. */
export interface Cause {
  readonly severity: Severity;
  /** What has the problem: `cluster`, `node n1`, `index logs`, `index logs, shard 0 (replica)`. */
  readonly about: string;
  readonly index?: string;
  readonly shards?: readonly string[];
  readonly why: string;
  /** Original messages of deciders, breakers or nodes. */
  readonly evidence?: readonly string[];
  /** What to do if no API call solves the problem. */
  readonly advice?: string;
  readonly mend: readonly RemedyCall[];
}

const RANK: Readonly<Record<Severity, number>> = { red: 0, blocked: 1, yellow: 2, warning: 3 };

/** Sorts by severity, the worst first; the order is otherwise kept. */
export function worstFirst(causes: readonly Cause[]): Cause[] {
  return causes.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]);
}

/** A call that resets cluster settings to their defaults, both persistent and transient. */
export function resetClusterSettings(does: string, names: readonly string[]): RemedyCall {
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  return { does, method: 'PUT', path: '/_cluster/settings', body: { persistent: nulls, transient: nulls } };
}

/**
 * Encodes a name for a path. A lone surrogate in a name, which no path can contain, becomes a replacement character.
 */
export const inPath = (name: string): string => encodeURIComponent(Buffer.from(name).toString());

/** A call that changes settings of an index; null resets a setting to its default. */
export function indexSettings(does: string, index: string, settings: Readonly<Record<string, unknown>>): RemedyCall {
  return { does, method: 'PUT', path: `/${inPath(index)}/_settings`, body: settings };
}
