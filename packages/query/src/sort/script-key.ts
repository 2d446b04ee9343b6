import { errors } from '@shoal/errors';
import { SegmentScript, usesVariable } from '../scripts/segment-script.js';
import type { Searcher, SegmentView } from '../searcher.js';
import { childrenOf, type NestedDocs } from './nested-docs.js';
import { pick } from './number-key.js';
import type { SegmentKeys, SortKey } from './sort-key.js';
import type { ScriptSort, SortMode } from './sort-spec.js';

/** What a document without nested objects is sorted by, in either order, as in 8.12. */
const WITHOUT_NESTED = Number.MAX_VALUE;

/** Returns the sort key of the numbers that a script makes of documents, or of their nested objects. */
export function scriptKey(spec: ScriptSort, nested: NestedDocs | null, searcher: Searcher): SortKey {
  const needsScores = usesVariable(spec.script, '_score');
  return {
    slots: 1,
    needsScores,
    runsScripts: true,
    direction: spec.order === 'desc' ? -1 : 1,
    isSegmental: false,
    segment: (view) => scriptKeys(spec, nested, searcher, view),
    parseAfter: (value) => {
      const number = Number(value);
      if (value !== null && !Number.isNaN(number)) return number;
      throw errors.illegalArgument('Failed to parse search_after value for field [_script].');
    },
  };
}

/** Makes the numbers of documents of a segment: a number for each of `count` documents. */
type MakeNumbers = (docs: Int32Array, count: number, scores: Float64Array | null, out: Float64Array) => void;

function ownNumbers(bound: SegmentScript): MakeNumbers {
  return (docs, count, scores, out) => {
    bound.setWindow(docs, count);
    bound.each(
      count,
      (i) => scores?.[i] ?? 0,
      (i, value) => {
        out[i] = value as number;
      },
    );
  };
}

function nestedNumbers(bound: SegmentScript, mode: SortMode, nested: NestedDocs, view: SegmentView): MakeNumbers {
  return (docs, count, scores, out) => {
    for (let i = 0; i < count; i++) {
      const children = childrenOf(nested, view, docs[i]!);
      bound.setWindow(children, children.length);
      const made = Float64Array.from(children, (_child, at) => bound.run(at, scores?.[i] ?? 0) as number).sort();
      out[i] = made.length === 0 ? WITHOUT_NESTED : pick(made, 0, made.length, mode, true);
    }
  };
}

function scriptKeys(spec: ScriptSort, nested: NestedDocs | null, searcher: Searcher, view: SegmentView): SegmentKeys {
  const bound = new SegmentScript(spec.script, searcher, view, [0]);
  const sign = spec.order === 'desc' ? -1 : 1;
  const mode = spec.mode ?? (sign > 0 ? 'min' : 'max');
  const make = nested === null ? ownNumbers(bound) : nestedNumbers(bound, mode, nested, view);
  const one = new Float64Array(1);
  return {
    read: (_slot, docs, count, scores, out) => {
      make(docs, count, scores, out);
      for (let i = 0; i < count; i++) out[i] = sign * out[i]!;
    },
    blockBest: () => -Infinity,
    blockWorst: () => Infinity,
    value: (doc, score) => {
      make(Int32Array.of(doc), 1, Float64Array.of(score), one);
      const value = one[0]!;
      return Number.isFinite(value) ? value : value > 0 ? 'Infinity' : '-Infinity';
    },
    keyOf: (_slot, value) => sign * Number(value),
    termOf: () => null,
  };
}
