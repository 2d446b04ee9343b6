import type { ClusterAnswer, ClusterClient } from '../cluster/cluster-client.js';
import { jsonOf, reasonOf } from '../cluster/readiness.js';
import type { DashboardSettings } from '../settings/load-settings.js';

/** A session as it is kept: without its cookie nobody opens what is sealed. Times in milliseconds since 1970. */
export interface SessionRecord {
  readonly username: string;
  readonly sealed: Buffer;
  readonly createdAtMs: number;
  usedAtMs: number;
}

/** Records of sessions that several dashboards share, and that outlive each of them. */
export interface SessionRecords {
  write(id: string, record: SessionRecord): Promise<void>;
  /** Null for none. */
  read(id: string): Promise<SessionRecord | null>;
  remove(ids: readonly string[]): Promise<void>;
  /** Ids of the sessions of a user, oldest first. */
  ofUser(username: string): Promise<readonly string[]>;
  /** Notes when sessions were used; returns those that are there, with their last use by any dashboard. */
  noteUse(uses: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number>>;
  /** Deletes records that were made, or last used, before a time. */
  sweep(createdBeforeMs: number, usedBeforeMs: number): Promise<void>;
}

/** Index of the records: hidden, and restricted to the dashboard's own user. */
const INDEX = '.shoal-dashboards-sessions';
const INDEX_BODY = {
  settings: { number_of_shards: 1, auto_expand_replicas: '0-1', 'index.hidden': true },
  mappings: {
    dynamic: false,
    properties: { username: { type: 'keyword' }, created_at: { type: 'date' }, used_at: { type: 'date' } },
  },
} as const;
/** Sessions of a user that are looked at. */
const OF_USER_MAX = 1_000;
/** Records of one call. */
const BATCH = 1_000;

interface Source {
  readonly username: string;
  readonly sealed: string;
  readonly created_at: number;
  readonly used_at: number;
}

/** A record of an answer to `_mget`; without a source there is none. */
interface Kept {
  readonly _id: string;
  readonly _source?: { readonly used_at: number };
}

const sourceOf = ({ username, sealed, createdAtMs, usedAtMs }: SessionRecord): Source => ({
  username,
  sealed: sealed.toString('base64'),
  created_at: createdAtMs,
  used_at: usedAtMs,
});

const recordOf = ({ username, sealed, created_at: createdAtMs, used_at: usedAtMs }: Source): SessionRecord => ({
  username,
  sealed: Buffer.from(sealed, 'base64'),
  createdAtMs,
  usedAtMs,
});

/** Records in the cluster, read and written as the dashboard's own user; calls that fail throw with its reason. */
export function createSessionRecords(
  client: ClusterClient,
  { authorization }: DashboardSettings['cluster'],
): SessionRecords {
  const ask = (method: string, path: string, body?: unknown): Promise<ClusterAnswer> =>
    client.call(method, `/${INDEX}${path}`, { authorization, ...(body === undefined ? {} : { body }) });
  const good = (answer: ClusterAnswer): unknown => {
    if (answer.status > 299) throw new Error(reasonOf(answer));
    return jsonOf(answer);
  };
  const bulk = async (actions: readonly object[]): Promise<unknown> =>
    good(await ask('POST', '/_bulk', Buffer.from(actions.map((one) => `${JSON.stringify(one)}\n`).join(''))));
  const putIndex = async (): Promise<void> => {
    const made = await ask('PUT', '', INDEX_BODY);
    if (made.status > 299 && !reasonOf(made).includes('already exists')) good(made);
  };
  return {
    async write(id, record) {
      if ((await ask('HEAD', '')).status === 404) await putIndex();
      good(await ask('PUT', `/_doc/${id}?refresh=true`, sourceOf(record)));
    },
    async read(id) {
      const answer = await ask('GET', `/_doc/${id}`);
      if (answer.status === 404) return null;
      return recordOf((good(answer) as { readonly _source: Source })._source);
    },
    async remove(ids) {
      if (ids.length === 0) return;
      await bulk(ids.map((id) => ({ delete: { _id: id } })));
    },
    async ofUser(username) {
      const answer = await ask('POST', '/_search?ignore_unavailable=true', {
        ...{ size: OF_USER_MAX, _source: false, query: { term: { username } }, sort: [{ created_at: 'asc' }] },
      });
      const { hits } = good(answer) as { readonly hits: { readonly hits: readonly { readonly _id: string }[] } };
      return hits.hits.map(({ _id: id }) => id);
    },
    async noteUse(uses) {
      const found = new Map<string, number>();
      const all = [...uses];
      for (let from = 0; from < all.length; from += BATCH) {
        const part = all.slice(from, from + BATCH);
        const answer = await ask('POST', '/_mget?_source=used_at', { ids: part.map(([id]) => id) });
        const { docs } = good(answer) as { readonly docs: readonly Kept[] };
        const kept = new Map(
          docs.flatMap(({ _id: id, _source: source }) => (source ? [[id, source.used_at] as const] : [])),
        );
        const later = part.filter(([id, usedAtMs]) => usedAtMs > (kept.get(id) ?? Number.POSITIVE_INFINITY));
        if (later.length > 0)
          await bulk(later.flatMap(([id, used]) => [{ update: { _id: id } }, { doc: { used_at: used } }]));
        for (const [id, usedAtMs] of part) if (kept.has(id)) found.set(id, Math.max(usedAtMs, kept.get(id)!));
      }
      return found;
    },
    async sweep(createdBeforeMs, usedBeforeMs) {
      const should = [{ range: { created_at: { lt: createdBeforeMs } } }, { range: { used_at: { lt: usedBeforeMs } } }];
      const path = '/_delete_by_query?ignore_unavailable=true&conflicts=proceed';
      good(await ask('POST', path, { query: { bool: { should } } }));
    },
  };
}
