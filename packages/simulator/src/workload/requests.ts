import { type IndexMetadata, OPEN_ONLY, routeDocument } from '@shoal/state';
import type { CallContext, GetDocumentRequest, SearchRequest, WriteOperation } from '@shoal/coordinator';
import { isApiError } from '@shoal/errors';
import type { AssembledNode } from '@shoal/node';
import type { SimulatedNode } from '../cluster/simulated-node.js';
import type { World } from '../cluster/world.js';
import type { WriteRecord } from '../check/document-history.js';
import type { PlannedWrite } from '../plan/plan.js';
import { REPOSITORY } from '../cluster/repository.js';
import { Ageing } from './ageing.js';
import { callOf, type Entering, entering } from './enter.js';
import { Jobs } from './jobs.js';

const TIMEOUT_MS = 10_000;
/** Returns the name of a workload index. */
export const indexName = (index: number): string => `i${index}`;
/** Whether an index belongs to the workload; other indices are created by nodes and checks. */
export const isWorkload = ({ name }: IndexMetadata): boolean => /^i\d+$/.test(name);
/** Returns the id of a workload document. */
export const docName = (doc: number): string => `d${doc}`;
const OPTIONS = { refresh: 'none', timeoutMs: TIMEOUT_MS, waitForActiveShards: null } as const;

const ANY_KEY = { ids: null, name: null, username: null, realmName: null, activeOnly: false };

interface ItemAnswer {
  readonly _seq_no: number;
  readonly _primary_term: number;
  readonly _version: number;
  readonly result: string;
}

interface SearchAnswer {
  readonly timed_out: boolean;
  readonly _shards: { readonly total: number; readonly successful: number; readonly failed: number };
  readonly hits: { readonly hits: readonly { readonly _id: string; readonly _seq_no: number }[] };
}

/** Version of a document that clients saw last. */
export interface Seen {
  readonly seqNo: number;
  readonly term: number;
}

interface BegunWrite {
  readonly record: WriteRecord;
  readonly operation: WriteOperation;
  readonly indexUuid: string;
  readonly shard: number;
  /** Version of the state in which the index name was resolved. */
  readonly since: number;
}

/** Parses the JSON of an answer in chunks. */
export const jsonOf = (chunks: readonly Uint8Array[]): unknown => JSON.parse(Buffer.concat(chunks).toString('utf8'));

