import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OwnCalls } from '@shoal/coordinator';
import type { AnalyticsConfig } from './analytics-config.js';
import { checkClasses, checkClassCount } from './class-count.js';
import type { SelectedField } from './field-selection.js';

const config = (kind: string): AnalyticsConfig =>
  ({
    analysis: { kind, dependent: 'k' },
    source: { indices: ['i'], query: { match_all: {} }, runtime: null },
  }) as unknown as AnalyticsConfig;
const field = (type: string): SelectedField[] => [
  { name: 'k', types: [type], isIncluded: true, isRequired: true, kind: null, reason: null },
];

/** Searches that find so many classes, and how many were made. */
function source(classes: number) {
  const made = { searches: 0 };
  const searchPlain = async () => {
    made.searches++;
    return { aggregations: { classes: { buckets: Array.from({ length: classes }, (_, key) => ({ key })) } } };
  };
  return { made, calls: { searchPlain } as unknown as OwnCalls };
}

test('a classification of one class or of more than a hundred is refused before it starts', async () => {
  const check = (classes: number) => checkClasses(config('classification'), field('keyword'), source(classes).calls);
  for (const classes of [2, 100]) await check(classes);
  await assert.rejects(check(1), { status: 400, reason: /at least \[2\] distinct values but there were \[1\]/ });
  await assert.rejects(check(101), { status: 400, reason: /at most \[100\] .* at least \[101\]/ });
  assert.throws(() => checkClassCount('k', 0), /at least \[2\]/);
});

test('classes are counted only where a column tells them', async () => {
  for (const [kind, type] of [
    ['regression', 'double'],
    ['classification', 'text'],
  ] as const) {
    const { made, calls } = source(1);
    await checkClasses(config(kind), field(type), calls);
    assert.equal(made.searches, 0);
  }
});
