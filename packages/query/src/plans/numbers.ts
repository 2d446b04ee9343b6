import { numbersOfField } from '../percolate/required-terms.js';
import type { PlanOf } from '../execute/plan-of.js';
import { numbersWeight } from '../execute/weights/value.js';
import type { PlanKind } from './plan-kind.js';
import { formatDouble, formatFloat } from '@shoal/values';
import { booleanTerm } from './value.js';

/** The numbers in order, each once, as Lucene keeps and prints them. */
function texts(values: Iterable<number | bigint>, floatBits: number | null): string[] {
  const sorted = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
  const format = floatBits === 64 ? formatDouble : formatFloat;
  return sorted.map((value) => (floatBits === null ? String(value) : format(Number(value))));
}

/** Any of many numbers. */
export const numbersKind: PlanKind<PlanOf<'numbers'>> = {
  requiredTerms({ field, values }, requirements) {
    const ranges = values.map((value) => [Number(value), Number(value)] as const);
    return numbersOfField(field, ranges, requirements);
  },
  luceneName: 'PointInSetQuery',
  weight: numbersWeight,
  describe: ({ field, values }, { mapping }) => {
    if (mapping?.field(field)?.valueKind === 'boolean') return `${field}:(${[...values].map(booleanTerm).join(' ')})`;
    return `${field}:{${texts(values, mapping?.field(field)?.capabilities.floatBits ?? null).join(' ')}}`;
  },
  scoresConstant: true,
};
