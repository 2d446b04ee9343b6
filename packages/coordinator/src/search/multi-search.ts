import { type IndicesOptions, withExpandWildcards, checkClusterBlocks } from '@shoal/state';
import { type ApiError, errors, isApiError, toErrorBody } from '@shoal/errors';
import { isLargeJson, isPlainObject, parseJson, parseJsonInTurns, readSource } from '@shoal/json';
import { readLines } from '../bulk/split-lines.js';
import { validationError } from '../bulk/validate-operation.js';
import type { CoordinatorContext } from '../context.js';
import { type CallContext, type JsonAnswer, startOf } from '../call.js';
import { withPositions } from '../error-position.js';
import { encodeJson, encodeUtf8 } from '../json-bytes.js';
import { parseSearch } from './parse/parse-search.js';
import { clusterParseContext, runSearch } from './search.js';
import { searchAnswerChunks } from './search-answer.js';
import { takeTurns, type Turns } from '../turns.js';
import { type LookedUpBody, type MultiSearchRequest, type SearchRequest, withBody } from './parse/search-request.js';
import { mayLookUp, resolveTermsLookups } from './rewrite/terms-lookup.js';
import { templatedSearch } from './templates/render-template.js';
import { checkTemplate, parseTemplateRequest } from './templates/template-request.js';
import { newPlan, recentPlan } from './targets/recent-sources.js';
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

