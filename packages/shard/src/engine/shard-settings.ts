import { parseSimilarity, type SimilaritySettings } from '@shoal/mapping';
import { parseTimeValue } from '@shoal/values';
import type { SearchSettings } from '@shoal/query';
import type { ShardMetadata } from '../shard-metadata.js';
import { type IndexSort, indexSort } from './index-sort.js';
import { type SlowLogSettings, slowLogSettings } from '../stats/slow-log.js';

type Flat = Readonly<Record<string, string | readonly string[] | null>>;

/** Settings of an index that the engine reads. Times in milliseconds, sizes in bytes. */
export interface EngineSettings {
  /** -1: only explicit refreshes. */
  readonly refreshIntervalMs: number;
  /** Whether the user has set the interval: then an idle shard is refreshed too. */
  readonly isRefreshIntervalExplicit: boolean;
  readonly searchIdleAfterMs: number;
  readonly maxRefreshListeners: number;
  readonly gcDeletesMs: number;
  readonly durability: 'request' | 'async';
  readonly syncIntervalMs: number;
  readonly flushThresholdBytes: number;
  readonly segmentsPerTier: number;
  readonly maxMergeAtOnce: number;
  readonly maxMergedSegmentBytes: number;
  readonly floorSegmentBytes: number;
  readonly expungeDeletesAllowed: number;
  readonly deletesPercentAllowed: number;
  readonly isRequestCacheEnabled: boolean;
  readonly slowLog: SlowLogSettings | null;
  /** Null for an index without a sort: documents stay in order of indexing. */
  readonly sort: IndexSort | null;
}

const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
  tb: 1024 ** 4,
  pb: 1024 ** 5,
};

function textOf(settings: Flat, key: string): string | null {
  const value = settings[key];
  return typeof value === 'string' ? value : null;
}

function timeOf(settings: Flat, key: string, defaultMs: number): number {
  const text = textOf(settings, key);
  return text === null ? defaultMs : text === '-1' ? -1 : parseTimeValue(text, key);
}

function numberOf(settings: Flat, key: string, defaultValue: number): number {
  const text = textOf(settings, key);
  const number = text === null ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : defaultValue;
}

/** Returns a size in bytes. Settings were validated before; a value that is no size falls back to the default. */
function bytesOf(settings: Flat, key: string, defaultBytes: number): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([kmgtp]?b)\s*$/i.exec(textOf(settings, key) ?? '');
  return match ? Math.floor(Number(match[1]) * UNITS[match[2]!.toLowerCase()]!) : defaultBytes;
}

/** Reads the engine's settings from an index's flat settings, with Elasticsearch's defaults. */
export function engineSettings(settings: Flat): EngineSettings {
  return {
    refreshIntervalMs: timeOf(settings, 'index.refresh_interval', 1000),
    isRefreshIntervalExplicit: textOf(settings, 'index.refresh_interval') !== null,
    searchIdleAfterMs: timeOf(settings, 'index.search.idle.after', 30_000),
    maxRefreshListeners: numberOf(settings, 'index.max_refresh_listeners', 1000),
    gcDeletesMs: timeOf(settings, 'index.gc_deletes', 60_000),
    durability: textOf(settings, 'index.translog.durability')?.toLowerCase() === 'async' ? 'async' : 'request',
    syncIntervalMs: timeOf(settings, 'index.translog.sync_interval', 5000),
    flushThresholdBytes: bytesOf(settings, 'index.translog.flush_threshold_size', 512 * 1024 ** 2),
    segmentsPerTier: numberOf(settings, 'index.merge.policy.segments_per_tier', 10),
    maxMergeAtOnce: numberOf(settings, 'index.merge.policy.max_merge_at_once', 10),
    maxMergedSegmentBytes: bytesOf(settings, 'index.merge.policy.max_merged_segment', 5 * 1024 ** 3),
    floorSegmentBytes: bytesOf(settings, 'index.merge.policy.floor_segment', 2 * 1024 ** 2),
    expungeDeletesAllowed: numberOf(settings, 'index.merge.policy.expunge_deletes_allowed', 10),
    deletesPercentAllowed: numberOf(settings, 'index.merge.policy.deletes_pct_allowed', 20),
    slowLog: slowLogSettings(settings),
    sort: indexSort(settings),
    isRequestCacheEnabled: textOf(settings, 'index.requests.cache.enable') !== 'false',
  };
}

function similarityNamed(settings: Flat, name: string): SimilaritySettings | null {
  const prefix = `index.similarity.${name}.`;
  const keys = Object.keys(settings).filter((key) => key.startsWith(prefix));
  if (keys.length === 0) return name === 'boolean' ? { type: 'boolean' } : null;
  const group = keys.flatMap((key): [string, string][] => {
    const value = textOf(settings, key);
    return value === null ? [] : [[key.slice(prefix.length), value]];
  });
  return parseSimilarity(name, new Map(group));
}

/** Returns the limits that searches read. `similarityOf` returns the similarity in a field's mapping, or null. */
export function searchSettings(settings: Flat, similarityOf: (field: string) => string | null): SearchSettings {
  const fields = settings['index.query.default_field'];
  const known = new Map<string, SimilaritySettings | null>();
  return {
    maxResultWindow: numberOf(settings, 'index.max_result_window', 10_000),
    maxInnerResultWindow: numberOf(settings, 'index.max_inner_result_window', 100),
    maxRescoreWindow: numberOf(settings, 'index.max_rescore_window', 10_000),
    maxTermsCount: numberOf(settings, 'index.max_terms_count', 65_536),
    maxRegexLength: numberOf(settings, 'index.max_regex_length', 1000),
    maxClauseCount: numberOf(settings, 'indices.query.bool.max_clause_count', 16_384),
    maxDocvalueFields: numberOf(settings, 'index.max_docvalue_fields_search', 100),
    maxScriptFields: numberOf(settings, 'index.max_script_fields', 32),
    maxAnalyzedOffset: numberOf(settings, 'index.highlight.max_analyzed_offset', 1_000_000),
    maxSlicesPerScroll: numberOf(settings, 'index.max_slices_per_scroll', 1024),
    defaultFields: fields === undefined || fields === null ? ['*'] : typeof fields === 'string' ? [fields] : fields,
    queryStringLenient: textOf(settings, 'index.query_string.lenient') === 'true',
    allowExpensiveQueries: true,
    similarity(field) {
      let found = known.get(field);
      if (found === undefined) {
        const name =
          similarityOf(field) ?? (textOf(settings, 'index.similarity.default.type') === null ? null : 'default');
        known.set(field, (found = name === null || name === 'BM25' ? null : similarityNamed(settings, name)));
      }
      return found;
    },
  };
}

/** Returns the limits that searches of an index read. */
export function metadataSettings({ metadata, mapping }: ShardMetadata): SearchSettings {
  return searchSettings(metadata.settings, (field) => {
    const similarity = mapping.field(field)?.toJson(false)['similarity'];
    return typeof similarity === 'string' ? similarity : null;
  });
}
