import type { Log, LogLevel } from '@shoal/doors';
import { shard } from '@shoal/protocol';
import { parseTimeValue } from '@shoal/values';
import type { TotalHits } from '../shard-api.js';

type Flat = Readonly<Record<string, string | readonly string[] | null>>;

const LEVELS = ['warn', 'info', 'debug', 'trace'] as const;

/** Levels of the slow log with their thresholds in milliseconds, the most severe first. A longer phase is logged. */
type Thresholds = readonly { readonly level: (typeof LEVELS)[number]; readonly ms: number }[];

/** Settings `slowlog` of an index. */
export interface SlowLogSettings {
  readonly query: Thresholds;
  readonly fetch: Thresholds;
  readonly index: Thresholds;
  /** Characters of a document's source that a line shows. */
  readonly sourceChars: number;
  /** Whether sources are printed on one line. */
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

/** Parses the settings; null when no threshold is set, so that nothing is measured. */
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

/**
 * Returns the level in the node's log. Its finest level is `info`; a user who sets a threshold wants to see the lines.
 */
const written = (level: (typeof LEVELS)[number]): LogLevel => (level === 'warn' ? 'warn' : 'info');

/** The shard that slow log lines are about. */
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

/** Returns `X-Opaque-Id` and `trace.id` of the request, from the message. */
function callerFields(caller: shard.Caller | undefined): Record<string, unknown> {
  if (caller === undefined) return {};
  const { opaqueId, traceId } = caller;
  return {
    ...(opaqueId === undefined ? {} : { 'http.request.id': opaqueId }),
    ...(traceId === undefined ? {} : { 'trace.id': traceId }),
  };
}

/** Returns the fields of the caller. The slow log of searches repeats the client's id under a name of its own. */
function searchCaller(caller: shard.Caller | undefined): Record<string, unknown> {
  const fields = callerFields(caller);
  return fields['http.request.id'] === undefined
    ? fields
    : { ...fields, 'elasticsearch.slowlog.id': fields['http.request.id'] };
}

/** A phase of a search on one shard. */
export interface SlowSearch {
  readonly phase: 'query' | 'fetch';
  readonly tookMs: number;
  readonly groups: readonly string[];
  /** Body of the search, JSON. */
  readonly body: Uint8Array;
  /** Encoded `shard.SearchOptions`. */
  readonly options: Uint8Array;
  readonly total: TotalHits | null;
  /** Number of shards of the whole search; undefined if the coordinating node did not send it. */
  readonly totalShards: number | undefined;
  readonly caller?: shard.Caller | undefined;
}

/** Returns the search type; parsed only for a line that is written. */
function searchType(options: Uint8Array): string {
  return shard.decodeSearchOptions(options).searchType.toUpperCase();
}

/** Writes a line if a phase took longer than a threshold. */
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
  readonly caller?: shard.Caller | undefined;
}

function shownSource(source: Uint8Array, { sourceChars: count, reformats }: SlowLogSettings): string {
  const text = Buffer.from(source).toString('utf8');
  return (reformats ? JSON.stringify(JSON.parse(text)) : text).slice(0, count);
}

/** Writes a line if indexing a document took longer than a threshold. */
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
