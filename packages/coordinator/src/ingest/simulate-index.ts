import { errors, renderCause } from '@shoal/errors';
import { ConfigReader, type IngestedItem, type IngestItem } from '@shoal/ingest';
import { isPlainObject, readSource, readSourceInTurns, stringify } from '@shoal/json';
import { section } from '@shoal/state';
import { validationError } from '../bulk/validate-operation.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { takeTurns } from '../turns.js';
import { ingestUser } from './ingest-user.js';
import { pipelineName, pipelinesOfIndex } from './resolve-pipelines.js';

/** An `_ingest/_simulate` call. */
export interface SimulateIndexRequest {
  /** JSON. */
  readonly body: Uint8Array;
  /** Index of documents that name none; null: they must. */
  readonly index: string | null;
  /** Pipeline to run instead of the default ones; null for those. */
  readonly pipeline: string | null;
}

/** Version of a document that is not written. */
const MATCH_ANY = -3;

/**
 * Runs the pipelines that documents would have if they were indexed, some of them replaced by
 * `pipeline_substitutions`. Writes nothing.
 */
export async function simulateIndex(
  context: CoordinatorContext,
  request: SimulateIndexRequest,
  call: CallContext,
): Promise<Record<string, unknown>> {
  const turns = takeTurns(context.clock, call.signal);
  const turn = async (): Promise<void> => void (await turns.pause());
  const reader = new ConfigReader(null, null, await readSourceInTurns(request.body, turn));
  const state = context.cluster.state();
  const nowMs = context.clock.now();
  const docs = reader.list('docs');
  if (docs.length === 0) throw errors.illegalArgument('must specify at least one document in [docs]');
  const items: IngestItem[] = [];
  for (const doc of docs) {
    const document = documentOf(doc, request.index);
    const ofIndex = pipelinesOfIndex(state, document.index, nowMs);
    const first = request.pipeline === null ? ofIndex.first : pipelineName(request.pipeline);
    items.push({ ...document, pipelines: { first, final: ofIndex.final } });
    await turn();
  }
  const pipelines = { ...section(state, 'pipelines'), ...reader.optionalMap('pipeline_substitutions') };
  const pipelinesOf = (index: string): IngestItem['pipelines'] => pipelinesOfIndex(state, index, nowMs);
  const user = ingestUser(call.subject);
  const results = await context.ingest.rehearse({ pipelines, items, user, pipelinesOf }, call.signal);
  return { docs: results.map((result, i) => ({ doc: resultJson(items[i]!, result) })) };
}

function documentOf(json: unknown, defaultIndex: string | null): Omit<IngestItem, 'pipelines'> {
  if (!isPlainObject(json)) throw errors.illegalArgument('malformed [docs] section, should include an inner object');
  const doc = new ConfigReader(null, null, json);
  const index = doc.optionalString('_index') ?? defaultIndex;
  if (index === null || index === '') throw validationError(['index is missing']);
  return {
    index,
    id: doc.optionalString('_id'),
    source: Buffer.from(stringify(doc.map('_source'))),
    routing: null,
    version: null,
    versionType: 'internal',
    ifSeqNo: null,
    ifPrimaryTerm: null,
    dynamicTemplates: null,
  };
}

function resultJson(item: IngestItem, result: IngestedItem): Record<string, unknown> {
  if (result.kind === 'failed') return { _id: item.id, _index: item.index, error: renderCause(result.error) };
  const { target, executed } = result;
  const head = { _id: target.id ?? '<n/a>', _index: target.index, _version: target.version ?? MATCH_ANY };
  if (result.kind === 'dropped') return { ...head, result: 'noop', executed_pipelines: executed };
  return { ...head, _source: readSource(result.source), executed_pipelines: executed };
}
