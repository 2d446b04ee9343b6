import { checkAutoCreate, compositionFor } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { parseJson } from '@shoal/json';
import { type Mapping, type MappingOptions, mergeMappings, parseDocument } from '@shoal/mapping';
import { type ClusterState, type IndexMetadata, resolveDateMath } from '@shoal/state';
import {
  indexToCreate,
  isRefused,
  mayWrite,
  rightsOf,
  routeOperation,
  type RoutedWrite,
} from '../bulk/resolve-operation.js';
import type { WriteOperation, WriteOptions } from '../bulk/write-request.js';
import { foreseeUpdate } from '../bulk/write.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { ownCall } from '../enrich/execute-policy.js';
import { get } from '../get/get.js';
import { plainGet } from '../get/plain-get.js';
import { ingestPiece, planPipelines } from '../ingest/ingest-piece.js';
import { RefusedDocument } from './refusal.js';
import { failedReplay, type Replayed } from './replayed.js';

/** The thread is yielded after so many milliseconds of parsing. */
const SLICE_MS = 8;

/** A mapping that grows by the new fields of the documents before. */
interface GrowingMapping {
  mapping: Mapping;
  readonly options: MappingOptions;
}

/**
 * Says what would become of documents if they were written now, one after another: it runs their pipelines, looks for
 * their indices, rights and versions and parses them by the mapping as it would be then. Writes nothing.
 */
export class Foresight {
  readonly #context: CoordinatorContext;
  readonly #options: WriteOptions;
  readonly #call: CallContext;
  /** By the index's id, or the name of one that would be created. */
  readonly #mappings = new Map<string, GrowingMapping>();
  /** Documents that would have been written, as `index/id`. */
  readonly #written = new Set<string>();
  #sliceEndMs = 0;

  constructor(context: CoordinatorContext, options: WriteOptions, call: CallContext) {
    this.#context = context;
    this.#options = options;
    this.#call = call;
  }

