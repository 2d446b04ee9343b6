/** How bad it is: data cannot be reached, is not safe or not placed well, cannot be changed, or will be so soon. */
export type Severity = 'red' | 'yellow' | 'blocked' | 'warning';

/** A call that mends something; several are alternatives, the best first. */
export interface Mend {
  /** What it does, and what has to be known before it is made. */
  readonly does: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** One reason why a cluster, index or shard is not well. */
export interface Cause {
  readonly severity: Severity;
  /** `cluster`, `node n1`, `index logs`, `index logs, shard 0 (replica)`. */
  readonly about: string;
  readonly index?: string;
  readonly shards?: readonly string[];
  readonly why: string;
  /** What deciders, breakers or nodes say, word by word. */
  readonly evidence?: readonly string[];
  /** What to do where no call can do it. */
  readonly advice?: string;
  readonly mend: readonly Mend[];
}

const RANK: Readonly<Record<Severity, number>> = { red: 0, blocked: 1, yellow: 2, warning: 3 };

/** The worst first; otherwise in their order. */
export function worstFirst(causes: readonly Cause[]): Cause[] {
  return causes.toSorted((a, b) => RANK[a.severity] - RANK[b.severity]);
}

/** A setting of the cluster goes back to its default, wherever it was set. */
export function resetClusterSettings(does: string, names: readonly string[]): Mend {
  const nulls = Object.fromEntries(names.map((name) => [name, null]));
  return { does, method: 'PUT', path: '/_cluster/settings', body: { persistent: nulls, transient: nulls } };
}

/** A name in a path. Names may have come with halves of surrogate pairs, which no path can say. */
export const inPath = (name: string): string => encodeURIComponent(Buffer.from(name).toString());

/** Settings of an index; null goes back to the default. */
export function indexSettings(does: string, index: string, settings: Readonly<Record<string, unknown>>): Mend {
  return { does, method: 'PUT', path: `/${inPath(index)}/_settings`, body: settings };
}
