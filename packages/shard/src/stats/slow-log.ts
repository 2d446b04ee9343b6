import type { Log, LogLevel } from '@shoal/doors';
import type { SearchOptions } from '@shoal/protocol';
import { parseTimeValue } from '@shoal/values';
import type { TotalHits } from '../shard-api.js';

type Flat = Readonly<Record<string, string | readonly string[] | null>>;

const LEVELS = ['warn', 'info', 'debug', 'trace'] as const;

/** A level of the slow log and the milliseconds beyond which a line of it is written, the most severe first. */
type Thresholds = readonly { readonly level: (typeof LEVELS)[number]; readonly ms: number }[];

/** What an index's `slowlog` settings ask for. */
export interface SlowLogSettings {
  readonly query: Thresholds;
  readonly fetch: Thresholds;
  readonly index: Thresholds;
  /** Characters of a document that its line shows. */
  readonly sourceChars: number;
  /** Whether documents are shown in one line. */
  readonly reformats: boolean;
}

function thresholds(settings: Flat, prefix: string): Thresholds {
  return LEVELS.flatMap((level) => {
    const text = settings[`${prefix}.${level}`];
    if (typeof text !== 'string' || text === '-1') return [];
    return [{ level, ms: parseTimeValue(text, `${prefix}.${level}`) }];
  });
}

const DEFAULT_SOURCE_CHARS = 1000;

function sourceChars(text: unknown): number {
  if (typeof text !== 'string') return DEFAULT_SOURCE_CHARS;
  if (text === 'true') return Infinity;
  const count = text === 'false' ? 0 : Number(text);
  return Number.isFinite(count) ? count : DEFAULT_SOURCE_CHARS;
}

/** Reads the settings; null when no threshold is set, so that nothing is measured. */
export function slowLogSettings(settings: Flat): SlowLogSettings | null {
  const query = thresholds(settings, 'index.search.slowlog.threshold.query');
  const fetch = thresholds(settings, 'index.search.slowlog.threshold.fetch');
  const index = thresholds(settings, 'index.indexing.slowlog.threshold.index');
  if (query.length + fetch.length + index.length === 0) return null;
  return {
    query,
    fetch,
    index,
    sourceChars: sourceChars(settings['index.indexing.slowlog.source']),
    reformats: settings['index.indexing.slowlog.reformat'] !== 'false',
  };
}

function levelFor(list: Thresholds, tookMs: number): (typeof LEVELS)[number] | null {
  return list.find(({ ms }) => tookMs > ms)?.level ?? null;
}

/** The node's log knows no finer lines than these; who sets a threshold wants them seen. */
const written = (level: (typeof LEVELS)[number]): LogLevel => (level === 'warn' ? 'warn' : 'info');

/** The shard that lines are about. */
export interface SlowLogPlace {
  readonly index: string;
  readonly shard: number;
}

function fieldsOf({ index, shard }: SlowLogPlace, level: string, tookMs: number): Record<string, unknown> {
  const took = Math.round(tookMs);
  return {
    'elasticsearch.slowlog.level': level.toUpperCase(),
    'elasticsearch.slowlog.message': `[${index}][${shard}]`,
    'elasticsearch.slowlog.took': `${took}ms`,
    'elasticsearch.slowlog.took_millis': took,
  };
}

/** `X-Opaque-Id` and `trace.id` of the request, as the message has them. */
function callerFields(caller: string | undefined): Record<string, unknown> {
  if (caller === undefined) return {};
  const { 'X-Opaque-Id': opaqueId, 'trace.id': traceId } = JSON.parse(caller) as Record<string, string | undefined>;
  return {
    ...(opaqueId === undefined ? {} : { 'http.request.id': opaqueId }),
    ...(traceId === undefined ? {} : { 'trace.id': traceId }),
  };
}

/** The slow log of searches calls the client's id its own as well. */
function searchCaller(caller: string | undefined): Record<string, unknown> {
  const fields = callerFields(caller);
  return fields['http.request.id'] === undefined
    ? fields
    : { ...fields, 'elasticsearch.slowlog.id': fields['http.request.id'] };
}

/** A search's phase on one shard. */
export interface SlowSearch {
  readonly phase: 'query' | 'fetch';
  readonly tookMs: number;
  readonly groups: readonly string[];
  /** The request's body. */
  readonly body: Uint8Array;
  /** JSON SearchOptions. */
  readonly options: Uint8Array;
  readonly total: TotalHits | null;
  /** Shards of the whole search; undefined where the node that asks does not tell. */
  readonly totalShards: number | undefined;
  readonly caller?: string | undefined;
}

/** Read only for a line that is written. */
function searchType(options: Uint8Array): string {
  return (JSON.parse(Buffer.from(options).toString('utf8')) as SearchOptions).searchType.toUpperCase();
}

/** Writes a line when a phase took longer than the index allows. */
export function logSlowSearch(
  log: Log,
  settings: SlowLogSettings,
  place: SlowLogPlace,
  { phase, tookMs, groups, body, options, caller, total, totalShards }: SlowSearch,
): void {
  const level = levelFor(settings[phase], tookMs);
  if (level === null) return;
  log.write(written(level), `slow ${phase} of a search`, {
    'event.dataset': 'elasticsearch.index_search_slowlog',
    'log.logger': `index.search.slowlog.${phase}`,
    'log.level': level.toUpperCase(),
    ...fieldsOf(place, level, tookMs),
    ...searchCaller(caller),
    ...(total === null
      ? {}
      : { 'elasticsearch.slowlog.total_hits': `${total.value}${total.isLowerBound ? '+' : ''} hits` }),
    'elasticsearch.slowlog.stats': groups,
    'elasticsearch.slowlog.search_type': searchType(options),
    ...(totalShards === undefined ? {} : { 'elasticsearch.slowlog.total_shards': totalShards }),
    'elasticsearch.slowlog.source': Buffer.from(body).toString('utf8'),
  });
}

/** A document that was indexed. */
export interface SlowWrite {
  readonly id: string;
  readonly routing: string | null;
  readonly tookMs: number;
  readonly source: Uint8Array;
  readonly caller?: string | undefined;
}

function shownSource(source: Uint8Array, { sourceChars: count, reformats }: SlowLogSettings): string {
  const text = Buffer.from(source).toString('utf8');
  return (reformats ? JSON.stringify(JSON.parse(text)) : text).slice(0, count);
}

/** Writes a line when indexing a document took longer than the index allows. */
export function logSlowWrite(
  log: Log,
  settings: SlowLogSettings,
  place: SlowLogPlace,
  { id, routing, tookMs, source, caller }: SlowWrite,
): void {
  const level = levelFor(settings.index, tookMs);
  if (level === null) return;
  log.write(written(level), 'slow indexing of a document', {
    'event.dataset': 'elasticsearch.index_indexing_slowlog',
    'log.logger': 'index.indexing.slowlog.index',
    'log.level': level.toUpperCase(),
    ...fieldsOf(place, level, tookMs),
    ...callerFields(caller),
    'elasticsearch.slowlog.id': id,
    ...(routing === null ? {} : { 'elasticsearch.slowlog.routing': routing }),
    ...(settings.sourceChars === 0 ? {} : { 'elasticsearch.slowlog.source': shownSource(source, settings) }),
  });
}
