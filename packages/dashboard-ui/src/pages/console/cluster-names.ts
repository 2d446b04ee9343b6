import { clusterCall } from '../../request/own-call.js';
import { clock } from '../../state/browser-clock.js';

/** How long names are kept. */
const KEPT_MS = 30_000;
/** Names of a kind that are offered. */
const NAMES_MAX = 1_000;
const VALUES_MAX = 50;
/** Indices whose fields are kept at once. */
const INDICES_MAX = 20;

/** A name of the cluster and what it is. */
export interface ClusterName {
  readonly name: string;
  readonly detail: string;
}

/** Names that completions ask the cluster for; kept for 30 s. What cannot be read is empty. */
export class ClusterNames {
  readonly #kept = new Map<string, { readonly untilMs: number; readonly names: Promise<readonly ClusterName[]> }>();

  /** Indices, aliases and data streams. */
  indices(): Promise<readonly ClusterName[]> {
    return this.#read('indices', async () => {
      const { json } = await clusterCall('GET', '/_resolve/index/*?expand_wildcards=open', { isPolling: true });
      const found = (json ?? {}) as Record<string, readonly { name?: string }[] | undefined>;
      return KINDS.flatMap(([kind, detail]) => (found[kind] ?? []).map(({ name = '' }) => ({ name, detail })));
    });
  }

  /** Fields of the index or pattern of a request, of all if it names none. */
  fields(index: string | null): Promise<readonly ClusterName[]> {
    return this.#read(`fields ${index ?? '*'}`, async () => {
      const target = encodeURIComponent(index ?? '*')
        .replaceAll('%2C', ',')
        .replaceAll('%2A', '*');
      const path = `/${target}/_field_caps?fields=*&filters=-metadata&ignore_unavailable=true`;
      const { json } = await clusterCall('GET', path, { isPolling: true });
      const fields = ((json ?? {}) as { fields?: Record<string, Record<string, unknown>> }).fields ?? {};
      return Object.entries(fields).map(([name, types]) => ({ name, detail: Object.keys(types).join(', ') }));
    });
  }

  /** Values of a field that begin with a text. */
  async values(index: string, field: string, text: string): Promise<readonly ClusterName[]> {
    const body = { field, string: text, size: VALUES_MAX, case_insensitive: true };
    const { json } = await clusterCall('POST', `/${encodeURIComponent(index)}/_terms_enum`, { body, isPolling: true });
    const { terms = [] } = (json ?? {}) as { terms?: readonly string[] };
    return terms.map((name) => ({ name, detail: field }));
  }

  #read(key: string, read: () => Promise<readonly ClusterName[]>): Promise<readonly ClusterName[]> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.untilMs > clock.monotonic()) return kept.names;
    const names = read().then((all) => all.slice(0, NAMES_MAX));
    this.#kept.delete(key);
    this.#kept.set(key, { untilMs: clock.monotonic() + KEPT_MS, names });
    if (this.#kept.size > INDICES_MAX) this.#kept.delete(this.#kept.keys().next().value!);
    return names;
  }
}

const KINDS = [
  ['indices', 'index'],
  ['aliases', 'alias'],
  ['data_streams', 'data stream'],
] as const;
