import { type Analyzer, analyzeParts, type TokenList } from '@shoal/analysis';
import type { IndexMetadata } from '@shoal/state';
import { formatFloat, matchesWildcard } from '@shoal/values';
import { type ApiError, errors, toErrorBody } from '@shoal/errors';
import { extractAll, parseJson } from '@shoal/json';
import { type AccessLimits, fieldFilter, type FieldType } from '@shoal/mapping';
import type { CoordinatorContext } from '../context.js';
import { type CallContext, startOf } from '../call.js';
import { ACTIONS, accessOf, limitsBytes } from '../access.js';
import { get, placeOf, readableIndex } from '../get/get.js';
import { takeTurns, type Turns } from '../turns.js';
import { callShard } from './broadcast.js';
import type { TermVectorsRequest } from './admin-requests.js';
import { scoredTerms, type TermFilter } from './term-filter.js';

interface Token {
  readonly position?: number;
  readonly start_offset?: number;
  readonly end_offset?: number;
}

/** Answer of a shard to the call `term_statistics`, by field. */
type Statistics = Readonly<
  Record<
    string,
    {
      docCount: number;
      sumDocFreq: number;
      sumTotalTermFreq: number;
      terms: Readonly<Record<string, readonly [number, number]>>;
    }
  >
>;

type Terms = Map<string, Token[]>;

/** A shard, with the limits of the caller on its index (null for none). */
interface VisibleShard {
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly limits: AccessLimits | null;
}

function keepsVectors(field: FieldType): boolean {
  const setting = field.toJson(false)['term_vector'];
  return setting !== undefined && setting !== 'no';
}

/**
 * What of a field's tokens is shown: of an indexed document no more than the mapping keeps, if it keeps vectors of the
 * field and the request names no analyzer for it.
 */
function shownOf(field: FieldType, request: TermVectorsRequest): TermVectorsRequest {
  const isMade =
    request.doc !== undefined || (request.analyzers !== null && Object.hasOwn(request.analyzers, field.name));
  if (isMade || !keepsVectors(field)) return request;
  const kept = String(field.toJson(false)['term_vector']);
  return {
    ...request,
    positions: request.positions && kept.includes('positions'),
    offsets: request.offsets && kept.includes('offsets'),
  };
}

function chosenFields(
  context: CoordinatorContext,
  { index, limits }: VisibleShard,
  request: TermVectorsRequest,
): FieldType[] {
  const shown = fieldFilter(limits);
  const all = context.mappings.current(index).mapping.fields;
  const fields = shown === null ? all : all.filter((field) => shown(field.name));
  const textual = fields.filter(
    ({ indexAnalyzer, capabilities, runtime }) =>
      runtime === undefined && (indexAnalyzer !== null || capabilities.countsWholeValues),
  );
  if (request.fields === null) return request.doc === undefined ? textual.filter(keepsVectors) : textual;
  return textual.filter((field) => request.fields!.some((pattern) => matchesWildcard(pattern, field.name)));
}

/** Bytes that a token takes until the answer is written: its place, and its JSON. */
const TOKEN_BYTES = 300;
const LABEL = '<termvectors>';
/** Documents of a request for many that are worked on together. */
const DOCUMENTS_AT_ONCE = 16;

/** Turns and memory of a request. */
interface VectorWork {
  readonly turns: Turns;
  /** Charges bytes until the request ends; throws circuit_breaking_exception. */
  readonly charge: (bytes: number) => void;
}

interface TextBase {
  position: number;
  offset: number;
}

async function addTokens(
  terms: Terms,
  analyzer: Analyzer,
  text: string,
  { base, gap }: { readonly base: TextBase; readonly gap: number },
  request: TermVectorsRequest,
  { turns, charge }: VectorWork,
): Promise<void> {
  let end = base.position;
  for (const { list, offset, position } of analyzeParts(analyzer, text, true)) {
    charge(list.count * TOKEN_BYTES);
    addPart(terms, list, { position: base.position + position, offset: base.offset + offset }, request);
    end = base.position + position + list.endPosition;
    await turns.pause();
  }
  base.position = end + gap;
  base.offset += text.length + 1;
}

function addPart(terms: Terms, list: TokenList, base: TextBase, request: TermVectorsRequest): void {
  for (let i = 0; i < list.count; i++) {
    const token: Token = {
      ...(request.positions ? { position: base.position + list.positions[i]! } : {}),
      ...(request.offsets
        ? { start_offset: base.offset + list.startOffsets[i]!, end_offset: base.offset + list.endOffsets[i]! }
        : {}),
    };
    const known = terms.get(list.terms[i]!);
    if (known) known.push(token);
    else terms.set(list.terms[i]!, [token]);
  }
}

