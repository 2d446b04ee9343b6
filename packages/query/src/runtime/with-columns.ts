import type { FieldType } from '@shoal/mapping';
import { type BitSet, bitSet, WINDOW_DOCS } from '@shoal/segments';
import { windowEnd } from '../execute/matchers/gather.js';
import { markPostings } from '../execute/score.kernel.js';
import { createWeight } from '../execute/weight.js';
import type { Plan } from '../plan.js';
import { isSlowPerDocument } from '../plan-clauses.js';
import type { Pause, RuntimeColumns, Searcher, SegmentView } from '../searcher.js';
import { RuntimeColumnBuilder } from './runtime-columns.js';
import { withOwnColumns } from './runtime-searcher.js';

/** Which columns of runtime fields a request needs, of which documents. */
export interface ColumnRequest {
  readonly fields: readonly FieldType[];
  /** Matches of the plan are the only documents whose values are read; null if values of all documents may be. */
  readonly matches: Plan | null;
  readonly pause: Pause;
  /** Returns whether the time of the request is over. What has been read by then has to do. */
  isOver(): boolean;
  /** Charges bytes that the request holds until it ends. Throws circuit_breaking_exception. */
  charge(bytes: number): void;
}

/** Columns of fewer documents than this part of all are made for the request alone, and not kept. */
const FEW = 1 / 4;
/** Documents between two pauses, and their number in a window of matches if each of them takes long. */
const STEP_DOCS = 16;

/**
 * Makes the columns of runtime fields that a request needs and that are not kept from an earlier one, with pauses, and
 * returns a searcher that has them. If the request matches few documents, only these are read.
 */
export async function withColumns(searcher: Searcher, request: ColumnRequest): Promise<Searcher> {
  const missing = request.fields.filter((field) =>
    searcher.segments.some((view) => searcher.runtime!.madeColumns(field, view) === null),
  );
  if (missing.length === 0) return searcher;
  const needsScores = missing.some((field) => field.runtime!.returned?.needsScore === true);
  const matched = request.matches === null ? null : await matchedDocs(searcher, request.matches, needsScores, request);
  const isOfAll = matched === null || (!needsScores && matched.count >= searcher.liveDocCount * FEW);
  const made = new Map<string, RuntimeColumns[]>(missing.map(({ name }) => [name, []]));
  for (const [i, view] of searcher.segments.entries()) {
    const docs = isOfAll ? view.live : matched.docs[i]!;
    const columns = await columnsOf(searcher, missing, view, docs, matched?.scores?.[i] ?? null, request);
    missing.forEach(({ name }, k) => made.get(name)!.push(columns[k]!));
  }
  if (!isOfAll || request.isOver()) return withOwnColumns(searcher, made);
  for (const field of missing)
    searcher.segments.forEach((view, i) => searcher.runtime!.keepColumns(field, view, made.get(field.name)![i]!));
  return searcher;
}

/**
 * Returns the columns of some documents of a segment; null stands for all. Those that are kept are taken. Each source
 * is read once for all fields.
 */
async function columnsOf(
  searcher: Searcher,
  fields: readonly FieldType[],
  view: SegmentView,
  docs: BitSet | null,
  scores: Float32Array | null,
  { pause, isOver, charge }: ColumnRequest,
): Promise<RuntimeColumns[]> {
  const runtime = searcher.runtime!;
  const known = fields.map((field) => runtime.madeColumns(field, view));
  const builders = fields.map((field) => new RuntimeColumnBuilder(field, runtime.reader(field, view)));
  const unknown = fields.flatMap((_, i) => (known[i] === null ? [i] : []));
  let charged = 0;
  let doc = unknown.length === 0 ? view.maxDoc : (docs?.next(0) ?? 0);
  for (let read = 0; doc < view.maxDoc && !isOver(); doc = docs?.next(doc + 1) ?? doc + 1) {
    const score = scores === null ? 0 : scores[doc]!;
    for (const i of unknown) builders[i]!.read(doc, score);
    if (++read % STEP_DOCS !== 0) continue;
    const bytes = builders.reduce((sum, builder) => sum + builder.bytes, 0);
    charge(bytes - charged);
    charged = bytes;
    const wait = pause();
    if (wait !== null) await wait;
  }
  return builders.map((builder, i) => known[i] ?? builder.build());
}

interface MatchedDocs {
  /** Live matches by position of the segment. */
  readonly docs: readonly BitSet[];
  /** Scores by position of the segment and document, if they were asked for. */
  readonly scores: readonly Float32Array[] | null;
  readonly count: number;
}

async function matchedDocs(
  searcher: Searcher,
  plan: Plan,
  needsScores: boolean,
  { pause, isOver }: Pick<ColumnRequest, 'pause' | 'isOver'>,
): Promise<MatchedDocs> {
  const weight = createWeight(plan, searcher, { needsScores });
  const step = isSlowPerDocument(plan) ? STEP_DOCS : WINDOW_DOCS;
  const found = new Int32Array(WINDOW_DOCS);
  const foundScores = needsScores ? new Float64Array(WINDOW_DOCS) : null;
  const docs: BitSet[] = [];
  const scores: Float32Array[] = [];
  let count = 0;
  for (const view of searcher.segments) {
    const bits = bitSet(view.maxDoc);
    const ofSegment = needsScores ? new Float32Array(view.maxDoc) : null;
    const matcher = weight.matcher(view, needsScores);
    for (let from = matcher?.next(0) ?? view.maxDoc; from < view.maxDoc && !isOver(); ) {
      const to = Math.min(windowEnd(from, view.maxDoc), from + step);
      const matches = matcher!.window(from, to, found, foundScores);
      markPostings(found, 0, matches, 0, bits.words);
      if (ofSegment !== null) for (let k = 0; k < matches; k++) ofSegment[found[k]!] = foundScores![k]!;
      from = matcher!.next(to);
      const wait = pause();
      if (wait !== null) await wait;
    }
    if (view.live !== null) for (let w = 0; w < bits.words.length; w++) bits.words[w]! &= view.live.words[w]!;
    docs.push(bits);
    if (ofSegment !== null) scores.push(ofSegment);
    count += bits.cardinality();
  }
  return { docs, scores: needsScores ? scores : null, count };
}
