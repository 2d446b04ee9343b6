import { errors, isApiError, notBoolean } from '@shoal/errors';
import { isPlainObject, locateError, parseJson, tokenOf, withScriptParams } from '@shoal/json';
import { type shard, sourceFilterOf } from '@shoal/protocol';
import { readScript, type ScriptSource } from '@shoal/script';
import { didYouMean } from '@shoal/values';

/** Parts of the new source that an update returns; null for none. */
export type AnsweredSource = { readonly includes: readonly string[]; readonly excludes: readonly string[] } | null;

/** The body of an update, parsed and validated. */
export interface UpdateRequest {
  readonly doc: Record<string, unknown> | null;
  readonly upsert: Record<string, unknown> | null;
  readonly docAsUpsert: boolean;
  readonly script: ScriptSource | null;
  readonly scriptedUpsert: boolean;
  readonly detectNoop: boolean;
  readonly answeredSource: AnsweredSource;
  readonly ifSeqNo: number | undefined;
  readonly ifPrimaryTerm: number | undefined;
}

const FIELDS = [
  'script',
  'scripted_upsert',
  'upsert',
  'doc',
  'doc_as_upsert',
  'detect_noop',
  '_source',
  'if_seq_no',
  'if_primary_term',
];
const PARSER = 'UpdateRequest';

/** Returns the part of the document that is answered; null if it is left out, as by default. */
function answeredSource(filter: shard.SourceFilter | undefined): AnsweredSource {
  return filter === undefined || filter.none ? null : filter;
}

function refuseUnknown(body: Record<string, unknown>): void {
  for (const key of Object.keys(body)) {
    if (FIELDS.includes(key)) continue;
    const hint = didYouMean(key, FIELDS);
    throw errors.xContentParse(`[${PARSER}] unknown field [${key}]${hint}`, {
      location: { container: body, key, at: 'key' },
    });
  }
}

function objectOf(body: Record<string, unknown>, key: string): Record<string, unknown> | null {
  const value = body[key];
  if (value === undefined || value === null) return null;
  if (isPlainObject(value)) return value;
  throw errors.xContentParse(`[${PARSER}] ${key} doesn't support values of type: ${tokenOf(value)}`, {
    location: { container: body, key },
  });
}

function flagOf(body: Record<string, unknown>, key: string, value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  const cause = notBoolean(String(value));
  throw errors.xContentParse(`[${PARSER}] failed to parse field [${key}]`, {
    cause,
    location: { container: body, key },
  });
}

function validate(request: UpdateRequest, item: shard.WriteItem): void {
  const hasScript = request.script !== null;
  const problems: string[] = [];
  if (item.retryOnConflict > 0 && request.ifSeqNo !== undefined)
    problems.push('compare and write operations can not be retried');
  if (!hasScript && !request.doc) problems.push('script or doc is missing');
  if (hasScript && request.doc) problems.push("can't provide both script and doc");
  if (!request.doc && request.docAsUpsert) problems.push('doc must be specified if doc_as_upsert is enabled');
  if (problems.length === 0) return;
  throw errors.actionRequestValidation(
    `Validation Failed: ${problems.map((problem, i) => `${i + 1}: ${problem};`).join('')}`,
  );
}

/** Adds the position to a parse error. The error leaves without the body, so only this place can compute it. */
function withPosition(error: unknown, bytes: Uint8Array, body: unknown): unknown {
  if (!isApiError(error) || error.location === undefined) return error;
  const at = locateError(bytes, body, error.location);
  const options = error.causedBy ? { cause: error.causedBy } : {};
  return at === null ? error : errors.xContentParse(`[${at.line}:${at.col}] ${error.reason}`, options);
}

/** Parses the body of an update. Throws parse errors with their position, and validation errors. */
export function parseUpdate(item: shard.WriteItem, bytes: Uint8Array): UpdateRequest {
  const body = withScriptParams(parseJson(bytes), bytes);
  if (!isPlainObject(body))
    throw errors.parsing('Failed to parse object: expecting token of type [START_OBJECT] but found [VALUE]');
  try {
    const request = requestOf(body, item);
    validate(request, item);
    return request;
  } catch (error) {
    throw withPosition(error, bytes, body);
  }
}

function requestOf(body: Record<string, unknown>, item: shard.WriteItem): UpdateRequest {
  refuseUnknown(body);
  return {
    doc: objectOf(body, 'doc'),
    upsert: objectOf(body, 'upsert'),
    docAsUpsert: flagOf(body, 'doc_as_upsert', body['doc_as_upsert'] ?? false),
    script: body['script'] === undefined || body['script'] === null ? null : readScript(body['script']),
    scriptedUpsert: flagOf(body, 'scripted_upsert', body['scripted_upsert'] ?? false),
    detectNoop: flagOf(body, 'detect_noop', body['detect_noop'] ?? true),
    answeredSource: answeredSource(item.updateOptions?.source ?? sourceFilterOf(body['_source'])),
    ifSeqNo: (body['if_seq_no'] as number | undefined) ?? item.ifSeqNo,
    ifPrimaryTerm: (body['if_primary_term'] as number | undefined) ?? item.ifPrimaryTerm,
  };
}
