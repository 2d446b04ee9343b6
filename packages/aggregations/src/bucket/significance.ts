import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { compile, isInline, readScript } from '@shoal/script';

/** Frequencies of one term: its documents in the foreground and in the background, and the sizes of both sets. */
export interface Frequencies {
  readonly subset: number;
  readonly subsetSize: number;
  readonly superset: number;
  readonly supersetSize: number;
}

/** Scores how much more frequent a term is in the foreground. Terms with scores of 0 or less get no bucket. */
export type Heuristic = (f: Frequencies) => number;

const jlh: Heuristic = ({ subset, subsetSize, superset, supersetSize }) => {
  if (subsetSize === 0 || supersetSize === 0) return 0;
  // A background that does not hold the foreground may lack a term of it: it counts as one document.
  const [f, b] = [subset / subsetSize, Math.max(superset, 1) / supersetSize];
  return f <= b ? 0 : (f - b) * (f / b);
};

const percentage: Heuristic = ({ subset, superset }) => (superset === 0 ? 0 : subset / superset);

/** The four counts of a contingency table: with and without the term, inside and outside the foreground. */
interface Contingency {
  readonly n11: number;
  readonly n10: number;
  readonly n01: number;
  readonly n00: number;
}

function contingency({ subset, subsetSize, superset, supersetSize }: Frequencies, isSuperset: boolean): Contingency {
  if (!isSuperset) return { n11: subset, n01: subsetSize - subset, n10: superset, n00: supersetSize - superset };
  return {
    n11: subset,
    n01: subsetSize - subset,
    n10: superset - subset,
    n00: supersetSize - superset - (subsetSize - subset),
  };
}

const information = (nxy: number, nx: number, ny: number, n: number): number =>
  nxy === 0 ? 0 : (nxy / n) * Math.log2((n * nxy) / (nx * ny));

function mutualInformation(negatives: boolean, isSuperset: boolean): Heuristic {
  return (f) => {
    const { n11, n10, n01, n00 } = contingency(f, isSuperset);
    const n = n11 + n10 + n01 + n00;
    const [n1, n0, m1, m0] = [n11 + n10, n01 + n00, n11 + n01, n10 + n00];
    const score =
      information(n00, n0, m0, n) +
      information(n10, n1, m0, n) +
      information(n01, n0, m1, n) +
      information(n11, n1, m1, n);
    if (Number.isNaN(score)) return Number.NEGATIVE_INFINITY;
    return !negatives && n11 / (n11 + n01) < n10 / (n10 + n00) ? Number.NEGATIVE_INFINITY : score;
  };
}

function chiSquare(negatives: boolean, isSuperset: boolean): Heuristic {
  return (f) => {
    const { n11, n10, n01, n00 } = contingency(f, isSuperset);
    if (!negatives && n11 / (n11 + n01) < n10 / (n10 + n00)) return Number.NEGATIVE_INFINITY;
    const n = n11 + n10 + n01 + n00;
    return (n * (n11 * n00 - n01 * n10) ** 2) / ((n11 + n01) * (n11 + n10) * (n10 + n00) * (n01 + n00));
  };
}

/** Normalised Google distance, turned into a score. */
function gnd(isSuperset: boolean): Heuristic {
  return (f) => {
    const { n11, n10, n01, n00 } = contingency(f, isSuperset);
    if (n11 === 0) return 0;
    const [fx, fy, n] = [n11 + n10, n11 + n01, n11 + n10 + n01 + n00];
    const distance =
      (Math.max(Math.log(fx), Math.log(fy)) - Math.log(n11)) / (Math.log(n) - Math.min(Math.log(fx), Math.log(fy)));
    return Math.exp(-distance);
  };
}

const flag = (options: Readonly<Record<string, unknown>>, name: string, fallback: boolean): boolean =>
  typeof options[name] === 'boolean' ? options[name] : fallback;

/** A script that scores the four counts, which are Integers among its parameters. */
function scripted(options: Readonly<Record<string, unknown>>): Heuristic {
  if (options['script'] === undefined) throw errors.illegalArgument('Required [script]');
  const source = readScript(options['script']);
  if (!isInline(source)) throw errors.resourceNotFound(`unable to find script [${source.id}] in cluster state`);
  const script = compile(source, 'script_heuristic');
  return ({ subset, subsetSize, superset, supersetSize }) => {
    const counts = {
      _subset_freq: subset,
      _subset_size: subsetSize,
      _superset_freq: superset,
      _superset_size: supersetSize,
    };
    return script.call([Object.freeze({ ...source.params, ...counts })]) as number;
  };
}

type HeuristicMaker = (options: Readonly<Record<string, unknown>>) => Heuristic;

const HEURISTICS: ReadonlyMap<string, HeuristicMaker> = new Map<string, HeuristicMaker>([
  ['jlh', () => jlh],
  ['percentage', () => percentage],
  [
    'mutual_information',
    (options) =>
      mutualInformation(flag(options, 'include_negatives', false), flag(options, 'background_is_superset', true)),
  ],
  [
    'chi_square',
    (options) => chiSquare(flag(options, 'include_negatives', false), flag(options, 'background_is_superset', true)),
  ],
  ['gnd', (options) => gnd(flag(options, 'background_is_superset', true))],
  ['script_heuristic', scripted],
]);

/** Returns the heuristic that a body names; `jlh` by default. */
export function heuristicOf(body: Readonly<Record<string, unknown>>): Heuristic {
  for (const [name, make] of HEURISTICS) {
    if (body[name] === undefined) continue;
    if (!isPlainObject(body[name]))
      throw errors.parsing(
        `failed to parse [${name}] significance heuristic. expected an empty object, but got ` +
          `[${String(body[name])}] instead`,
        { location: { container: body, key: name } },
      );
    return make(body[name]);
  }
  return jlh;
}

const SUPERSET = 'background_is_superset';
const NEGATIVES = 'include_negatives';

/** Options of each heuristic. */
export const HEURISTIC_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ['jlh', []],
  ['percentage', []],
  ['mutual_information', [SUPERSET, NEGATIVES]],
  ['chi_square', [SUPERSET, NEGATIVES]],
  ['gnd', [SUPERSET]],
  ['script_heuristic', ['script']],
]);

/** Keys of the body that name heuristics. */
export const HEURISTIC_NAMES: readonly string[] = [...HEURISTICS.keys()];
