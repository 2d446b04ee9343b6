import { errors, notBoolean } from '@shoal/errors';
import { formatFloat } from '@shoal/values';

/** Normalisation of a term's frequency by the length of the field, with its parameter (c, mu or z; 0 for `no`). */
export interface NormalizationSettings {
  readonly name: 'no' | 'h1' | 'h2' | 'h3' | 'z';
  readonly parameter: number;
}

/** A similarity of `index.similarity.*`, with all parameters. Numbers are floats. */
export type SimilaritySettings =
  | { readonly type: 'BM25'; readonly k1: number; readonly b: number }
  | { readonly type: 'boolean' }
  /** By scripts, JSON of which it has; `weightScript` is null for none. */
  | { readonly type: 'scripted'; readonly script: unknown; readonly weightScript: unknown }
  | { readonly type: 'LMDirichlet'; readonly mu: number }
  | { readonly type: 'LMJelinekMercer'; readonly lambda: number }
  | { readonly type: 'DFI'; readonly measure: 'standardized' | 'saturated' | 'chisquared' }
  | {
      readonly type: 'DFR';
      readonly basicModel: 'g' | 'if' | 'in' | 'ine';
      readonly afterEffect: 'b' | 'l';
      readonly normalization: NormalizationSettings;
    }
  | {
      readonly type: 'IB';
      readonly distribution: 'll' | 'spl';
      readonly lambda: 'df' | 'ttf';
      readonly normalization: NormalizationSettings;
    };

/** Settings of one similarity by their names below `index.similarity.<name>.`. */
export type SimilarityGroup = ReadonlyMap<string, string>;

/**
 * Parses a similarity, as Elasticsearch's SimilarityProviders do. Throws illegal_argument_exception for unknown types,
 * parameters and values, settings_exception for texts that are no numbers.
 */
export function parseSimilarity(name: string, group: SimilarityGroup): SimilaritySettings {
  const type = group.get('type');
  if (type === undefined) throw errors.illegalArgument(`Similarity [${name}] must have an associated type`);
  const found = TYPES.get(type);
  if (found === undefined) throw errors.illegalArgument(`Unknown Similarity type [${type}] for [${name}]`);
  const unknown = [...group.keys()].filter((key) => key !== 'type' && !isKnown(found, key));
  if (unknown.length > 0)
    throw errors.illegalArgument(`Unknown settings for similarity of type [${type}]: [${unknown.sort().join(', ')}]`);
  return found.parse(group);
}

interface SimilarityType {
  /** One that ends in a dot stands for all names below. */
  readonly keys: readonly string[];
  parse(group: SimilarityGroup): SimilaritySettings;
}

function isKnown({ keys }: SimilarityType, key: string): boolean {
  return keys.some((known) => (known.endsWith('.') ? key.startsWith(known) : key === known));
}

const OVERLAPS = 'discount_overlaps';
const NORMALIZATION_KEYS = [
  'normalization',
  'normalization.h1.c',
  'normalization.h2.c',
  'normalization.h3.c',
  'normalization.z.z',
];

const TYPES: ReadonlyMap<string, SimilarityType> = new Map<string, SimilarityType>([
  ['BM25', { keys: ['k1', 'b', OVERLAPS], parse: parseBm25 }],
  ['boolean', { keys: [], parse: () => ({ type: 'boolean' }) }],
  ['LMDirichlet', { keys: ['mu'], parse: parseDirichlet }],
  ['LMJelinekMercer', { keys: ['lambda'], parse: parseJelinekMercer }],
  ['DFI', { keys: ['independence_measure'], parse: parseIndependence }],
  ['DFR', { keys: ['basic_model', 'after_effect', ...NORMALIZATION_KEYS], parse: parseDfr }],
  ['scripted', { keys: ['script', 'script.', 'weight_script', 'weight_script.', OVERLAPS], parse: parseScripted }],
  ['IB', { keys: ['distribution', 'lambda', ...NORMALIZATION_KEYS], parse: parseIb }],
]);

function parseBm25(group: SimilarityGroup): SimilaritySettings {
  const k1 = floatOf(group, 'k1', 1.2);
  const b = floatOf(group, 'b', 0.75);
  checkOverlaps(group);
  refuseNegative('k1', k1);
  if (!(b >= 0 && b <= 1)) throw errors.illegalArgument(`illegal b value: ${formatFloat(b)}, must be between 0 and 1`);
  return { type: 'BM25', k1, b };
}

/** Whether lengths of fields count tokens at the position of another; decided when a document is indexed. */
function checkOverlaps(group: SimilarityGroup): void {
  const overlaps = group.get(OVERLAPS) ?? 'true';
  if (overlaps !== 'true' && overlaps !== 'false') throw notBoolean(overlaps);
}

function parseScripted(group: SimilarityGroup): SimilaritySettings {
  checkOverlaps(group);
  return {
    type: 'scripted',
    script: scriptBelow(group, 'script') ?? {},
    weightScript: scriptBelow(group, 'weight_script'),
  };
}

