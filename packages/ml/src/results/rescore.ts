import type { JsonObject } from '@shoal/json';
import type { ScoreMove } from '@shoal/learning';
import type { MlDocuments } from '../documents/ml-documents.js';
import { readAlias, resultsIndex, writeAlias } from '../documents/ml-indices.js';
import type { JobConfig } from '../jobs/job-config.js';
import { bulkLines } from './result-lines.js';

/** Moves of scores that a bucket has caused, and the seconds of its start. */
export interface ScoreMoves {
  readonly time: number;
  readonly moves: readonly ScoreMove[];
}

/** Results that one search returns, and moves that it looks for. */
const PAGE = 5000;
const CLAUSES_MAX = 200;

const FIELDS = {
  record: { score: 'record_score', initial: 'initial_record_score' },
  bucket: { score: 'anomaly_score', initial: 'initial_anomaly_score' },
  influencer: { score: 'influencer_score', initial: 'initial_influencer_score' },
} as const;

/**
 * Gives earlier results the scores that they are worth now: those within `renormalization_window_days` before a bucket,
 * and of them only those that move. Done again it writes the same.
 */
export async function rescore(documents: MlDocuments, config: JobConfig, { time, moves }: ScoreMoves): Promise<void> {
  if (config.rescoreS === 0) return;
  await documents.refresh(resultsIndex(config.resultsIndexName));
  for (const type of ['record', 'bucket', 'influencer'] as const) {
    const own = moves.filter(({ kind }) => kind.type === type);
    for (let i = 0; i < own.length; i += CLAUSES_MAX) {
      const part = own.slice(i, i + CLAUSES_MAX);
      await rescoreBetween(documents, config, part, (time - config.rescoreS) * 1000, (time + config.spanS) * 1000);
    }
  }
}

/** Rescores the results of a stretch of time, in halves if there are more than a page. */
async function rescoreBetween(
  documents: MlDocuments,
  config: JobConfig,
  moves: readonly ScoreMove[],
  fromMs: number,
  toMs: number,
): Promise<void> {
  const { type } = moves[0]!.kind;
  const filter = [
    { term: { result_type: type } },
    { range: { timestamp: { gte: fromMs, lt: toMs } } },
    { bool: { should: moves.map(clauseOf), minimum_should_match: 1 } },
  ];
  const { hits } = await documents.search(readAlias(config.id), { size: PAGE, query: { bool: { filter } } });
  const middleMs = fromMs + Math.floor((toMs - fromMs) / 2 / (config.spanS * 1000)) * config.spanS * 1000;
  if (hits.length === PAGE && middleMs > fromMs) {
    await rescoreBetween(documents, config, moves, fromMs, middleMs);
    return rescoreBetween(documents, config, moves, middleMs, toMs);
  }
  const changed = hits.flatMap(({ id, source }) => {
    const next = rescored(source, moves);
    return next === null ? [] : [{ id, source: next }];
  });
  if (changed.length > 0) await documents.bulk(writeAlias(config.id), Buffer.from(bulkLines(changed)));
}

function clauseOf({ kind, initialFrom, initialTo }: ScoreMove): JsonObject {
  const { initial } = FIELDS[kind.type];
  const filter: JsonObject[] = [
    { range: { [initial]: { gte: initialFrom, ...(initialTo === null ? {} : { lt: initialTo }) } } },
  ];
  if (kind.type === 'influencer') filter.push({ term: { influencer_field_name: kind.field } });
  if (kind.type === 'record' && kind.partition !== null)
    filter.push({ term: { partition_field_value: kind.partition } });
  const none =
    kind.type === 'record' && kind.partition === null ? [{ exists: { field: 'partition_field_value' } }] : [];
  return { bool: { filter, must_not: none } };
}

/** Returns a result with its new score; null if it does not move. */
export function rescored(source: JsonObject, moves: readonly ScoreMove[]): JsonObject | null {
  const { type } = moves[0]!.kind;
  const names = FIELDS[type];
  const initial = Number(source[names.initial]);
  const move = moves.find(
    ({ kind, initialFrom, initialTo }) =>
      isOfKind(source, kind) && initial >= initialFrom && (initialTo === null || initial < initialTo),
  );
  if (move === undefined) return null;
  const score = Math.min(initial, move.score);
  if (score === source[names.score]) return null;
  if (type !== 'bucket') return { ...source, [names.score]: score };
  const own = source['bucket_influencers'] as readonly JsonObject[] | undefined;
  const influencers = (own ?? []).map((one) => ({ ...one, anomaly_score: score }));
  return { ...source, anomaly_score: score, bucket_influencers: influencers };
}

function isOfKind(source: JsonObject, kind: ScoreMove['kind']): boolean {
  if (kind.type === 'bucket') return true;
  if (kind.type === 'influencer') return source['influencer_field_name'] === kind.field;
  return (source['partition_field_value'] ?? null) === kind.partition;
}
