import { type IndicesOptions, withExpandWildcards } from '@shoal/state';
import { errors, toErrorBody } from '@shoal/errors';
import { isPlainObject, parseJson } from '@shoal/json';
import { checkGlobalBlocks } from '../blocks.js';
import { readLines } from '../bulk/split-lines.js';
import { validationError } from '../bulk/validate-operation.js';
import type { CoordinatorContext } from '../context.js';
import { type CallContext, type JsonAnswer, startOf } from '../call.js';
import { encodeJson, encodeUtf8 } from '../json-bytes.js';
import { parseSearch } from './parse/parse-search.js';
import { clusterParseContext, runSearch } from './search.js';
import { searchAnswerChunks } from './search-answer.js';
import type { MultiSearchRequest, SearchRequest } from './parse/search-request.js';
import { mayLookUp, resolveTermsLookups } from './rewrite/terms-lookup.js';
import { newPlan } from './targets/recent-sources.js';
import { parseSearchType } from './parse/search-type.js';

type Draft = { -readonly [K in keyof SearchRequest]: SearchRequest[K] };

function names(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String);
  return String(value)
    .split(',')
    .filter((name) => name !== '');
}

function flag(key: string, value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw errors.illegalArgument(`Could not convert [${key}] to boolean`);
}

function setOptions(draft: Draft, change: Partial<IndicesOptions>): void {
  draft.target = { ...draft.target, options: { ...draft.target.options, ...change } };
}

const HEADER_KEYS: ReadonlyMap<string, (draft: Draft, value: unknown) => void> = new Map<
  string,
  (draft: Draft, value: unknown) => void
>([
  ['index', (draft, value) => (draft.target = { ...draft.target, names: names(value) })],
  ['indices', (draft, value) => (draft.target = { ...draft.target, names: names(value) })],
  ['search_type', (draft, value) => (draft.searchType = parseSearchType(String(value)))],
  ['searchType', (draft, value) => (draft.searchType = parseSearchType(String(value)))],
  ['preference', (draft, value) => (draft.preference = String(value))],
  ['routing', (draft, value) => (draft.routing = String(value))],
  ['request_cache', (draft, value) => (draft.requestCache = flag('request_cache', value))],
  ['requestCache', (draft, value) => (draft.requestCache = flag('request_cache', value))],
  [
    'allow_partial_search_results',
    (draft, value) => (draft.allowPartialResults = flag('allow_partial_search_results', value)),
  ],
  ['ccs_minimize_roundtrips', (_, value) => void flag('ccs_minimize_roundtrips', value)],
  ['ignore_unavailable', (draft, value) => setOptions(draft, { ignoreUnavailable: flag('ignore_unavailable', value) })],
  ['ignoreUnavailable', (draft, value) => setOptions(draft, { ignoreUnavailable: flag('ignore_unavailable', value) })],
  ['allow_no_indices', (draft, value) => setOptions(draft, { allowNoIndices: flag('allow_no_indices', value) })],
  ['allowNoIndices', (draft, value) => setOptions(draft, { allowNoIndices: flag('allow_no_indices', value) })],
  ['expand_wildcards', (draft, value) => setOptions(draft, withExpandWildcards(draft.target.options, names(value)))],
  ['expandWildcards', (draft, value) => setOptions(draft, withExpandWildcards(draft.target.options, names(value)))],
  ['ignore_throttled', (_, value) => void flag('ignore_throttled', value)],
]);

function parseHeader(line: Buffer, defaults: SearchRequest): Draft {
  const draft: Draft = { ...defaults };
  if (line.toString('utf8').trim() === '') return draft;
  const header = parseJson(line);
  if (!isPlainObject(header)) throw errors.illegalArgument('the metadata section of a search must be an object');
  for (const [key, value] of Object.entries(header)) {
    if (value === null) continue;
    const setter = HEADER_KEYS.get(key);
    if (!setter) throw errors.illegalArgument(`key [${key}] is not supported in the metadata section`);
    setter(draft, value);
  }
  return draft;
}

/**
 * Resolves the lookups of a body. If one fails, the body is returned unchanged: its search then fails alone when it
 * runs.
 */
async function lookedUp(context: CoordinatorContext, body: Uint8Array, call: CallContext): Promise<Uint8Array> {
  return resolveTermsLookups(context, body, call).catch(() => body);
}

/** Parses the searches of a multi-search body. Throws if the body cannot be parsed. */
export async function parseMultiSearch(
  context: CoordinatorContext,
  request: MultiSearchRequest,
  call: CallContext,
): Promise<SearchRequest[]> {
  const lines = readLines(request.body);
  const searches: SearchRequest[] = [];
  const parsing = clusterParseContext(context);
  for (let header = lines.next(); header !== null; header = lines.next()) {
    const draft = parseHeader(header, request.defaults);
    const body = lines.next();
    if (body === null) break;
    draft.body = await lookedUp(context, body, call);
    // The plan is cached, so that the search does not parse the body again. A body whose lookup failed is resolved
    // again by its search.
    if (mayLookUp(draft.body)) parseSearch(draft, parsing);
    else newPlan(context.sources, draft, parsing);
    searches.push(draft);
  }
  if (lines.rest > 0) throw errors.illegalArgument('The msearch request must be terminated by a newline [\n]');
  if (searches.length === 0) throw validationError(['no requests added']);
  return searches;
}

const STATUS_OK = encodeUtf8(',"status":200}');

async function answerOne(context: CoordinatorContext, search: SearchRequest, call: CallContext): Promise<Uint8Array[]> {
  try {
    const chunks = searchAnswerChunks(await runSearch(context, search, call));
    const last = chunks[chunks.length - 1]!;
    return [...chunks.slice(0, -1), last.subarray(0, last.length - 1), STATUS_OK];
  } catch (thrown) {
    call.signal.throwIfAborted();
    return [encodeJson(toErrorBody(context.apiError(thrown)))];
  }
}

/** Runs many searches, at most `maxConcurrentSearches` at once. A search that fails has its error in the answer. */
export async function multiSearch(
  context: CoordinatorContext,
  request: MultiSearchRequest,
  call: CallContext,
): Promise<JsonAnswer> {
  const startedMs = startOf(context.clock, call);
  const searches = await parseMultiSearch(context, request, call);
  checkGlobalBlocks(context.cluster.state(), 'read');
  const answers = new Array<Uint8Array[]>(searches.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < searches.length) {
      const at = next++;
      answers[at] = await answerOne(context, searches[at]!, call);
    }
  };
  await Promise.all(Array.from({ length: Math.min(request.maxConcurrentSearches, searches.length) }, worker));
  const tookMs = Math.round(context.clock.monotonic() - startedMs);
  const comma = encodeUtf8(',');
  const chunks = answers.flatMap((answer, i) => (i === 0 ? answer : [comma, ...answer]));
  return { status: 200, chunks: [encodeUtf8(`{"took":${tookMs},"responses":[`), ...chunks, encodeUtf8(']}')] };
}
