import { errors } from '@shoal/errors';
import { isPlainObject, tokenOf } from '@shoal/json';
import { type ClusterState, section } from '@shoal/state';
import type { WriteOptions } from '../bulk/write-request.js';
import { pipelineName } from '../ingest/resolve-pipelines.js';

/** A call of `_quarantine/_replay`. */
export interface ReplayRequest extends Pick<WriteOptions, 'timeoutMs' | 'waitForActiveShards'> {
  /** Expressions of the indices whose quarantines are meant. */
  readonly names: readonly string[];
  /** Selects entries; absent: all. */
  readonly query: unknown;
  /** Pipeline instead of that of the write; `_none` for none; null as it was. */
  readonly pipeline: string | null;
  /** Entries at most; null for all. */
  readonly maxDocs: number | null;
  /** Whether nothing is written. */
  readonly isDryRun: boolean;
  readonly refresh: boolean;
  /** Entries a second; Infinity for no limit. */
  readonly requestsPerSecond: number;
}

const KEYS = ['query', 'pipeline', 'max_docs', 'dry_run'];

/** What the body of a replay says. Throws for unknown keys, values of other types and a pipeline that is not there. */
export function parseReplay(
  json: unknown,
  state: ClusterState,
): Pick<ReplayRequest, 'query' | 'pipeline' | 'maxDocs' | 'isDryRun'> {
  if (json !== undefined && !isPlainObject(json))
    throw errors.parsing(`[replay] expected an object but found ${tokenOf(json)}`);
  const body = json ?? {};
  const unknown = Object.keys(body).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw refused(body, unknown, `unknown field [${unknown}]`, 'key');
  const { query, pipeline = null, max_docs: maxDocs = null, dry_run: isDryRun = false } = body;
  if (query !== undefined && !isPlainObject(query)) throw wrongType(body, 'query');
  if (pipeline !== null && typeof pipeline !== 'string') throw wrongType(body, 'pipeline');
  if (maxDocs !== null && (typeof maxDocs !== 'number' || !Number.isInteger(maxDocs)))
    throw wrongType(body, 'max_docs');
  if (maxDocs !== null && maxDocs < 0)
    throw errors.illegalArgument(`[max_docs] parameter cannot be negative, found [${maxDocs}]`);
  if (typeof isDryRun !== 'boolean') throw wrongType(body, 'dry_run');
  const name = pipelineName(pipeline);
  if (name !== null && !Object.hasOwn(section(state, 'pipelines'), name))
    throw errors.illegalArgument(`pipeline with id [${name}] does not exist`);
  return { query, pipeline, maxDocs, isDryRun };
}

function wrongType(body: Readonly<Record<string, unknown>>, key: string) {
  return refused(body, key, `${key} doesn't support values of type: ${tokenOf(body[key])}`, 'value');
}

function refused(container: object, key: string, what: string, at: 'key' | 'value') {
  return errors.xContentParse(`[replay] ${what}`, { location: { container, key, at } });
}
