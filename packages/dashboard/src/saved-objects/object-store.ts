import { decodeJson, encodeJson } from '@shoal/json';
import type { Clock } from '@shoal/doors';
import type { ClusterAnswer, ClusterClient } from '../cluster/cluster-client.js';
import { reasonOf } from '../cluster/readiness.js';
import type { DashboardSettings } from '../settings/load-settings.js';
import {
  documentId,
  documentPath,
  INDEX_BODY,
  type ObjectHit,
  objectOf,
  OBJECTS_INDEX,
  type ObjectSource,
  sourceOf,
} from './object-document.js';
import {
  checkSize,
  conflict,
  notFound,
  OBJECTS_MAX,
  type ObjectContent,
  type ObjectType,
  readVersion,
  type SavedObject,
  SavedObjectError,
} from './object-types.js';

/** Updates without a version that lose a race are repeated so often. */
const ATTEMPTS_MAX = 5;
/** Objects of a page of an export: with 1 MB each they stay below what the dashboard reads at once. */
const PAGE_SIZE = 12;
/** Bytes of the objects of one bulk. */
const BULK_BYTES_MAX = 5 * 1024 * 1024;

/** A search among saved objects. */
export interface ObjectSearch {
  readonly types: readonly ObjectType[];
  /** Words of the title in the syntax of `simple_query_string`; empty for all. */
  readonly search: string;
  readonly page: number;
  readonly perPage: number;
  readonly sort: { readonly field: 'title' | 'type' | 'updated_at' | 'created_at'; readonly order: 'asc' | 'desc' };
  /** Attributes to answer with; null for all. */
  readonly fields: readonly string[] | null;
}

/** What a bulk did with one object. */
export type BulkOutcome =
  | { readonly kind: 'written' }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly reason: string };

/** An object that is to be written, with the size of its content as JSON. */
export interface NewObject extends ObjectContent {
  readonly type: ObjectType;
  readonly id: string;
}

/** Saved objects in the cluster, read and written as the dashboard's own user. */
export interface SavedObjectStore {
  get(type: ObjectType, id: string): Promise<SavedObject>;
  create(object: NewObject, isOverwrite: boolean): Promise<SavedObject>;
  /** Replaces the attributes that are named, and the references if there are any; a version guards it. */
  update(
    type: ObjectType,
    id: string,
    content: { readonly attributes: ObjectContent['attributes']; readonly references?: ObjectContent['references'] },
    version: string | undefined,
  ): Promise<SavedObject>;
  remove(type: ObjectType, id: string): Promise<void>;
  find(search: ObjectSearch): Promise<{ readonly total: number; readonly objects: readonly SavedObject[] }>;
  /** All objects of some types, a page at a time. */
  pages(types: readonly ObjectType[]): AsyncGenerator<readonly SavedObject[]>;
  writeAll(objects: readonly NewObject[], isOverwrite: boolean): Promise<readonly BulkOutcome[]>;
}

/** Creates the store; the index is made with the first object. */
export function createSavedObjectStore(
  client: ClusterClient,
  { authorization }: DashboardSettings['cluster'],
  clock: Clock,
): SavedObjectStore {
  const ask = (method: string, path: string, body?: unknown): Promise<ClusterAnswer> =>
    client.call(method, path, { authorization, ...(body === undefined ? {} : { body: bytesOf(body) }) });
  const now = (): string => new Date(clock.now()).toISOString();
  const read = async (type: ObjectType, id: string): Promise<ObjectHit> => {
    const answer = await ask('GET', documentPath('_doc', type, id));
    if (answer.status === 404) throw notFound(type, id);
    return goodJson<ObjectHit>(answer);
  };
  const put = async (path: string, source: Required<ObjectSource>): Promise<SavedObject> => {
    const answer = await ask('PUT', path, source);
    if (answer.status === 409) throw conflict(source.type, source.id);
    const { _seq_no, _primary_term } = goodJson<ObjectHit>(answer);
    return objectOf(source, _seq_no, _primary_term);
  };
  const update: SavedObjectStore['update'] = async (type, id, content, version) => {
    for (let attempt = 1; ; attempt++) {
      const { _source: old, _seq_no, _primary_term } = await read(type, id);
      const { seqNo, primaryTerm } =
        version === undefined ? { seqNo: _seq_no, primaryTerm: _primary_term } : readVersion(version);
      const attributes = { ...old.attributes, ...content.attributes };
      const merged = { attributes, references: content.references ?? old.references ?? [] };
      // Changes that are small each must not make an object that is large.
      checkSize(encodeJson(merged).length);
      const source = sourceOf(type, id, merged, now(), old.created_at);
      const path = `${documentPath('_doc', type, id)}?refresh=true&if_seq_no=${seqNo}&if_primary_term=${primaryTerm}`;
      try {
        return await put(path, source);
      } catch (error) {
        const isRace = error instanceof SavedObjectError && error.status === 409 && version === undefined;
        if (!isRace || attempt === ATTEMPTS_MAX) throw error;
      }
    }
  };
  return {
    async get(type, id) {
      const { _source, _seq_no, _primary_term } = await read(type, id);
      return objectOf(_source, _seq_no, _primary_term);
    },
    async create({ type, id, ...content }, isOverwrite) {
      await makeRoom(ask, 1);
      const path = documentPath(isOverwrite ? '_doc' : '_create', type, id);
      return put(`${path}?refresh=true`, sourceOf(type, id, content, now()));
    },
    update,
    async remove(type, id) {
      const answer = await ask('DELETE', `${documentPath('_doc', type, id)}?refresh=true`);
      if (answer.status === 404) throw notFound(type, id);
      goodJson(answer);
    },
    find: (search) => find(ask, search),
    pages: (types) => pages(ask, types),
    async writeAll(objects, isOverwrite) {
      if (objects.length === 0) return [];
      await makeRoom(ask, objects.length);
      const outcomes: BulkOutcome[] = [];
      const action = isOverwrite ? 'index' : 'create';
      for (const lines of bulks(objects.map(({ type, id, ...content }) => bulkLines(action, type, id, content, now()))))
        outcomes.push(...(await bulk(ask, lines)));
      return outcomes;
    },
  };
}