  async of(operations: readonly WriteOperation[]): Promise<Replayed[]> {
    const outcomes: Replayed[] = [];
    for (const operation of operations) {
      try {
        outcomes.push(await this.#one(operation));
      } catch (thrown) {
        if (thrown instanceof RefusedDocument) outcomes.push(failedReplay(thrown.error, thrown));
        else outcomes.push(failedReplay(this.#context.apiError(thrown)));
      }
    }
    return outcomes;
  }

  async #one(operation: WriteOperation): Promise<Replayed> {
    if (operation.op !== 'update') return await this.#document(operation);
    const next = await foreseeUpdate(this.#context, { ...this.#options, operation }, this.#call);
    return next === null ? { result: 'noop', index: operation.index } : await this.#document(next);
  }

  async #document(operation: WriteOperation): Promise<Replayed> {
    const left = await this.#ingested(operation);
    if (left === null) return { result: 'noop', index: operation.index };
    const { clock } = this.#context;
    const state = this.#context.cluster.state();
    const rights = rightsOf(this.#call, false);
    const nowMs = clock.now();
    const name = indexToCreate(state, left, nowMs);
    if (name !== null && (rights === null || mayWrite(this.#context, left, rights))) return this.#inNew(state, left);
    const write = routeOperation(state, left, this.#context, nowMs, rights);
    if (isRefused(write)) throw write.error;
    const { index, id } = write;
    this.#parse(this.#mappingOf(index), left, id);
    const result = await this.#versioned(write);
    this.#written.add(`${index.uuid}/${id}`);
    await this.#yieldInTurn();
    return { result, index: index.name };
  }

  /** Returns the write as its pipelines leave it; null if they drop it. Throws what they refuse it with. */
  async #ingested(operation: WriteOperation): Promise<WriteOperation | null> {
    const planned = planPipelines(this.#context, [operation]);
    if (planned.length === 0) return operation;
    const { results, release } = await ingestPiece(this.#context, planned, this.#call);
    release();
    const result = results.get(0)!;
    if (result.kind === 'failed') throw new RefusedDocument(result.error, 'pipeline', result.at, operation.index);
    return result.kind === 'dropped' ? null : result.operation;
  }

  /** A document of an index that its first document would create. */
  #inNew(state: ClusterState, operation: WriteOperation): Replayed {
    const name = resolveDateMath(operation.index, this.#context.clock.now());
    checkAutoCreate(state, name);
    let growing = this.#mappings.get(name);
    if (growing === undefined) {
      const { settings, mappings } = compositionFor(state, name, false);
      const service = this.#context.mappings;
      const options = service.options(settings);
      const merged = (mapping: Mapping, own: Readonly<Record<string, unknown>>): Mapping =>
        service.merge(mapping, own, options, 'template');
      growing = { mapping: mappings.reduce(merged, service.parse({}, options)), options };
      this.#mappings.set(name, growing);
    }
    const key = `${name}/${operation.id}`;
    const isThere = this.#written.has(key);
    if (isThere && operation.op === 'create')
      throw errors.versionConflict(
        `[${operation.id}]: version conflict, document already exists (current version [1])`,
      );
    this.#parse(growing, operation, operation.id!);
    this.#written.add(key);
    return { result: isThere ? 'updated' : 'created', index: name };
  }

  #mappingOf(index: IndexMetadata): GrowingMapping {
    const known = this.#mappings.get(index.uuid);
    if (known !== undefined) return known;
    const { mapping, options } = this.#context.mappings.current(index);
    const growing = { mapping, options };
    this.#mappings.set(index.uuid, growing);
    return growing;
  }

  #parse(growing: GrowingMapping, { source, dynamicTemplates, index }: WriteOperation, id: string): void {
    const document = { id, nowMs: this.#context.clock.now() };
    const named = dynamicTemplates === null ? document : { ...document, dynamicTemplates: texts(dynamicTemplates) };
    try {
      const { dynamicUpdate } = parseDocument(growing.mapping, source, named, growing.options);
      if (dynamicUpdate !== null)
        growing.mapping = mergeMappings(growing.mapping, dynamicUpdate, growing.options, 'dynamic');
    } catch (thrown) {
      throw new RefusedDocument(this.#context.apiError(thrown), 'mapping', null, index);
    }
  }

  /** Whether the write would make or replace its document. Throws its version conflict. */
  async #versioned({ operation, index, id, routing }: RoutedWrite): Promise<'created' | 'updated'> {
    const request = { ...plainGet(index.name, id), routing, source: false };
    const { chunks } = await get(this.#context, request, ownCall(this.#call.signal));
    const found = parseJson(Buffer.concat(chunks)) as FoundDocument;
    const isThere = found.found || this.#written.has(`${index.uuid}/${id}`);
    const conflict = conflictOf(operation, found, isThere);
    if (conflict === null) return isThere ? 'updated' : 'created';
    throw errors.versionConflict(`[${id}]: version conflict, ${conflict}`, {
      meta: { index_uuid: index.uuid, index: index.name },
    });
  }

  async #yieldInTurn(): Promise<void> {
    const { clock } = this.#context;
    if (clock.monotonic() < this.#sliceEndMs) return;
    await clock.yield();
    this.#sliceEndMs = clock.monotonic() + SLICE_MS;
  }
}

interface FoundDocument {
  readonly found: boolean;
  readonly _version?: number;
  readonly _seq_no?: number;
  readonly _primary_term?: number;
}

const texts = (templates: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(templates).map(([path, name]) => [path, String(name)]));

/** Why the version of a document does not allow a write; null if it does. Source: `conflictOf` of the shard. */
function conflictOf(
  { op, versionType, version, ifSeqNo, ifPrimaryTerm }: WriteOperation,
  found: FoundDocument,
  isThere: boolean,
): string | null {
  const current = found._version ?? 1;
  if (ifSeqNo !== null) {
    const required = `required seqNo [${ifSeqNo}], primary term [${ifPrimaryTerm ?? 0}]`;
    if (!found.found) return `${required}. but no document was found`;
    if (found._seq_no === ifSeqNo && found._primary_term === ifPrimaryTerm) return null;
    return `${required}. current document has seqNo [${found._seq_no}] and primary term [${found._primary_term}]`;
  }
  if (op === 'create' && isThere) return `document already exists (current version [${current}])`;
  if (!isThere || versionType === 'internal') return null;
  const provided = version ?? 0;
  if (versionType === 'external' && current >= provided)
    return `current version [${current}] is higher or equal to the one provided [${provided}]`;
  return current > provided ? `current version [${current}] is higher than the one provided [${provided}]` : null;
}
