import { errors } from '@shoal/errors';
import { parseSource } from '@shoal/json';
import { ScriptRandom } from '../execute/weights/random-values.js';
import { createWeight } from '../execute/weight.js';
import { parseContext } from '../parse/parse-context.js';
import { parseQuery } from '../parse/parse-query.js';
import { planQuery } from '../plan-query.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { ScriptSourceMap } from './script-source-map.js';
import { ScriptVectors } from './script-vectors.js';
import { type SearchScript, SegmentScript } from './segment-script.js';

/** Limit for the values that a script emits. */
const VALUES_MAX = 100;

/** A root document of a segment. */
export interface DocumentOfSegment {
  readonly searcher: Searcher;
  readonly segment: SegmentView;
  readonly doc: number;
}

/** What a script made of a document. */
export interface ScriptOutcome {
  /** What the script returned. */
  readonly result: unknown;
  /** Arguments of each call of `emit`, for the contexts of runtime fields. */
  readonly emitted: readonly (readonly unknown[])[];
}

/**
 * Runs a script once on a document. `query` is JSON whose score is `_score`; null for 1. Throws script_exception, and
 * illegal_argument_exception for a query that does not match the document.
 */
export function runOnDocument(
  script: SearchScript,
  of: DocumentOfSegment,
  query: unknown,
  nowMs: number,
): ScriptOutcome {
  const { searcher, segment, doc } = of;
  const source = new ScriptSourceMap(script.params, () => parseSource(searcher.stored(segment.docBase + doc).source));
  const emitted: unknown[][] = [];
  const emit = (...values: unknown[]): void => {
    if (emitted.push(values) > VALUES_MAX)
      throw errors.illegalArgument(
        `Runtime field [${script.context}] is emitting [${emitted.length}] values while the maximum number of values ` +
          `allowed is [${VALUES_MAX}]`,
      );
  };
  const score = (): number => (query === null ? 1 : scoreOf(of, query, nowMs));
  const extra = script.context.endsWith('_field') ? emit : score();
  const random = new ScriptRandom(searcher, segment);
  random.doc = doc;
  const vectors = new ScriptVectors(searcher, segment);
  vectors.doc = doc;
  const run = new SegmentScript({ ...script, params: source.params }, searcher, segment, [
    extra,
    random.next,
    vectors.compare,
  ]);
  run.setWindow(Int32Array.of(doc), 1);
  return { result: run.run(0), emitted };
}

function scoreOf({ searcher, segment, doc }: DocumentOfSegment, query: unknown, nowMs: number): number {
  const parsed = parseQuery(query, parseContext());
  const plan = planQuery(parsed, { searcher, now: () => nowMs, nestedPath: null, innerHits: [] });
  const scores = new Float64Array(1);
  const matcher = createWeight(plan, searcher, { needsScores: true }).matcher(segment, true);
  if ((matcher?.filter(Int32Array.of(doc), 1, scores) ?? 0) === 0)
    throw errors.illegalArgument('[query] of the context_setup does not match its document');
  return scores[0]!;
}
