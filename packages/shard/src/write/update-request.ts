import { errors } from '@shoal/errors';
import { isPlainObject, parseJson } from '@shoal/json';
import type { shard } from '@shoal/protocol';
import { suggestNames } from '@shoal/values';

/** Which parts of the new source an update answers with; null for none. */
export type AnsweredSource = { readonly includes: readonly string[]; readonly excludes: readonly string[] } | null;

/** The body of an update, parsed and found consistent. */
export interface UpdateRequest {
  readonly doc: Record<string, unknown> | null;
  readonly upsert: Record<string, unknown> | null;
  readonly docAsUpsert: boolean;
  readonly detectNoop: boolean;
  readonly answeredSource: AnsweredSource;
  readonly ifSeqNo: number | undefined;
  readonly ifPrimaryTerm: number | undefined;
}

const FIELDS = ['script', 'scripted_upsert', 'upsert', 'doc', 'doc_as_upsert', 'detect_noop', '_source', 'if_seq_no', 'if_primary_term'];
const PARSER = 'UpdateRequest';

const asList = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : value === undefined || value === null ? [] : [String(value)]);

/** `_source` of bodies and parameters: true, false, patterns, or includes and excludes. */
export function answeredSource(value: unknown): AnsweredSource {
  if (value === undefined || value === null || value === false || value === 'false') return null;
  if (value === true || value === 'true') return { includes: [], excludes: [] };
  if (!isPlainObject(value)) return { includes: asList(value), excludes: [] };
  const of = (...names: string[]): readonly string[] => names.flatMap((name) => asList(value[name]));
  return { includes: of('includes', 'include'), excludes: of('excludes', 'exclude') };
}

function refuseUnknown(body: Record<string, unknown>): void {
  for (const key of Object.keys(body)) {
    if (FIELDS.includes(key)) continue;
    const near = suggestNames(key, FIELDS);
    const hint = near.length === 0 ? '' : near.length === 1 ? ` did you mean [${near[0]}]?` : ` did you mean any of [${near.join(', ')}]?`;
    throw errors.xContentParse(`[${PARSER}] unknown field [${key}]${hint}`, { location: { container: body, key, at: 'key' } });
  }
}

function objectOf(body: Record<string, unknown>, key: string): Record<string, unknown> | null {
  const value = body[key];
  if (value === undefined || value === null) return null;
  if (isPlainObject(value)) return value;
  throw errors.xContentParse(`[${PARSER}] ${key} doesn't support values of type: ${Array.isArray(value) ? 'START_ARRAY' : 'VALUE'}`, { location: { container: body, key } });
}

function flagOf(body: Record<string, unknown>, key: string, value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw errors.illegalArgument(`Failed to parse value [${String(body[key])}] as only [true] or [false] are allowed.`);
}

function validate(request: UpdateRequest, hasScript: boolean, item: shard.WriteItem): void {
  const problems: string[] = [];
  if (item.retryOnConflict > 0 && request.ifSeqNo !== undefined) problems.push('compare and write operations can not be retried');
  if (!hasScript && !request.doc) problems.push('script or doc is missing');
  if (hasScript && request.doc) problems.push("can't provide both script and doc");
  if (!request.doc && request.docAsUpsert) problems.push('doc must be specified if doc_as_upsert is enabled');
  if (problems.length === 0) return;
  throw errors.actionRequestValidation(`Validation Failed: ${problems.map((problem, i) => `${i + 1}: ${problem};`).join('')}`);
}

function optionsOf(item: shard.WriteItem): Record<string, unknown> {
  const options = item.updateOptions && item.updateOptions.length > 0 ? parseJson(item.updateOptions) : {};
  return isPlainObject(options) ? options : {};
}

/** Parses an update. Scripts are refused: this node cannot run them. */
export function parseUpdate(item: shard.WriteItem, bytes: Uint8Array): UpdateRequest {
  const body = parseJson(bytes);
  if (!isPlainObject(body)) throw errors.parsing('Failed to parse object: expecting token of type [START_OBJECT] but found [VALUE]');
  refuseUnknown(body);
  const options = optionsOf(item);
  const request: UpdateRequest = {
    doc: objectOf(body, 'doc'),
    upsert: objectOf(body, 'upsert'),
    docAsUpsert: flagOf(body, 'doc_as_upsert', body['doc_as_upsert'] ?? false),
    detectNoop: flagOf(body, 'detect_noop', body['detect_noop'] ?? options['detect_noop'] ?? true),
    answeredSource: answeredSource(options['_source'] ?? body['_source']),
    ifSeqNo: (body['if_seq_no'] as number | undefined) ?? item.ifSeqNo,
    ifPrimaryTerm: (body['if_primary_term'] as number | undefined) ?? item.ifPrimaryTerm,
  };
  const hasScript = body['script'] !== undefined && body['script'] !== null;
  validate(request, hasScript, item);
  if (hasScript) throw errors.illegalArgument('[script] of an update is not supported by this node');
  return request;
}
