import { clusterCall } from '../../request/own-call.js';
import { clock } from '../../state/browser-clock.js';
import { type ClusterName, KeptNames } from './kept-names.js';

const VALUES_MAX = 50;
/** Names that completions ask the cluster for; kept for 30 s. What cannot be read is empty. */
export class ClusterNames {
  readonly #kept = new KeptNames(() => clock.monotonic());

  /** Indices, aliases and data streams. */
  indices(): Promise<readonly ClusterName[]> {
    return this.#kept.get('indices', async () => {
      const json = await readJson('/_resolve/index/*?expand_wildcards=open');
      if (json === null) return null;
      const found = json as Record<string, readonly { name?: string }[] | undefined>;
      return KINDS.flatMap(([kind, detail]) => (found[kind] ?? []).map(({ name = '' }) => ({ name, detail })));
    });
  }

  /** Fields of the index or pattern of a request, of all if it names none. */
  fields(index: string | null): Promise<readonly ClusterName[]> {
    return this.#kept.get(`fields ${index ?? '*'}`, async () => {
      const target = encodeURIComponent(index ?? '*')
        .replaceAll('%2C', ',')
        .replaceAll('%2A', '*');
      const path = `/${target}/_field_caps?fields=*&filters=-metadata&ignore_unavailable=true`;
      const json = await readJson(path);
      if (json === null) return null;
      const fields = (json as { fields?: Record<string, Record<string, unknown>> }).fields ?? {};
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
}

/** Returns the answer of a call; null if the cluster refuses it or is away. */
async function readJson(path: string): Promise<object | null> {
  const { status, json } = await clusterCall('GET', path, { isPolling: true });
  return status === 200 && typeof json === 'object' ? json : null;
}

const KINDS = [
  ['indices', 'index'],
  ['aliases', 'alias'],
  ['data_streams', 'data stream'],
] as const;