/** Clients of the cluster: they write, read, and record the answers in the histories. */
export class Requests {
  readonly #world: World;
  readonly jobs: Jobs;
  readonly ageing: Ageing;
  readonly #seen = new Map<string, Seen>();
  /** Requests that have no answer yet. */
  readonly pending = new Set<string>();
  #count = 0;
  readonly outcomes = { acked: 0, failed: 0, reads: 0, failedReads: 0 };
  readonly failures = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    this.jobs = new Jobs(world);
    this.ageing = new Ageing(world);
  }

  write(node: SimulatedNode, writes: readonly PlannedWrite[]): void {
    const running = node.running!;
    const begun = writes.flatMap((write) => this.#begin(running, write) ?? []);
    if (begun.length === 0) return;
    this.#track(node, 'write', async () => {
      if (begun.length === 1) await this.#single(running, begun[0]!);
      else await this.#bulk(running, begun);
    });
  }

  get(node: SimulatedNode, index: number, doc: number): void {
    const running = node.running!;
    const meta = uuidOf(running, index);
    if (meta === null) return;
    this.#track(node, 'get', async () => {
      const answer = await this.#enter(running, { kind: 'get', bodyBytes: 0 }, (call) =>
        running.coordinator.get(getOf(index, doc), call),
      );
      const { found, _seq_no, _primary_term } = jsonOf(answer.chunks) as {
        found: boolean;
        _seq_no: number;
        _primary_term: number;
      };
      if (found) this.#seen.set(`${meta}/${docName(doc)}`, { seqNo: _seq_no, term: _primary_term });
      this.outcomes.reads++;
    });
  }

  search(node: SimulatedNode, index: number): void {
    const running = node.running!;
    this.#track(node, 'search', async () => {
      const { refreshes, documents, copies } = this.#world;
      const state = running.cluster.state();
      const uuid = uuidOf(running, index);
      const begun = uuid === null ? null : refreshes.begin(uuid, state.version);
      const { chunks } = await this.#enter(running, { kind: 'search', bodyBytes: 0 }, (call) =>
        running.coordinator.search(searchOf(indexName(index)), call),
      );
      const answer = jsonOf(chunks) as SearchAnswer;
      this.outcomes.reads++;
      const isWhole =
        answer._shards.failed === 0 && answer._shards.successful === answer._shards.total && !answer.timed_out;
      // The name may now belong to another index. Losses of damaged copies are checked elsewhere.
      if (
        uuid === null ||
        begun === null ||
        !isWhole ||
        uuidOf(running, index) !== uuid ||
        copies.wasDamagedAnywhere(uuid)
      )
        return;
      refreshes.found(
        begun,
        answer.hits.hits.map(({ _id, _seq_no }) => ({ place: `${uuid}/${_id}`, seqNo: _seq_no })),
        (key) => documents.mayBeGone(key),
      );
    });
  }

  /** Refreshes an index: later searches must see the writes acknowledged before. */
  refresh(node: SimulatedNode, index: number): void {
    const running = node.running!;
    const meta = metaOf(running, index);
    if (!meta) return;
    this.#track(node, 'refresh', async () => {
      const { refreshes, documents, coordination } = this.#world;
      const writes = documents.newestAnswered(meta.uuid);
      const { failed, shards } = await running.coordinator.refresh([meta]);
      const isWhole = failed === 0 && shards.filter(({ primary }) => primary).length === meta.numberOfShards;
      if (isWhole) refreshes.refreshed(meta.uuid, { version: coordination.committedVersion, writes });
    });
  }

  /** Runs an action on all shards of an index. */
  broadcast(node: SimulatedNode, index: number, action: 'flush'): void {
    const running = node.running!;
    const meta = metaOf(running, index);
    if (meta) this.#track(node, action, async () => void (await running.coordinator.broadcast([meta], action, {})));
  }

  /** Takes a snapshot of an index, which must contain the writes acknowledged before. */
  snapshot(node: SimulatedNode, index: number): void {
    const running = node.running!;
    const meta = metaOf(running, index);
    if (!meta) return;
    const { documents, snapshots, copies } = this.#world;
    const name = snapshots.newName();
    const writes = documents.newestAnswered(meta.uuid);
    this.#track(node, 'snapshot', async () => {
      const request = { name, indices: [meta], includeGlobalState: false, partial: false, metadata: null };
      const info = await this.#enter(running, { kind: 'management', bodyBytes: 0 }, () =>
        running.snapshots.create(REPOSITORY, request, true),
      );
      // Losses of damaged copies are checked elsewhere.
      if (info?.state === 'SUCCESS' && !copies.wasDamagedAnywhere(meta.uuid))
        snapshots.taken.push({ name, indexUuid: meta.uuid, writes });
    });
  }

  /** Creates an API key of `elastic`. */
  createKey(node: SimulatedNode): void {
    const running = node.running!;
    const { keys } = this.#world;
    const request = { name: 'key', lifetimeMs: null, roles: [], metadata: {}, visible: 'now' } as const;
    this.#track(node, 'createKey', async () => {
      const made = await this.#enter(running, { kind: 'management', bodyBytes: 0 }, ({ subject }) =>
        running.security!.apiKeys.create(request, subject.authentication!),
      );
      keys.issued(String(made['id']), String(made['encoded']));
    });
  }

  /** Invalidates an API key. After the answer no node may accept the key, once it has read it again. */
  invalidateKey(node: SimulatedNode, which: number): void {
    const running = node.running!;
    const key = this.#world.keys.choose(which);
    if (key === null) return;
    if (key.validity === 'valid') key.validity = 'asked';
    this.#track(node, 'invalidateKey', async () => {
      const answer = await this.#enter(running, { kind: 'management', bodyBytes: 0 }, () =>
        running.security!.apiKeys.invalidate({ ...ANY_KEY, ids: [key.id] }),
      );
      const told = [answer['invalidated_api_keys'], answer['previously_invalidated_api_keys']] as string[][];
      if (told.flat().includes(key.id)) key.validity = 'invalid';
    });
  }

  /** Submits a task to the master. */
  task(node: SimulatedNode, task: string, body: unknown): void {
    const running = node.running!;
    const since = this.#world.coordination.newest?.version ?? 0;
    this.#track(node, task, async () => {
      const answer = (await running.cluster.submit(task, body, {
        timeoutMs: TIMEOUT_MS,
        masterTimeoutMs: TIMEOUT_MS,
      })) as { acknowledged?: boolean } | null;
      if (task === 'create-index' && answer?.acknowledged === true)
        this.#world.acknowledged((body as { name: string }).name, since);
    });
  }

  /** Runs a request through authentication and limits, in runs whose nodes have them. */
  #enter<T>(running: AssembledNode, request: Entering, work: (call: CallContext) => Promise<T>): Promise<T> {
    return this.#world.plan.nodeParts ? entering(running, request, work) : work(callOf());
  }

  /** Runs a request in an event of the node's process. If the process dies, its answer never arrives. */
  #track(node: SimulatedNode, what: string, work: () => Promise<void>): void {
    const { loop } = this.#world;
    const { gate, session } = node.process!;
    const key = `${session}/${what}/${this.#count++}`;
    this.pending.add(key);
    loop.at(loop.now, gate, () => {
      work().then(
        () => void this.pending.delete(key),
        (error: unknown) => {
          this.pending.delete(key);
          this.#failed(what, error);
        },
      );
    });
  }

  #failed(what: string, error: unknown): void {
    const type = isApiError(error) ? error.type : 'no ApiError';
    this.failures.set(`${what}: ${type}`, (this.failures.get(`${what}: ${type}`) ?? 0) + 1);
    this.outcomes.failedReads++;
    if (!isApiError(error))
      this.#world.violate('exception', `${what}: ${error instanceof Error ? error.stack : String(error)}`);
  }

  #begin(running: AssembledNode, { op, index, doc, conditional }: PlannedWrite): BegunWrite | null {
    const meta = metaOf(running, index);
    if (!meta) return null;
    const id = docName(doc);
    const place = `${meta.uuid}/${id}`;
    const seen = conditional ? this.#seen.get(place) : undefined;
    const record = this.#world.documents.begin(
      op,
      { place, document: `${meta.name}/${id}` },
      this.#world.loop.now,
      seen?.seqNo ?? null,
    );
    const value = { v: record.opId, t: `w${record.opId % 7}` };
    const source =
      op === 'delete'
        ? ''
        : JSON.stringify(op === 'update' ? { doc: value, ...(seen ? {} : { doc_as_upsert: true }) } : value);
    const operation: WriteOperation = {
      op,
      index: indexName(index),
      id,
      routing: null,
      requireAlias: false,
      pipeline: null,
      version: null,
      versionType: 'internal',
      ifSeqNo: seen?.seqNo ?? null,
      ifPrimaryTerm: seen?.term ?? null,
      retryOnConflict: 0,
      source: Buffer.from(source),
      updateSource: null,
      dynamicTemplates: null,
      executedPipelines: null,
    };
    return {
      record,
      operation,
      indexUuid: meta.uuid,
      shard: routeDocument(meta, id, null),
      since: running.cluster.state().version,
    };
  }

  async #single(running: AssembledNode, begun: BegunWrite): Promise<void> {
    try {
      const answer = await this.#enter(running, { kind: 'write', bodyBytes: begun.operation.source.length }, (call) =>
        running.coordinator.write({ ...OPTIONS, operation: begun.operation }, call),
      );
      this.#acked(begun, jsonOf(answer.chunks) as ItemAnswer);
    } catch (error) {
      this.#refused(begun, error);
    }
  }

  async #bulk(running: AssembledNode, begun: readonly BegunWrite[]): Promise<void> {
    const request = {
      ...OPTIONS,
      body: Buffer.from(begun.map(bulkLines).join('')),
      index: null,
      routing: null,
      pipeline: null,
      requireAlias: null,
      updateSource: null,
      listsPipelines: false,
      allowType: false,
    };
    try {
      const answer = await this.#enter(running, { kind: 'write', bodyBytes: request.body.length }, (call) =>
        running.coordinator.bulk(request, call),
      );
      const { items } = jsonOf(answer.chunks) as { items: Record<string, ItemAnswer & { error?: { type: string } }>[] };
      items.forEach((item, i) => {
        const [result] = Object.values(item);
        if (result!.error) this.#refused(begun[i]!, result!.error);
        else this.#acked(begun[i]!, result!);
      });
    } catch (error) {
      for (const one of begun) this.#refused(one, error);
    }
  }

  /** Whether another index got the name while the write ran: then it is unknown which index an answer is about. */
  #isAmbiguous({ operation, since }: BegunWrite): boolean {
    this.#world.look();
    return this.#world.coordination.wasCreatedAfter(operation.index, since);
  }

  #acked(begun: BegunWrite, answer: ItemAnswer): void {
    const { record, indexUuid, shard } = begun;
    const { documents, loop } = this.#world;
    this.outcomes.acked++;
    if (this.#isAmbiguous(begun)) return documents.failed(record, loop.now);
    documents.acked(
      record,
      { seqNo: answer._seq_no, term: answer._primary_term, version: answer._version, result: answer.result },
      `${indexUuid}/${shard}`,
      loop.now,
    );
    if (answer.result === 'noop' || answer._seq_no < 0) return;
    this.#world.answered(indexUuid, shard, answer._seq_no, `write #${record.opId}`);
    this.#seen.set(record.place, { seqNo: answer._seq_no, term: answer._primary_term });
    loop.trace(answer._seq_no);
  }

  #refused(begun: BegunWrite, error: unknown): void {
    const { record } = begun;
    this.outcomes.failed++;
    const type = (error as { type?: string }).type ?? 'no ApiError';
    if (type === 'version_conflict_engine_exception' && !this.#isAmbiguous(begun))
      this.#world.documents.refused(record, this.#world.loop.now);
    else this.#world.documents.failed(record, this.#world.loop.now);
    this.failures.set(`write: ${type}`, (this.failures.get(`write: ${type}`) ?? 0) + 1);
    if (type === 'no ApiError')
      this.#world.violate('exception', `write: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

function metaOf(running: AssembledNode, index: number): IndexMetadata | null {
  return [...running.cluster.state().indices.values()].find(({ name }) => name === indexName(index)) ?? null;
}

const uuidOf = (running: AssembledNode, index: number): string | null => metaOf(running, index)?.uuid ?? null;

function bulkLines({ operation }: BegunWrite): string {
  const { op, index, id, ifSeqNo, ifPrimaryTerm, source } = operation;
  const condition = ifSeqNo === null ? {} : { if_seq_no: ifSeqNo, if_primary_term: ifPrimaryTerm };
  const action = JSON.stringify({ [op]: { _index: index, _id: id, ...condition } });
  return op === 'delete' ? `${action}\n` : `${action}\n${Buffer.from(source).toString('utf8')}\n`;
}

function getOf(index: number, doc: number): GetDocumentRequest {
  return {
    index: indexName(index),
    id: docName(doc),
    routing: null,
    source: true,
    storedFields: null,
    version: null,
    versionType: 'internal',
    realtime: true,
    refresh: false,
    preference: null,
    bareSource: false,
  };
}

/** Returns a search for all documents of an index. */
export function searchOf(name: string): SearchRequest {
  return {
    target: { names: [name], options: OPEN_ONLY },
    namedIndicesOptions: false,
    body: Buffer.from(JSON.stringify({ size: 1000, query: { match_all: {} }, seq_no_primary_term: true })),
    overrides: {},
    searchType: 'query_then_fetch',
    routing: null,
    preference: null,
    typedKeys: false,
    totalHitsAsInt: false,
    scrollMs: null,
    allowPartialResults: null,
    requestCache: null,
    maxConcurrentShardRequests: 5,
    includeNamedQueriesScore: false,
  };
}
