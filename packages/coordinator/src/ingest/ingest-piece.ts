import type { ApiError } from '@shoal/errors';
import type { FailedAt, IngestedItem, IngestItem, PipelineNames } from '@shoal/ingest';
import { isHugeSource } from '@shoal/json';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { documentValuesMax, hasTooManyValues } from '../bulk/document-values.js';
import type { VersionType, WriteOperation } from '../bulk/write-request.js';
import { NO_PIPELINES, pipelineName, pipelinesOfIndex } from './resolve-pipelines.js';
import { runPipelines } from './run-pipelines.js';
import { upsertOf, withUpsert } from './upsert-document.js';

/** Result of the pipelines of one operation of a piece. */
export type IngestedOperation =
  | { readonly kind: 'write'; readonly operation: WriteOperation }
  | { readonly kind: 'dropped'; readonly operation: WriteOperation }
  | FailedIngest;

/** An operation whose document its pipelines refused, or could not be run on. */
export interface FailedIngest {
  readonly kind: 'failed';
  readonly operation: WriteOperation;
  readonly error: ApiError;
  readonly at: FailedAt | null;
}

/** Results of the pipelines of a piece of a bulk. */
export interface IngestedPiece {
  /** By position in the piece; only those of operations with pipelines. */
  readonly results: ReadonlyMap<number, IngestedOperation>;
  readonly tookMs: number;
  /** Frees the bytes by which operations grew; to be called when the piece is answered. */
  readonly release: () => void;
}

/** An operation whose document has pipelines, and its position in the piece. */
export interface PlannedDocument {
  readonly position: number;
  readonly operation: WriteOperation;
  readonly item: IngestItem;
}

/**
 * Runs the pipelines of a piece of a bulk, before its indices are created and its operations routed: pipelines may
 * change index, id and routing.
 */
export async function ingestPiece(
  context: CoordinatorContext,
  planned: readonly PlannedDocument[],
  call: CallContext,
): Promise<IngestedPiece> {
  const startedMs = context.clock.monotonic();
  const items = planned.map(({ item }) => item);
  if (items.some(({ source }) => isHugeSource(source.length))) await context.clock.yield();
  const ingested = await runPipelines(context, items, call);
  const results = new Map<number, IngestedOperation>();
  planned.forEach(({ position, operation }, i) => results.set(position, ingestedOperation(operation, ingested[i]!)));
  const release = chargeGrowth(context, planned, results);
  return { results, tookMs: Math.round(context.clock.monotonic() - startedMs), release };
}

/** Returns the results of a piece whose pipelines could not be run. */
export function failedPiece(planned: readonly PlannedDocument[], error: ApiError): IngestedPiece {
  const results = planned.map(
    ({ position, operation }) => [position, { kind: 'failed', operation, error, at: null }] as const,
  );
  return { results: new Map(results), tookMs: 0, release: () => undefined };
}

/**
 * Charges the bytes by which pipelines made operations larger. If there is no room for them, the operations that grew
 * fail with the error (429); the others are written.
 */
function chargeGrowth(
  context: CoordinatorContext,
  planned: readonly PlannedDocument[],
  results: Map<number, IngestedOperation>,
): () => void {
  const grown: PlannedDocument[] = [];
  let bytes = 0;
  for (const one of planned) {
    const result = results.get(one.position)!;
    const growth = result.operation.source.length - one.operation.source.length;
    if (growth <= 0) continue;
    grown.push(one);
    bytes += growth;
  }
  if (bytes === 0) return () => undefined;
  try {
    return context.takeWrite(bytes);
  } catch (thrown) {
    const error = context.apiError(thrown);
    for (const { position, operation } of grown) results.set(position, { kind: 'failed', operation, error, at: null });
    return () => undefined;
  }
}

/** Returns the documents of a piece that have pipelines, after one look at each operation. */
export function planPipelines(
  { cluster, clock }: CoordinatorContext,
  operations: readonly WriteOperation[],
): PlannedDocument[] {
  const state = cluster.state();
  const nowMs = clock.now();
  const planned: PlannedDocument[] = [];
  const valuesMax = documentValuesMax(state);
  const byIndex = new Map<string, PipelineNames>();
  let lastName: string | null = null;
  let ofIndex = NO_PIPELINES;
  for (let position = 0; position < operations.length; position++) {
    const operation = operations[position]!;
    if (operation.index !== lastName) {
      lastName = operation.index;
      const known = byIndex.get(lastName);
      ofIndex = known ?? pipelinesOfIndex(state, lastName, nowMs);
      if (known === undefined) byIndex.set(lastName, ofIndex);
    }
    if (operation.op === 'delete' || (operation.pipeline === null && ofIndex === NO_PIPELINES)) continue;
    // Refused when its shard is looked for.
    if (hasTooManyValues(operation, valuesMax)) continue;
    const item = itemOf(operation, ofIndex);
    if (item !== null) planned.push({ position, operation, item });
  }
  return planned;
}

/** Makes the document of an operation with its pipelines; null if it has none of either. */
function itemOf(operation: WriteOperation, ofIndex: PipelineNames): IngestItem | null {
  const upsert = operation.op === 'update' ? upsertOf(operation.source) : null;
  if (operation.op === 'update' && upsert === null) return null;
  // A document of `doc_as_upsert` runs through the pipelines of the index only, as in 8.12.
  const asked = upsert?.isPartial ? null : operation.pipeline;
  const first = asked === null ? ofIndex.first : pipelineName(asked);
  if (first === null && ofIndex.final === null) return null;
  return {
    source: upsert?.bytes ?? operation.source,
    pipelines: { first, final: ofIndex.final },
    index: operation.index,
    id: operation.id,
    routing: operation.routing,
    version: operation.version,
    versionType: operation.versionType,
    ifSeqNo: operation.ifSeqNo,
    ifPrimaryTerm: operation.ifPrimaryTerm,
    dynamicTemplates: operation.dynamicTemplates,
  };
}

function ingestedOperation(operation: WriteOperation, result: IngestedItem): IngestedOperation {
  if (result.kind === 'failed') return { kind: 'failed', operation, error: result.error, at: result.at };
  if (result.kind === 'dropped') return { kind: 'dropped', operation };
  if (operation.op === 'update')
    return { kind: 'write', operation: { ...operation, source: withUpsert(operation.source, result.source) } };
  const { target, source, executed } = result;
  return {
    kind: 'write',
    operation: {
      ...operation,
      ...target,
      versionType: target.versionType as VersionType,
      source,
      executedPipelines: operation.executedPipelines === null ? null : executed,
    },
  };
}
