import { parseTermFilter, type TermVectorsRequest } from '@shoal/coordinator';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { hashOrder } from '@shoal/values';
import { parseBoolean } from '../routing/params.js';

type Body = Readonly<Record<string, unknown>>;

/** A request for term vectors while it is read. */
export type TermVectorsDraft = {
  -readonly [K in Exclude<keyof TermVectorsRequest, 'index'>]: TermVectorsRequest[K];
} & { index: string | null };

const FAILED = 'failed to parse term vectors request';

const flag = (value: unknown): boolean => (typeof value === 'boolean' ? value : parseBoolean(String(value)));

function objectOf(key: string, value: unknown): Body {
  if (isPlainObject(value)) return value;
  throw errors.parse(`${FAILED}. unknown field [${key}]`);
}

/** Class of a value in 8.12, which its message names. */
function javaClass(value: unknown): string {
  if (typeof value === 'boolean') return 'java.lang.Boolean';
  if (typeof value === 'number') return Number.isInteger(value) ? 'java.lang.Integer' : 'java.lang.Double';
  return Array.isArray(value) ? 'java.util.ArrayList' : 'java.util.HashMap';
}

function setAnalyzers(draft: TermVectorsDraft, value: unknown): void {
  const given = Object.entries(objectOf('per_field_analyzer', value));
  const other = given.find(([, name]) => typeof name !== 'string');
  if (other)
    throw errors.parse(
      `expecting the analyzer at [${other[0]}] to be a String, but found [class ${javaClass(other[1])}] instead`,
    );
  draft.analyzers = Object.fromEntries(given) as Record<string, string>;
}

function fieldsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw errors.parse(`${FAILED}. field [fields] must be an array`);
  const odd = value.find((field) => typeof field === 'object');
  if (odd !== undefined) throw errors.parse(`${FAILED}. field [fields] must be an array of names`);
  return value.map(String);
}

const bothGiven = (): Error => errors.parse(`${FAILED}. either [id] or [doc] can be specified, but not both!`);

function setDocument(draft: TermVectorsDraft, value: unknown): void {
  if (draft.id !== null) throw bothGiven();
  draft.doc = value;
}

function setId(draft: TermVectorsDraft, value: unknown): void {
  if (draft.doc !== undefined) throw bothGiven();
  draft.id = String(value);
}

const SETTERS: ReadonlyMap<string, (draft: TermVectorsDraft, value: unknown) => void> = new Map<
  string,
  (draft: TermVectorsDraft, value: unknown) => void
>([
  ['_index', (draft, value) => (draft.index = String(value))],
  ['_id', setId],
  ['doc', setDocument],
  ['routing', (draft, value) => (draft.routing = String(value))],
  ['fields', (draft, value) => (draft.fields = fieldsOf(value))],
  ['positions', (draft, value) => (draft.positions = flag(value))],
  ['offsets', (draft, value) => (draft.offsets = flag(value))],
  ['payloads', (_, value) => void flag(value)],
  ['term_statistics', (draft, value) => (draft.termStatistics = flag(value))],
  ['termStatistics', (draft, value) => (draft.termStatistics = flag(value))],
  ['field_statistics', (draft, value) => (draft.fieldStatistics = flag(value))],
  ['fieldStatistics', (draft, value) => (draft.fieldStatistics = flag(value))],
  ['filter', (draft, value) => (draft.filter = parseTermFilter(objectOf('filter', value)))],
  ['per_field_analyzer', setAnalyzers],
  ['perFieldAnalyzer', setAnalyzers],
]);

/** Returns a draft with what a body says. Throws for what 8.12 does not take. */
export function applyTermVectors(draft: TermVectorsDraft, body: Body): TermVectorsDraft {
  const changed = { ...draft };
  for (const [key, value] of Object.entries(body)) {
    const setter = SETTERS.get(key);
    if (!setter) throw errors.parse(`${FAILED}. unknown field [${key}]`);
    setter(changed, value);
  }
  return changed;
}

function refuseKey(key: string, value: unknown): never {
  if (typeof value !== 'object' || value === null)
    throw errors.parse(`_mtermvectors: Parameter [${key}] not supported`);
  throw errors.parse(`no parameter named [${key}] and type ${Array.isArray(value) ? 'ARRAY' : 'OBJECT'}`);
}

function idOf(value: unknown): string {
  if (value === null || typeof value === 'object')
    throw errors.illegalArgument('ids array element should only contain ids');
  return String(value);
}

function documentOf(value: unknown): Body {
  if (isPlainObject(value)) return value;
  throw errors.illegalArgument('docs array element should include an object');
}

/**
 * Returns the requests of an `_mtermvectors`: documents, which have the `parameters` that stand before them, and behind
 * them ids, each once.
 */
export function draftsOf(body: Body, given: readonly string[] | null, defaults: TermVectorsDraft): TermVectorsDraft[] {
  const drafts: TermVectorsDraft[] = [];
  const ids: string[] = [...(given ?? [])];
  let parameters = defaults;
  for (const [key, value] of Object.entries(body)) {
    if (key === 'docs' && Array.isArray(value))
      drafts.push(...value.map((document) => applyTermVectors(parameters, documentOf(document))));
    else if (key === 'ids' && Array.isArray(value)) ids.push(...value.map(idOf));
    else if (key === 'parameters' && isPlainObject(value)) parameters = applyTermVectors(parameters, value);
    else refuseKey(key, value);
  }
  return [...drafts, ...hashOrder(new Set(ids)).map((id) => ({ ...parameters, id }))];
}