/** Returns the settings below a name as the JSON of a script; null for none. */
function scriptBelow(group: SimilarityGroup, name: string): unknown {
  const below = [...group].filter(([key]) => key.startsWith(`${name}.`));
  const own = below.map(([key, value]) => [key.slice(name.length + 1), value] as const);
  const members = new Set(own.map(([key]) => key.split('.')[0]!));
  const entries = [...members].map((member) => {
    const plain = own.find(([key]) => key === member);
    const inner = own.filter(([key]) => key.startsWith(`${member}.`));
    const object = Object.fromEntries(inner.map(([key, value]) => [key.slice(member.length + 1), value]));
    return [member, plain ? plain[1] : object] as const;
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

function parseDirichlet(group: SimilarityGroup): SimilaritySettings {
  const mu = floatOf(group, 'mu', 2000);
  refuseNegative('mu', mu);
  return { type: 'LMDirichlet', mu };
}

function parseJelinekMercer(group: SimilarityGroup): SimilaritySettings {
  const lambda = floatOf(group, 'lambda', 0.1);
  if (!(lambda > 0 && lambda <= 1)) throw errors.illegalArgument('lambda must be in the range (0 .. 1]');
  return { type: 'LMJelinekMercer', lambda };
}

function parseIndependence(group: SimilarityGroup): SimilaritySettings {
  const measures = ['chisquared', 'standardized', 'saturated'] as const;
  return { type: 'DFI', measure: oneOf(group, 'independence_measure', 'IndependenceMeasure', measures) };
}

function parseDfr(group: SimilarityGroup): SimilaritySettings {
  refuseOld(group, 'basic_model', ['be', 'd', 'p'], 'Basic model', 'model');
  const basicModel = oneOf(group, 'basic_model', 'BasicModel', ['if', 'in', 'g', 'ine']);
  refuseOld(group, 'after_effect', ['no'], 'After effect', 'effect');
  const afterEffect = oneOf(group, 'after_effect', 'AfterEffect', ['b', 'l']);
  return { type: 'DFR', basicModel, afterEffect, normalization: parseNormalization(group) };
}

function parseIb(group: SimilarityGroup): SimilaritySettings {
  const distribution = group.get('distribution');
  if (distribution !== 'll' && distribution !== 'spl') throw unsupported('Distribution', distribution);
  const lambda = group.get('lambda');
  if (lambda !== 'df' && lambda !== 'ttf') throw unsupported('Lambda', lambda);
  return { type: 'IB', distribution, lambda, normalization: parseNormalization(group) };
}

function parseNormalization(group: SimilarityGroup): NormalizationSettings {
  const name = group.get('normalization');
  switch (name) {
    case 'no':
      return { name, parameter: 0 };
    case 'h1':
    case 'h2': {
      const parameter = floatOf(group, `normalization.${name}.c`, 1);
      refuseNegative('c', parameter);
      return { name, parameter };
    }
    case 'h3': {
      const parameter = floatOf(group, 'normalization.h3.c', 800);
      refuseNegative('mu', parameter);
      return { name, parameter };
    }
    case 'z': {
      const parameter = floatOf(group, 'normalization.z.z', 0.3);
      if (!(parameter > 0 && parameter < 0.5))
        throw errors.illegalArgument(`illegal z value: ${formatFloat(parameter)}, must be in the range (0 .. 0.5)`);
      return { name, parameter };
    }
    default:
      throw unsupported('Normalization', name);
  }
}

function unsupported(kind: string, value: string | undefined, known?: readonly string[]): Error {
  const hint = known === undefined ? '' : `, expected one of [${known.join(', ')}]`;
  return errors.illegalArgument(`Unsupported ${kind} [${value ?? 'null'}]${hint}`);
}

function oneOf<T extends string>(group: SimilarityGroup, key: string, kind: string, known: readonly T[]): T {
  const value = group.get(key);
  const found = known.find((name) => name === value);
  if (found === undefined) throw unsupported(kind, value, known);
  return found;
}

/** Refuses names that Elasticsearch took before version 7. */
function refuseOld(group: SimilarityGroup, key: string, old: readonly string[], kind: string, what: string): void {
  const value = group.get(key);
  if (value === undefined || !old.includes(value)) return;
  throw errors.illegalArgument(`${kind} [${value}] isn't supported anymore, please use another ${what}.`);
}

function refuseNegative(parameter: string, value: number): void {
  if (Number.isFinite(value) && value >= 0) return;
  throw errors.illegalArgument(
    `illegal ${parameter} value: ${formatFloat(value)}, must be a non-negative finite value`,
  );
}

function floatOf(group: SimilarityGroup, key: string, byDefault: number): number {
  const text = group.get(key);
  if (text === undefined) return Math.fround(byDefault);
  if (text.trim() === 'NaN') return Number.NaN;
  if (text.trim() !== '' && !Number.isNaN(Number(text))) return Math.fround(Number(text));
  const cause = errors.numberFormat(`For input string: "${text}"`);
  throw errors.settings(`Failed to parse float setting [${key}] with value [${text}]`, { cause });
}