async function termsOf(
  field: FieldType,
  analyzer: Analyzer | null,
  values: readonly unknown[],
  request: TermVectorsRequest,
  work: VectorWork,
): Promise<Terms> {
  const terms: Terms = new Map();
  const base: TextBase = { position: 0, offset: 0 };
  // Values that are terms as a whole have neighbouring positions.
  const gap = field.capabilities.countsWholeValues ? 0 : (analyzer?.positionIncrementGap ?? 0);
  for (const value of values) {
    if (value === null || typeof value === 'object') continue;
    const text = String(value);
    if (analyzer) await addTokens(terms, analyzer, text, { base, gap }, request, work);
    else
      terms.set(field.normalize(text), [
        {
          ...(request.positions ? { position: 0 } : {}),
          ...(request.offsets ? { start_offset: 0, end_offset: text.length } : {}),
        },
      ]);
  }
  return terms;
}

function termJson(
  term: string,
  tokens: readonly Token[],
  counts: Statistics[string] | undefined,
  request: TermVectorsRequest,
  score: number | undefined,
): Record<string, unknown> {
  const [docFreq, totalTermFreq] = counts?.terms[term] ?? [0, 0];
  return {
    ...(request.termStatistics && docFreq > 0 ? { doc_freq: docFreq, ttf: totalTermFreq } : {}),
    term_freq: tokens.length,
    ...(request.positions || request.offsets ? { tokens } : {}),
    ...(score === undefined ? {} : { score: Number(formatFloat(score)) }),
  };
}

function fieldJson(
  terms: Terms,
  counts: Statistics[string] | undefined,
  request: TermVectorsRequest,
): Record<string, unknown> {
  const scores = request.filter === null ? null : scoresOf(terms, counts, request.filter);
  const shown = scores === null ? [...terms] : [...terms].filter(([term]) => scores.has(term));
  const sorted = shown.sort(([a], [b]) => (a < b ? -1 : 1));
  const statistics = {
    sum_doc_freq: counts?.sumDocFreq ?? 0,
    doc_count: counts?.docCount ?? 0,
    sum_ttf: counts?.sumTotalTermFreq ?? 0,
  };
  return {
    ...(request.fieldStatistics ? { field_statistics: statistics } : {}),
    terms: Object.fromEntries(
      sorted.map(([term, tokens]) => [term, termJson(term, tokens, counts, request, scores?.get(term))]),
    ),
  };
}

function scoresOf(
  terms: Terms,
  counts: Statistics[string] | undefined,
  filter: TermFilter,
): ReadonlyMap<string, number> {
  const found = [...terms].map(([term, tokens]) => ({
    term,
    termFreq: tokens.length,
    docFreq: counts?.terms[term]?.[0] ?? 0,
  }));
  return scoredTerms(found, counts?.docCount ?? 0, filter);
}

interface Found {
  readonly version: number;
  readonly source: unknown;
}

async function storedDocument(
  context: CoordinatorContext,
  request: TermVectorsRequest,
  id: string,
  call: CallContext,
  action: string,
): Promise<Found | null> {
  const answer = await get(
    context,
    {
      index: request.index,
      id,
      routing: request.routing,
      source: true,
      storedFields: null,
      version: null,
      versionType: 'internal',
      realtime: request.realtime,
      refresh: false,
      preference: request.preference,
      bareSource: false,
    },
    call,
    action,
  );
  if (answer.status === 404) return null;
  const document = parseJson(Buffer.concat(answer.chunks)) as { _version: number; _source?: unknown };
  return { version: document._version, source: document._source ?? {} };
}

async function statisticsOf(
  context: CoordinatorContext,
  { index, shard, limits }: VisibleShard,
  byField: ReadonlyMap<string, Terms>,
): Promise<Statistics> {
  const fields = Object.fromEntries([...byField].map(([name, terms]) => [name, [...terms.keys()]]));
  return (await callShard(
    context,
    index,
    shard,
    'term_statistics',
    { fields },
    limitsBytes(limits, context.clock.now()),
  )) as Statistics;
}

/** The analyzer that the request names for a field, or that of the mapping; an unknown one is the default. */
function analyzerOf(
  context: CoordinatorContext,
  { index }: VisibleShard,
  { name, indexAnalyzer }: FieldType,
  { analyzers }: TermVectorsRequest,
): Analyzer | null {
  if (analyzers === null || !Object.hasOwn(analyzers, name)) return indexAnalyzer;
  const { analysis } = context.mappings.current(index).options;
  return analysis.analyzer(analyzers[name]!) ?? analysis.defaultAnalyzer;
}

