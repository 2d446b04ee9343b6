import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { docsWithNumbers, type SegmentReader } from '@shoal/segments';
import { boolean, float, type OptionPlace, type Reader } from '../parse/options.js';
import type { Searcher, SegmentView } from '../searcher.js';

/** Tokens of a query with their weights. */
export type Tokens = readonly (readonly [token: string, weight: number])[];

/**
 * `pruning_config`, as of 8.13: tokens that many documents have and that weigh little are left out, since they cost
 * much and hardly change the order of the best documents.
 */
export interface Pruning {
  /** A token is frequent if it is in at least this many times as many documents as the mean token of the field. */
  readonly frequencyRatio: number;
  /** A token weighs little up to this part of the largest weight. */
  readonly weight: number;
  /** Whether the tokens that would be left out are the ones that score, for a rescore. */
  readonly onlyPruned: boolean;
}

const RATIO_MAX = 100;
const DEFAULTS = { tokens_freq_ratio_threshold: 5, tokens_weight_threshold: 0.4 } as const;

/** Parses `pruning_config`. Throws for unknown options and for thresholds out of range. */
export const parsePruning: Reader<Pruning> = (value, { container, key }: OptionPlace) => {
  if (!isPlainObject(value))
    throw errors.parsing('[pruning_config] must be an object', { location: { container, key } });
  const known = [...Object.keys(DEFAULTS), 'only_score_pruned_tokens'];
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined)
    throw errors.parsing(`[pruning_config] unknown token [${other}]`, {
      location: { container: value, key: other, at: 'key' },
    });
  const onlyPruned = value['only_score_pruned_tokens'] ?? false;
  return {
    frequencyRatio: threshold(value, 'tokens_freq_ratio_threshold', 1, RATIO_MAX),
    weight: threshold(value, 'tokens_weight_threshold', 0, 1),
    onlyPruned: boolean(onlyPruned, { type: 'pruning_config', container: value, key: 'only_score_pruned_tokens' }),
  };
};

function threshold(config: JsonObject, name: keyof typeof DEFAULTS, least: number, most: number): number {
  const given = config[name] ?? DEFAULTS[name];
  const value = float(given, { type: 'pruning_config', container: config, key: name });
  if (value >= least && value <= most) return value;
  throw errors.illegalArgument(`[${name}] must be between [${least}] and [${most}], got ${value}`);
}

/** Tokens of a field in a segment, and the documents of all of them together. Deleted documents count. */
interface TokenCounts {
  readonly tokens: number;
  readonly documents: number;
}

/** Adds up the documents of all tokens of a field, without their postings; kept as long as the segment is. */
function tokenCounts(field: string, { reader, version }: SegmentView, cache: Searcher['cache']): TokenCounts {
  return cache.get(`tokens/${field}/${version}`, () => {
    const terms = reader.terms(field);
    // Segments of earlier builds have a column for each token instead.
    const prefix = `${field}.`;
    let [tokens, documents] = terms === null ? [0, 0] : [terms.termCount, terms.sumDocFreq];
    for (const name of reader.fields) {
      const count = name.startsWith(prefix) ? docsWithNumbers(reader, name) : 0;
      if (count > 0) tokens++;
      documents += count;
    }
    return { value: { tokens, documents }, bytes: 32 };
  });
}

/** Documents of a segment with a token. */
function documentsOf(reader: SegmentReader, field: string, token: string): number {
  const terms = reader.terms(field);
  const ordinal = terms === null ? -1 : terms.lookup(token);
  return (ordinal < 0 ? 0 : terms!.docFreq(ordinal)) + docsWithNumbers(reader, `${field}.${token}`);
}

/** Documents of the mean token of a field in a shard. Most tokens of all segments are in the largest one. */
function meanDocuments(field: string, { segments, cache }: Searcher): number {
  let [most, sum] = [0, 0];
  for (const segment of segments) {
    const { tokens, documents } = tokenCounts(field, segment, cache);
    most = Math.max(most, tokens);
    sum += documents;
  }
  return most === 0 ? 0 : sum / most;
}

/**
 * Returns the tokens that score: those that are no more frequent than the mean one times the ratio, and those that
 * weigh much; with `onlyPruned` the others. A token that no document has belongs to the others.
 */
export function prunedTokens(tokens: Tokens, field: string, pruning: Pruning, searcher: Searcher): Tokens {
  const mean = meanDocuments(field, searcher);
  if (mean === 0) return [];
  const best = tokens.reduce((most, [, weight]) => Math.max(most, weight), 0);
  return tokens.filter(([token, weight]) => {
    const count = searcher.segments.reduce((sum, { reader }) => sum + documentsOf(reader, field, token), 0);
    const isKept = count > 0 && (count < pruning.frequencyRatio * mean || weight > pruning.weight * best);
    return isKept !== pruning.onlyPruned;
  });
}
