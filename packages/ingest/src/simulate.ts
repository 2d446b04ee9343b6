import { errors, toErrorBody } from '@shoal/errors';
import { type JsonObject } from '@shoal/json';
import { ConfigReader } from './config-reader.js';
import { IngestDocument } from './document.js';
import { isObject, isNumeric, javaClass, javaText } from './java-values.js';
import { checkMetadata } from './metadata.js';
import { compilePipeline, type CompileSite } from './pipeline.js';
import { prepareScripts } from './prepare-scripts.js';
import { checkPipelineSize } from './pipeline-size.js';
import type { IngestRun, Pipeline } from './processor.js';
import { runPipeline } from './run.js';
import { AnswerBytes, documentJson } from './simulated-document.js';
import { ingestTimestamp } from './timestamp.js';
import { ResultTrace } from './trace.js';

/** A `_simulate` call of one pipeline. */
export interface SimulateRequest {
  /** Name of the pipeline; null if the body brings one. */
  readonly id: string | null;
  /** Taken over: pipelines change its documents. */
  readonly body: JsonObject;
  /** Whether the result of each processor is shown. */
  readonly isVerbose: boolean;
  /** The caller, as `set_security_user` shows it; null if security is off. */
  readonly user: JsonObject | null;
}

/** Name of the pipeline of a body. */
const OWN_PIPELINE = '_simulate_pipeline';

/** Runs a pipeline on the documents of a body without writing them. Source: `SimulateExecutionService`. */
export async function simulate(
  { id, body, isVerbose }: SimulateRequest,
  site: CompileSite,
  run: IngestRun,
): Promise<Record<string, unknown>> {
  const reader = new ConfigReader(null, null, body);
  const pipeline = id === null ? await ownPipeline(reader, site, run) : site.pipeline(id);
  if (pipeline === null) throw errors.illegalArgument(`pipeline [${id}] does not exist`);
  const documents = documentsOf(reader, site.now());
  const docs: unknown[] = [];
  const answer = new AnswerBytes();
  const show = isVerbose ? verboseResult : result;
  for (const document of documents) {
    const pause = run.pause();
    if (pause) await pause;
    docs.push(await show(pipeline, document, run, answer));
    answer.check();
  }
  return { docs };
}

async function ownPipeline(reader: ConfigReader, site: CompileSite, run: IngestRun): Promise<Pipeline> {
  const body = reader.map('pipeline');
  checkPipelineSize(OWN_PIPELINE, body);
  await prepareScripts(body, site.scripts, run.pause);
  return compilePipeline(OWN_PIPELINE, body, site);
}

async function result(
  pipeline: Pipeline,
  document: IngestDocument,
  run: IngestRun,
  answer: AnswerBytes,
): Promise<unknown> {
  try {
    await runPipeline(pipeline, document, run);
    return document.isDropped ? null : { doc: await documentJson(document, answer, run.pause) };
  } catch (thrown) {
    return { error: toErrorBody(thrown)['error'] };
  }
}

async function verboseResult(
  pipeline: Pipeline,
  document: IngestDocument,
  run: IngestRun,
  answer: AnswerBytes,
): Promise<unknown> {
  const trace = new ResultTrace(answer);
  try {
    await runPipeline(pipeline, document, { ...run, trace });
  } catch {
    // The result of the processor that failed shows the error.
  }
  answer.check();
  return { processor_results: trace.results };
}

/** The documents of a request, each made when it is its turn. */
function* documentsOf(reader: ConfigReader, nowMs: number): Generator<IngestDocument> {
  const docs = reader.list('docs');
  if (docs.length === 0) throw errors.illegalArgument('must specify at least one document in [docs]');
  for (const doc of docs) {
    if (!isObject(doc)) throw errors.illegalArgument('malformed [docs] section, should include an inner object');
    yield simulatedDocument(new ConfigReader(null, null, doc), nowMs);
  }
}

const VERSION_TYPES = ['internal', 'external', 'external_gte'];

function simulatedDocument(doc: ConfigReader, nowMs: number): IngestDocument {
  const source = doc.map('_source') as Record<string, unknown>;
  const metadata: Record<string, unknown> = {
    _index: stringOrInt(doc, '_index') ?? '_index',
    _id: stringOrInt(doc, '_id') ?? '_id',
    _version: long(doc, '_version') ?? -3,
  };
  const optional: Record<string, unknown> = {
    _routing: stringOrInt(doc, '_routing'),
    _version_type: versionType(doc),
    _if_seq_no: long(doc, '_if_seq_no'),
    _if_primary_term: long(doc, '_if_primary_term'),
    _dynamic_templates: doc.has('_dynamic_templates') ? doc.map('_dynamic_templates') : null,
  };
  for (const [key, value] of Object.entries(optional)) {
    if (value === null) continue;
    checkMetadata(key, value, 'null');
    metadata[key] = value;
  }
  return new IngestDocument(source, metadata, { timestamp: ingestTimestamp(nowMs) });
}

function stringOrInt(doc: ConfigReader, name: string): string | null {
  const value = doc.optional(name);
  if (value === null || typeof value === 'string') return value;
  if (javaClass(value) === 'java.lang.Integer') return javaText(value);
  throw doc.error(name, `property isn't a string or int, but of type [${javaClass(value)}]`);
}

function long(doc: ConfigReader, name: string): number | null {
  const value = doc.optional(name);
  if (value === null && doc.has(name)) throw errors.illegalArgument(`[${name}] cannot be null`);
  if (value === null) return null;
  if (typeof value !== 'string' && !isNumeric(value))
    throw doc.error(name, `property isn't a string or long, but of type [${javaClass(value)}]`);
  const text = javaText(value);
  if (!/^[+-]?\d{1,19}$/.test(text)) throw errors.numberFormat(`For input string: "${text}"`);
  return Number(text);
}

function versionType(doc: ConfigReader): string | null {
  if (!doc.has('_version_type')) return null;
  const name = doc.string('_version_type');
  if (VERSION_TYPES.includes(name)) return name;
  throw errors.illegalArgument(`No version type match [${name}]`);
}
