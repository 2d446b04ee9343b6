import { isSmallJson, stringify, stringifyInSteps, stringifyMixed } from '@shoal/json';
import { formatFloat } from '@shoal/values';
import { encodeUtf8 } from '../json-bytes.js';
import type { Turns } from '../turns.js';
import { type SearchFailure, groupFailures } from './search-failure.js';

/** The answer of a search. */
export interface SearchAnswer {
  readonly scrollId: string | null;
  readonly pitId: string | null;
  readonly tookMs: number;
  readonly timedOut: boolean;
  /** Whether the search terminated early; null if the answer does not show it. */
  readonly terminatedEarly: boolean | null;
  readonly shards: ShardCounts;
  /** Number of matches; null if not tracked. */
  readonly total: { readonly value: number; readonly isLowerBound: boolean } | null;
  readonly totalAsInt: boolean;
  readonly maxScore: number | null;
  readonly hits: readonly Uint8Array[];
  readonly aggregations: Readonly<Record<string, unknown>> | null;
  readonly suggest: Readonly<Record<string, unknown>> | null;
  /** Profile of each shard as JSON; null without profile. */
  readonly profile: readonly Uint8Array[] | null;
}

/** Counts of `_shards`, with the failures. */
export interface ShardCounts {
  readonly total: number;
  readonly successful: number;
  readonly skipped: number;
  readonly failures: readonly SearchFailure[];
}

const COMMA = encodeUtf8(',');
const AGGREGATIONS = encodeUtf8(']},"aggregations":');

/** Renders `_shards` of a search. */
export function shardCountsJson(shards: ShardCounts): string {
  const failed = shards.failures.length;
  const failures = failed === 0 ? '' : `,"failures":${JSON.stringify(groupFailures(shards.failures))}`;
  const { total, successful, skipped } = shards;
  return `{"total":${total},"successful":${successful},"skipped":${skipped},"failed":${failed}${failures}}`;
}

function totalJson(answer: SearchAnswer): string {
  if (answer.total === null) return answer.totalAsInt ? '"total":-1,' : '';
  if (answer.totalAsInt) return `"total":${answer.total.value},`;
  return `"total":{"value":${answer.total.value},"relation":"${answer.total.isLowerBound ? 'gte' : 'eq'}"},`;
}

const maxScoreText = (score: number | null): string =>
  score === null || !Number.isFinite(score) ? 'null' : formatFloat(Math.fround(score));

/** Renders the start of a hits object: `"total":…,"max_score":…,"hits":[`. */
function hitsHead(answer: SearchAnswer): string {
  return `${totalJson(answer)}"max_score":${maxScoreText(answer.maxScore)},"hits":[`;
}

/** Renders the `hits` object alone, for inner hits of a collapsed group. */
export function hitsObject(answer: SearchAnswer): Buffer {
  const chunks: Uint8Array[] = [encodeUtf8(`{${hitsHead(answer)}`)];
  withCommas(answer.hits, chunks);
  chunks.push(encodeUtf8(']}'));
  return Buffer.concat(chunks);
}

function head(answer: SearchAnswer): string {
  const scroll = answer.scrollId === null ? '' : `"_scroll_id":"${answer.scrollId}",`;
  const pit = answer.pitId === null ? '' : `"pit_id":${JSON.stringify(answer.pitId)},`;
  const early = answer.terminatedEarly === null ? '' : `"terminated_early":${answer.terminatedEarly},`;
  return (
    `{${scroll}${pit}"took":${answer.tookMs},"timed_out":${answer.timedOut},${early}` +
    `"_shards":${shardCountsJson(answer.shards)},"hits":{${hitsHead(answer)}`
  );
}

/** `aggregations` in JSON. */
type AggregationChunks = readonly Uint8Array[];

function tail(answer: SearchAnswer, aggregations: AggregationChunks, end: string): Uint8Array[] {
  const suggest = answer.suggest === null ? '' : `,"suggest":${stringify(answer.suggest)}`;
  if (aggregations.length === 0) return [encodeUtf8(`]}${suggest}${end}`)];
  return [AGGREGATIONS, ...aggregations, encodeUtf8(`${suggest}${end}`)];
}

function withCommas(parts: readonly Uint8Array[], chunks: Uint8Array[]): void {
  parts.forEach((part, i) => {
    if (i > 0) chunks.push(COMMA);
    chunks.push(part);
  });
}

/** Aggregations of more values are rendered in turns of the thread. */
const LARGE_VALUES = 4_096;

/** Renders the answer. Hits are inserted as their shards rendered them. */
export async function searchAnswerChunks(answer: SearchAnswer, turns: Turns): Promise<Uint8Array[]> {
  const { aggregations } = answer;
  if (aggregations === null) return chunksOf(answer, []);
  if (isSmallJson(aggregations, LARGE_VALUES)) return chunksOf(answer, [encodeUtf8(stringifyMixed(aggregations))]);
  for (const steps = stringifyInSteps(aggregations, stringifyMixed); ; ) {
    const { done, value } = steps.next();
    if (done === true) return chunksOf(answer, value);
    const wait = turns.pause();
    if (wait !== null) await wait;
  }
}

function chunksOf(answer: SearchAnswer, aggregations: AggregationChunks): Uint8Array[] {
  const chunks: Uint8Array[] = [encodeUtf8(head(answer))];
  withCommas(answer.hits, chunks);
  if (answer.profile === null) return joined([...chunks, ...tail(answer, aggregations, '}')]);
  chunks.push(...tail(answer, aggregations, ',"profile":{"shards":['));
  withCommas(answer.profile, chunks);
  chunks.push(encodeUtf8(']}}'));
  return chunks;
}

/** Bytes of an answer that is one chunk. */
const ONE_CHUNK_BYTES = 16 * 1024;

/** Joins the chunks of a small answer. */
function joined(chunks: Uint8Array[]): Uint8Array[] {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return length <= ONE_CHUNK_BYTES ? [Buffer.concat(chunks, length)] : chunks;
}