/** JSON of a body; bytes are bulk lines already. */
const bytesOf = (body: unknown): Uint8Array => (body instanceof Uint8Array ? body : encodeJson(body));

type Ask = (method: string, path: string, body?: unknown) => Promise<ClusterAnswer>;

/** The JSON of a good answer. A cluster that refuses the dashboard's own user is not the caller's fault. */
function goodJson<T>(answer: ClusterAnswer): T {
  if (answer.status >= 200 && answer.status < 300) return decodeJson(answer.body) as T;
  const message = `The cluster refuses the dashboard: ${reasonOf(answer)}`;
  throw new SavedObjectError(answer.status === 429 ? 429 : 503, message);
}

/** Makes the index if it is absent, and refuses more objects than a cluster may have. */
async function makeRoom(ask: Ask, more: number): Promise<void> {
  const counted = await ask('GET', `/${OBJECTS_INDEX}/_count`);
  if (counted.status !== 404) {
    if (goodJson<{ count: number }>(counted).count + more > OBJECTS_MAX)
      throw new SavedObjectError(400, `There are too many saved objects: at most ${OBJECTS_MAX} are kept.`);
    return;
  }
  const made = await ask('PUT', `/${OBJECTS_INDEX}`, INDEX_BODY);
  const isThere = made.status === 400 && /resource_already_exists/.test(made.body.toString('utf8'));
  if (!isThere) goodJson(made);
}

interface HitsAnswer {
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly ObjectHit[] };
}

async function find(ask: Ask, { types, search, page, perPage, sort, fields }: ObjectSearch) {
  const field = sort.field === 'title' ? 'title.keyword' : sort.field;
  const answer = await ask('POST', `/${OBJECTS_INDEX}/_search?ignore_unavailable=true`, {
    from: (page - 1) * perPage,
    size: perPage,
    track_total_hits: true,
    seq_no_primary_term: true,
    query: {
      bool: {
        filter: [{ terms: { type: types } }],
        ...(search === ''
          ? {}
          : { must: [{ simple_query_string: { query: search, fields: ['title'], default_operator: 'and' } }] }),
      },
    },
    sort: [{ [field]: { order: sort.order, unmapped_type: 'keyword' } }, { id: 'asc' }],
    ...(fields === null
      ? {}
      : { _source: { excludes: [], includes: [...META, ...fields.map((name) => `attributes.${name}`)] } }),
  });
  const { hits } = goodJson<HitsAnswer>(answer);
  return {
    total: hits.total.value,
    objects: hits.hits.map((hit) => objectOf(hit._source, hit._seq_no, hit._primary_term)),
  };
}

const META = ['type', 'id', 'created_at', 'updated_at', 'references'];

async function* pages(ask: Ask, types: readonly ObjectType[]): AsyncGenerator<readonly SavedObject[]> {
  let after: readonly unknown[] | undefined;
  for (;;) {
    const answer = await ask('POST', `/${OBJECTS_INDEX}/_search?ignore_unavailable=true`, {
      size: PAGE_SIZE,
      track_total_hits: false,
      seq_no_primary_term: true,
      query: { terms: { type: types } },
      sort: [{ type: 'asc' }, { id: 'asc' }],
      ...(after === undefined ? {} : { search_after: after }),
    });
    const { hits } = goodJson<HitsAnswer>(answer).hits;
    if (hits.length > 0) yield hits.map((hit) => objectOf(hit._source, hit._seq_no, hit._primary_term));
    if (hits.length < PAGE_SIZE) return;
    after = hits.at(-1)!.sort!;
  }
}

function bulkLines(action: string, type: ObjectType, id: string, content: ObjectContent, now: string): Buffer {
  const head = encodeJson({ [action]: { _id: documentId(type, id) } });
  return Buffer.concat([head, NEWLINE, encodeJson(sourceOf(type, id, content, now)), NEWLINE]);
}

const NEWLINE = Buffer.from('\n');

/** Groups the lines of objects so that no bulk is too large. */
function bulks(lines: readonly Buffer[]): readonly Buffer[] {
  const groups: Buffer[][] = [[]];
  let size = 0;
  for (const line of lines) {
    if (size + line.length > BULK_BYTES_MAX && size > 0) {
      groups.push([]);
      size = 0;
    }
    groups.at(-1)!.push(line);
    size += line.length;
  }
  return groups.map((group) => Buffer.concat(group));
}

interface BulkAnswer {
  readonly items: readonly Readonly<Record<string, { status: number; error?: { reason?: string } }>>[];
}

async function bulk(ask: Ask, lines: Buffer): Promise<readonly BulkOutcome[]> {
  const { items } = goodJson<BulkAnswer>(await ask('POST', `/${OBJECTS_INDEX}/_bulk?refresh=true`, lines));
  return items.map((item): BulkOutcome => {
    const [{ status, error }] = Object.values(item) as [{ status: number; error?: { reason?: string } }];
    if (status < 300) return { kind: 'written' };
    return status === 409 ? { kind: 'conflict' } : { kind: 'failed', reason: error?.reason ?? `status [${status}]` };
  });
}
