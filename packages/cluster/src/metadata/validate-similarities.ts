import { errors } from '@shoal/errors';
import type { FlatSettings } from '@shoal/state';

const PREFIX = 'index.similarity.';

/** Types of similarity, with the names of the settings that they read. */
const SUPPORTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['BM25', ['k1', 'b', 'discount_overlaps']],
  ['boolean', []],
]);

/** Types that 8.12 has besides. */
const UNSUPPORTED = ['LMDirichlet', 'LMJelinekMercer', 'DFR', 'DFI', 'IB', 'scripted'];

/** Settings of similarities by name: `{my: {type: 'BM25', k1: '1'}}`. */
function groups(flat: FlatSettings): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>();
  for (const [key, value] of Object.entries(flat)) {
    if (!key.startsWith(PREFIX) || value === null || value === undefined) continue;
    const [name = '', ...rest] = key.slice(PREFIX.length).split('.');
    const group = found.get(name) ?? new Map<string, string>();
    found.set(name, group.set(rest.join('.'), String(value)));
  }
  return found;
}

function floatOf(group: ReadonlyMap<string, string>, key: string, byDefault: number): number {
  const text = group.get(key);
  if (text === undefined) return byDefault;
  if (text.trim() !== '' && !Number.isNaN(Number(text))) return Number(text);
  const cause = errors.numberFormat(`For input string: "${text}"`);
  throw errors.settings(`Failed to parse float setting [${key}] with value [${text}]`, { cause });
}

function asFloat(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

function checkBm25(name: string, group: ReadonlyMap<string, string>): void {
  const k1 = floatOf(group, 'k1', 1.2);
  const b = floatOf(group, 'b', 0.75);
  const overlaps = group.get('discount_overlaps') ?? 'true';
  if (overlaps !== 'true' && overlaps !== 'false')
    throw errors.illegalArgument(`Failed to parse value [${overlaps}] as only [true] or [false] are allowed.`);
  if (!Number.isFinite(k1) || k1 < 0)
    throw errors.illegalArgument(`illegal k1 value: ${asFloat(k1)}, must be a non-negative finite value`);
  if (!(b >= 0 && b <= 1)) throw errors.illegalArgument(`illegal b value: ${asFloat(b)}, must be between 0 and 1`);
  if (overlaps === 'false')
    throw errors.illegalArgument(
      `[discount_overlaps] false of similarity [${name}] is not supported: lengths of fields leave out tokens at ` +
        'the position of another',
    );
}

function checkGroup(name: string, group: ReadonlyMap<string, string>): void {
  if (SUPPORTED.has(name))
    throw errors.illegalArgument(`illegal value for [${PREFIX}${name}] cannot redefine built-in similarity`);
  const type = group.get('type');
  if (type === undefined) throw errors.illegalArgument(`Similarity [${name}] must have an associated type`);
  if (UNSUPPORTED.includes(type))
    throw errors.illegalArgument(
      `Similarity type [${type}] for [${name}] is not supported: fields are scored with [BM25] or [boolean] ` +
        'similarity, which index.similarity.* can name',
    );
  const known = SUPPORTED.get(type);
  if (known === undefined) throw errors.illegalArgument(`Unknown Similarity type [${type}] for [${name}]`);
  const unknown = [...group.keys()].filter((key) => key !== 'type' && !known.includes(key));
  if (unknown.length > 0)
    throw errors.illegalArgument(`Unknown settings for similarity of type [${type}]: [${unknown.sort().join(', ')}]`);
  if (type === 'BM25') checkBm25(name, group);
}

/** Throws if `index.similarity.*` names a similarity that is not there, or one with wrong parameters. */
export function validateSimilarities(flat: FlatSettings): void {
  for (const [name, group] of groups(flat)) checkGroup(name, group);
}
