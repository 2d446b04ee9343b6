import type { DetectorSpec } from '@shoal/learning';

type DetectorFunction = DetectorSpec['function'];

const NAMES: Readonly<Record<string, readonly [before: string, after: string]>> = {
  count: ['', 'count per bucket by person'],
  nonZeroCount: ['', 'non-zero count per bucket by person'],
  distinctCount: ['', 'unique count per bucket by person'],
  mean: ['arithmetic ', 'mean value by person'],
  median: ['', 'median value by person'],
  min: ['', 'minimum value by person'],
  max: ['', 'maximum value by person'],
  sum: ['', 'bucket sum by person'],
  nonNullSum: ['', 'bucket non-null sum by person'],
  varp: ['', 'variance of values by person'],
  infoContent: ['', 'information content of value per bucket by person'],
};

/** Name of what a function models, as `model_feature` of 8.12 has it: `'high mean value by person'`. */
export function modelFeature({ measure, side, description }: DetectorFunction): string {
  const [before, after] = NAMES[measure] ?? ['', description];
  const isCount = measure === 'count' || measure === 'nonZeroCount';
  const word = side > 0 ? 'high' : 'low';
  if (side === 0) return `'${before}${after}'`;
  return isCount ? `'${word} values of ${after}'` : `'${word} ${after}'`;
}