function parseHeader(header: unknown, defaults: SearchRequest): Draft {
  const draft: Draft = { ...defaults };
  if (header === null) return draft;
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
async function lookedUp(context: CoordinatorContext, body: LookedUpBody, call: CallContext): Promise<LookedUpBody> {
  return resolveTermsLookups(context, body, call).catch(() => body);
}

/** What a search takes until it is answered, besides its lines. */
const SEARCH_BYTES = 1024;
/** Searches that are parsed at a stretch. */
const SEARCHES_IN_TURN = 64;

/** Memory that the searches of a request take until they are answered. */
interface ParseRoom {
  charge(bytes: number): void;
  release(): void;
}

function parseRoom({ inFlight }: CoordinatorContext): ParseRoom {
  const releases: (() => void)[] = [];
  return {
    charge: (bytes) => void releases.push(inFlight.charge(bytes, '<msearch>')),
    release: () => releases.forEach((release) => release()),
  };
}

/** The value of a large line, parsed in turns; undefined for others. */
async function largeValue({ clock }: CoordinatorContext, line: Uint8Array, { charge }: ParseRoom): Promise<unknown> {
  return isLargeJson(line) ? parseJsonInTurns(line, { turn: () => clock.yield(), charge }) : undefined;
}

const isBlank = (line: Buffer): boolean => line.length === 0 || (!isLargeJson(line) && line.toString().trim() === '');

/** Reads the body of a search: resolves its lookups and parses it. Throws its errors. */
async function readSearch(
  context: CoordinatorContext,
  draft: SearchRequest,
  call: CallContext,
): Promise<SearchRequest> {
  const search = withBody(draft, await lookedUp(context, { body: draft.body, json: draft.json }, call));
  // The plan is cached, so that the search does not parse the body again. A body whose lookup failed is resolved
  // again by its search.
  const parsing = clusterParseContext(context);
  if (mayLookUp(search.body)) parseSearch(search, parsing);
  else if (recentPlan(context.sources, search, parsing.allowExpensiveQueries) === undefined)
    newPlan(context.sources, search, parsing);
  return search;
}

/**
 * Reads a search of `_msearch/template`. A template that cannot be rendered, or renders no search, is the error of
 * this search alone; a malformed line is that of the request.
 */
async function readTemplate(
  context: CoordinatorContext,
  { draft, line, room }: { readonly draft: SearchRequest; readonly line: Uint8Array; readonly room: ParseRoom },
  call: CallContext,
): Promise<ParsedSearch> {
  await context.clock.yield();
  const json = (await largeValue(context, line, room)) ?? parseJson(line);
  // Reading a large line once more would hold up the thread: its whole doubles are rendered without `.0`.
  const exact = (): unknown => (isLargeJson(line) ? json : readSource(line));
  const template = withPositions(line, json, () => parseTemplateRequest(json, exact));
  if (template.template === null) throw errors.illegalArgument('Malformed search template');
  checkTemplate(template);
  try {
    const search = templatedSearch(context.cluster, draft, template);
    room.charge(search.body.length);
    return await readSearch(context, search, call);
  } catch (thrown) {
    call.signal.throwIfAborted();
    return context.apiError(thrown);
  }
}

/** A search, or the error that it is answered with. */
type ParsedSearch = SearchRequest | ApiError;

/** Parses the searches of a multi-search body. Throws if the body cannot be parsed. */
async function parseSearches(
  context: CoordinatorContext,
  request: MultiSearchRequest,
  call: CallContext,
  room: ParseRoom,
): Promise<ParsedSearch[]> {
  const lines = readLines(request.body);
  const searches: ParsedSearch[] = [];
  for (let header = lines.next(); header !== null; header = lines.next()) {
    const value = isBlank(header) ? null : ((await largeValue(context, header, room)) ?? parseJson(header));
    const draft = parseHeader(value, request.defaults);
    const body = lines.next();
    if (body === null) break;
    room.charge(SEARCH_BYTES);
    if (searches.length % SEARCHES_IN_TURN === SEARCHES_IN_TURN - 1) await context.clock.yield();
    call.signal.throwIfAborted();
    searches.push(
      request.hasTemplates
        ? await readTemplate(context, { draft, line: body, room }, call)
        : await readSearch(context, { ...draft, body, json: await largeValue(context, body, room) }, call),
    );
  }
  if (lines.rest > 0) throw errors.illegalArgument('The msearch request must be terminated by a newline [\n]');
  return searches;
}

const STATUS_OK = encodeUtf8(',"status":200}');

async function answerOne(
  context: CoordinatorContext,
  search: ParsedSearch,
  call: CallContext,
  turns: Turns,
): Promise<Uint8Array[]> {
  if (isApiError(search)) return [encodeJson(toErrorBody(search))];
  try {
    const chunks = await searchAnswerChunks(await runSearch(context, search, call), turns);
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
  const room = parseRoom(context);
  try {
    return await runSearches(context, request, call, room);
  } finally {
    room.release();
  }
}

/** Throws what `multiSearch` would throw for malformed searches. */
export async function checkMultiSearch(
  context: CoordinatorContext,
  request: MultiSearchRequest,
  call: CallContext,
): Promise<void> {
  const room = parseRoom(context);
  try {
    await parseSearches(context, request, call, room);
  } finally {
    room.release();
  }
}

async function runSearches(
  context: CoordinatorContext,
  request: MultiSearchRequest,
  call: CallContext,
  room: ParseRoom,
): Promise<JsonAnswer> {
  const startedMs = startOf(context.clock, call);
  const searches = await parseSearches(context, request, call, room);
  if (searches.every(isApiError)) throw validationError(['no requests added']);
  checkClusterBlocks(context.cluster.state(), 'read');
  const answers = new Array<Uint8Array[]>(searches.length);
  let next = 0;
  const turns = takeTurns(context.clock, call.signal);
  const worker = async (): Promise<void> => {
    while (next < searches.length) {
      const at = next++;
      answers[at] = await answerOne(context, searches[at]!, call, turns);
      // Searches that are refused at once, for instance for want of rights, never wait for anything.
      const wait = turns.pause();
      if (wait !== null) await wait;
    }
  };
  await Promise.all(Array.from({ length: Math.min(request.maxConcurrentSearches, searches.length) }, worker));
  const tookMs = Math.round(context.clock.monotonic() - startedMs);
  const comma = encodeUtf8(',');
  const chunks = answers.flatMap((answer, i) => (i === 0 ? answer : [comma, ...answer]));
  return { status: 200, chunks: [encodeUtf8(`{"took":${tookMs},"responses":[`), ...chunks, encodeUtf8(']}')] };
}
