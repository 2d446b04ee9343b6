import { errors, renderCause } from '@shoal/errors';
import { ConfigReader, type IngestedItem, type IngestItem } from '@shoal/ingest';
import {
  isHugeSource,
  isPlainObject,
  keepDoublesInTurns,
  readSource,
  readSourceInTurns,
  stringifyInTurns,
} from '@shoal/json';
import { section } from '@shoal/state';
import { validationError } from '../bulk/validate-operation.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { takeTurns } from '../turns.js';
import type { SimulateBody } from './simulate-body.js';
import { ingestUser } from './ingest-user.js';
import { pipelineName, pipelinesOfIndex } from './resolve-pipelines.js';

/** An `_ingest/_simulate` call. */
export interface SimulateIndexRequest {
  readonly body: SimulateBody;
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
  const { parsed, bytes } = request.body;
  await keepDoublesInTurns(parsed, bytes, turn);
  const reader = new ConfigReader(null, null, parsed);
  const state = context.cluster.state();
  const nowMs = context.clock.now();
  const docs = reader.list('docs');
  if (docs.length === 0) throw errors.illegalArgument('must specify at least one document in [docs]');
  const items: IngestItem[] = [];
  for (const doc of docs) {
    const document = await documentOf(doc, request.index, turn);
    const ofIndex = pipelinesOfIndex(state, document.index, nowMs);
    const first = request.pipeline === null ? ofIndex.first : pipelineName(request.pipeline);
    items.push({ ...document, pipelines: { first, final: ofIndex.final } });
    await turn();
  }
  const pipelines = { ...section(state, 'pipelines'), ...reader.optionalMap('pipeline_substitutions') };
  const pipelinesOf = (index: string): IngestItem['pipelines'] => pipelinesOfIndex(state, index, nowMs);
  const user = ingestUser(call.subject);
  const results = await context.ingest.rehearse({ pipelines, items, user, pipelinesOf }, call.signal);
  const shown: Record<string, unknown>[] = [];
  for (const [i, result] of results.entries()) shown.push({ doc: await resultJson(items[i]!, result, turn) });
  return { docs: shown };
}

type Turn = () => Promise<void>;

async function documentOf(
  json: unknown,
  defaultIndex: string | null,
  turn: Turn,
): Promise<Omit<IngestItem, 'pipelines'>> {
  if (!isPlainObject(json)) throw errors.illegalArgument('malformed [docs] section, should include an inner object');
  const doc = new ConfigReader(null, null, json);
  const index = doc.optionalString('_index') ?? defaultIndex;
  if (index === null || index === '') throw validationError(['index is missing']);
  return {
    index,
    id: doc.optionalString('_id'),
    source: Buffer.concat(await stringifyInTurns(doc.map('_source'), turn)),
    routing: null,
    version: null,
    versionType: 'internal',
    ifSeqNo: null,
    ifPrimaryTerm: null,
    dynamicTemplates: null,
  };
}

async function resultJson(item: IngestItem, result: IngestedItem, turn: Turn): Promise<Record<string, unknown>> {
  if (result.kind === 'failed') return { _id: item.id, _index: item.index, error: renderCause(result.error) };
  const { target, executed } = result;
  const head = { _id: target.id ?? '<n/a>', _index: target.index, _version: target.version ?? MATCH_ANY };
  if (result.kind === 'dropped') return { ...head, result: 'noop', executed_pipelines: executed };
  const { source } = result;
  const shown = isHugeSource(source.length) ? await readSourceInTurns(source, turn) : readSource(source);
  await turn();
  return { ...head, _source: shown, executed_pipelines: executed };
}
