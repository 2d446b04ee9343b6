import type { BoostSettings } from './boost.js';

/** A parameter of training that is searched for: its range, as numbers of the rows and features of a table. */
interface SearchedParameter {
  readonly name: keyof BoostSettings;
  readonly isWhole: boolean;
  range(rows: number, features: number): readonly [least: number, most: number, isLogarithmic: boolean];
}

/** What is searched for, in order of the dimensions of the search. */
export const SEARCHED: readonly SearchedParameter[] = [
  { name: 'leaves', isWhole: true, range: (rows) => [3, Math.max(8, Math.min(40, rows / 40)), true] },
  { name: 'lambda', isWhole: false, range: () => [0.01, 20, true] },
  { name: 'rowsLeast', isWhole: true, range: (rows) => [2, Math.max(6, Math.min(40, rows / 20)), true] },
  { name: 'featureBag', isWhole: false, range: (_, features) => [Math.max(0.25, 1 / features), 1, false] },
  { name: 'downsample', isWhole: false, range: () => [0.5, 0.95, false] },
  { name: 'gamma', isWhole: false, range: () => [0.001, 0.5, true] },
];

/** Settings without a search, which all others are changes of. */
export const PLAIN_SETTINGS: BoostSettings = {
  leaves: 12,
  lambda: 0.3,
  gamma: 0.001,
  alpha: 0,
  softDepthLimit: 8,
  softDepthTolerance: 0.5,
  rowsLeast: 5,
  eta: 0.06,
  etaGrowth: 1,
  featureBag: 0.7,
  downsample: 0.8,
};

/** Settings at a point of the unit cube; `fixed` ones stay. */
export function settingsAt(
  point: readonly number[],
  rows: number,
  features: number,
  fixed: Partial<BoostSettings>,
): BoostSettings {
  const found: Record<string, number> = { ...PLAIN_SETTINGS };
  SEARCHED.forEach(({ name, isWhole, range }, i) => {
    const [least, most, isLog] = range(rows, features);
    const share = Math.min(1, Math.max(0, point[i]!));
    const value = isLog ? least * (most / least) ** share : least + share * (most - least);
    found[name] = isWhole ? Math.round(value) : value;
  });
  return { ...(found as unknown as BoostSettings), ...fixed };
}

const PRIMES = [2, 3, 5, 7, 11, 13];

/** Point of the unit cube with an even spread of its neighbours. Sequence: Halton (1960). */
export function haltonPoint(index: number, dimensions: number): number[] {
  return PRIMES.slice(0, dimensions).map((base) => {
    let [value, share] = [0, 1 / base];
    for (let i = index; i > 0; i = Math.floor(i / base), share /= base) value += share * (i % base);
    return value;
  });
}
