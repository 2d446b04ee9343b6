import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_MORE_DOCS, WINDOW_DOCS } from '@shoal/segments';
import type { Matcher } from '../../matcher.js';
import { DisjunctionMatcher } from './bool-matchers.js';

const STEP = 64;
const WINDOWS = 60;

interface Asked {
  bounds: number;
  /** Documents that clauses proposed. */
  proposed: number;
}

/** A matcher of the documents that have a score; what it was asked for is counted in `asked`. */
function listed(scores: ReadonlyMap<number, number>, asked: Asked): Matcher {
  const docs = [...scores.keys()];
  const filter: Matcher['filter'] = (given, count, sums) => {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const score = scores.get(given[i]!);
      if (score === undefined) continue;
      given[kept] = given[i]!;
      if (sums !== null) sums[kept] = sums[i]! + score;
      kept++;
    }
    return kept;
  };
  return {
    cost: docs.length,
    window: (from, to, out, sums) => {
      const found = docs.filter((doc) => doc >= from && doc < to);
      asked.proposed += found.length;
      found.forEach((doc, i) => {
        out[i] = doc;
        if (sums !== null) sums[i] = scores.get(doc)!;
      });
      return found.length;
    },
    filter,
    next: (target) => docs.find((doc) => doc >= target) ?? NO_MORE_DOCS,
    maxScore: () => {
      asked.bounds++;
      return Math.max(...scores.values());
    },
  };
}

/** Searches for the documents above a score that rises from window to window, and compares them with plain sums. */
function check(clauses: readonly ReadonlyMap<number, number>[]): Asked {
  const asked = { bounds: 0, proposed: 0 };
  const matcher = new DisjunctionMatcher(
    clauses.map((scores) => listed(scores, asked)),
    1,
  );
  const [docs, scores] = [new Int32Array(WINDOW_DOCS), new Float64Array(WINDOW_DOCS)];
  let minimum = 0;
  for (let from = 0; from < WINDOWS * STEP; from += STEP) {
    const expected = Array.from({ length: STEP }, (_, i) => from + i)
      .map((doc) => [doc, clauses.reduce((sum, own) => sum + (own.get(doc) ?? 0), 0)] as const)
      .filter(([, sum]) => sum > 0 && sum >= minimum);
    const count = matcher.window(from, from + STEP, docs, scores);
    const found = Array.from({ length: count }, (_, i) => [docs[i]!, scores[i]!] as const);
    assert.deepEqual(
      found.filter(([, sum]) => sum >= minimum),
      expected,
    );
    minimum = Math.max(minimum, ...expected.map(([, sum]) => sum)) * 0.75;
    matcher.setMinScore(minimum);
  }
  return asked;
}

/** Scores are multiples of 1/8, so that sums do not depend on their order. */
const scoresOf = (clause: number, every: number, most: number): ReadonlyMap<number, number> =>
  new Map(
    Array.from({ length: WINDOWS * STEP }, (_, doc) => doc)
      .filter((doc) => (doc * 7 + clause * 13) % every === 0)
      .map((doc) => [doc, (1 + ((doc * 31 + clause * 17) % (8 * most))) / 8]),
  );

test('many clauses of similar weight are summed up whole, with bounds for few windows', () => {
  const clauses = Array.from({ length: 24 }, (_, clause) => scoresOf(clause, 5, 2));
  assert.ok(check(clauses).bounds < (24 * WINDOWS) / 4);
});

test('many clauses of which the frequent ones weigh little are pruned in each window', () => {
  const light = Array.from({ length: 20 }, (_, clause) => scoresOf(clause, 2, 0.125));
  const heavy = Array.from({ length: 3 }, (_, clause) => scoresOf(clause, 5, 40));
  assert.ok(check([...light, ...heavy]).bounds > (23 * WINDOWS) / 2);
});

test('few clauses are pruned in each window', () => {
  assert.equal(check(Array.from({ length: 3 }, (_, clause) => scoresOf(clause, 3, 2))).bounds, 3 * (WINDOWS - 1));
});

test('of clauses of the same weight it is the long ones that propose no candidates', () => {
  const long = Array.from({ length: 3 }, (_, clause) => scoresOf(clause, 2, 2));
  const short = Array.from({ length: 6 }, (_, clause) => scoresOf(clause, 20, 2));
  const all = [...long, ...short].reduce((sum, { size }) => sum + size, 0);
  const { proposed } = check([...short, ...long]);
  assert.ok(proposed < all * 0.7, `${proposed} of ${all}`);
});