async function vectorsOf(
  context: CoordinatorContext,
  place: VisibleShard,
  source: unknown,
  request: TermVectorsRequest,
  work: VectorWork,
): Promise<Record<string, unknown>> {
  const { mapping } = context.mappings.current(place.index);
  const byField = new Map<string, Terms>();
  const shown = new Map<string, TermVectorsRequest>();
  for (const field of chosenFields(context, place, request)) {
    const own = shownOf(field, request);
    shown.set(field.name, own);
    const analyzer = analyzerOf(context, place, field, request);
    const values = extractAll(source, mapping.sourcePaths(field.name));
    const terms = await termsOf(field, analyzer, values, own, work);
    if (terms.size > 0) byField.set(field.name, terms);
  }
  if (byField.size === 0) return {};
  const needsCounts = request.termStatistics || request.fieldStatistics || request.filter !== null;
  const counts: Statistics = needsCounts ? await statisticsOf(context, place, byField) : {};
  return Object.fromEntries(
    [...byField].map(([name, terms]) => [name, fieldJson(terms, counts[name], shown.get(name)!)]),
  );
}

/** Runs work whose turns and memory are those of a call. */
async function withWork<T>(
  context: CoordinatorContext,
  call: CallContext,
  run: (work: VectorWork) => Promise<T>,
): Promise<T> {
  const releases: (() => void)[] = [];
  const charge = (bytes: number): void => void releases.push(context.inFlight.charge(bytes, LABEL));
  try {
    return await run({ turns: takeTurns(context.clock, call.signal), charge });
  } finally {
    for (const release of releases) release();
  }
}

/**
 * Returns the term vectors of one document. The document is always analysed again; of fields whose vectors the mapping
 * stores, what it does not store of them is not shown.
 */
export async function termVectors(
  context: CoordinatorContext,
  request: TermVectorsRequest,
  call: CallContext,
  action: string = ACTIONS.termVectors,
): Promise<VectorsAnswer> {
  return withWork(context, call, (work) => vectorsOfDocument(context, request, call, action, work));
}

interface VectorsAnswer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

async function vectorsOfDocument(
  context: CoordinatorContext,
  request: TermVectorsRequest,
  call: CallContext,
  action: string,
  work: VectorWork,
): Promise<VectorsAnswer> {
  const startedMs = startOf(context.clock, call);
  const tookMs = (): number => Math.round(context.clock.monotonic() - startedMs);
  if (request.id === null) {
    if (request.doc === undefined) throw errors.actionRequestValidation('Validation Failed: 1: id or doc is missing;');
    const { index, limits } = readableIndex(
      context.cluster.state(),
      request.index,
      context.clock.now(),
      accessOf(call, action),
    );
    const vectors = await vectorsOf(context, { index, shard: 0, limits }, request.doc, request, work);
    return {
      status: 200,
      json: { _index: index.name, _version: 0, found: true, took: tookMs(), term_vectors: vectors },
    };
  }
  const place = placeOf(
    context.cluster.state(),
    request.index,
    request.id,
    request.routing,
    context.clock.now(),
    accessOf(call, action),
  );
  const found = await storedDocument(context, request, request.id, call, action);
  const head = { _index: place.index.name, _id: request.id, _version: found?.version ?? 0, found: found !== null };
  if (found === null) return { status: 404, json: { ...head, took: tookMs() } };
  const vectors = await vectorsOf(context, place, found.source, request, work);
  return { status: 200, json: { ...head, took: tookMs(), term_vectors: vectors } };
}

/** Returns the term vectors of many documents. A document that fails has its error in the answer. */
export async function multiTermVectors(
  context: CoordinatorContext,
  requests: readonly TermVectorsRequest[],
  call: CallContext,
): Promise<Record<string, unknown>> {
  const failed = (request: TermVectorsRequest, error: ApiError): Record<string, unknown> => ({
    _index: request.index,
    _id: request.id,
    error: toErrorBody(error)['error'],
  });
  const one = async (request: TermVectorsRequest): Promise<Record<string, unknown>> => {
    try {
      return (await termVectors(context, request, call, ACTIONS.multiTermVectors)).json;
    } catch (error) {
      return failed(request, context.apiError(error));
    }
  };
  const docs: Record<string, unknown>[] = [];
  for (let from = 0; from < requests.length; from += DOCUMENTS_AT_ONCE) {
    call.signal.throwIfAborted();
    docs.push(...(await Promise.all(requests.slice(from, from + DOCUMENTS_AT_ONCE).map(one))));
  }
  return { docs };
}
