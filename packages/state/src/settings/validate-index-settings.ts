import { type ApiError, errors } from '@shoal/errors';
import { suggestNames } from '@shoal/values';
import type { SettingValue } from '../state.js';
import { INDEX_SETTING_PREFIXES, INDEX_SETTINGS } from './index-settings.js';
import type { FlatSettings } from './flat-settings.js';
import type { SettingProperty } from './setting.js';

const HINT =
  'please check that any required plugins are installed, or check the breaking changes documentation for removed ' +
  'settings';

/** Minimum similarity of a known name that an error suggests, 0 to 1. */
const SIMILARITY_MIN = 0.7;

function hasFreePrefix(name: string): boolean {
  return INDEX_SETTING_PREFIXES.some(([prefix]) => name.startsWith(prefix) && name.length > prefix.length);
}

function unknownSetting(name: string, candidates: Iterable<string>): ApiError {
  const similar = suggestNames(name, candidates, SIMILARITY_MIN);
  if (similar.length === 0) return errors.illegalArgument(`unknown setting [${name}] ${HINT}`);
  const hint = similar.length === 1 ? `did you mean [${similar[0]}]?` : `did you mean any of [${similar.join(', ')}]?`;
  return errors.illegalArgument(`unknown setting [${name}] ${hint}`);
}

const TIER_PREFERENCE = 'index.routing.allocation.include._tier_preference';
const TIERS = ['data_frozen', 'data_content', 'data_cold', 'data_hot', 'data_warm'];

/** The only filter of allocation whose values are known: a list of data tiers, or an empty text for none. */
function tierProblem(value: SettingValue): ApiError | null {
  const text = String(value ?? '').trim();
  if (text === '' || text.split(',').every((tier) => TIERS.includes(tier))) return null;
  return errors.illegalArgument(`invalid tier names found in [${text}] allowed values are [${TIERS.join(', ')}]`);
}

function problemOf(name: string, value: SettingValue): ApiError | null {
  const definition = INDEX_SETTINGS.get(name);
  if (!definition) {
    if (name === TIER_PREFERENCE) return tierProblem(value);
    return hasFreePrefix(name) ? null : unknownSetting(name, INDEX_SETTINGS.keys());
  }
  if (definition.property === 'private') return privateProblem(name);
  if (value === null) return null;
  try {
    definition.check(value, name);
    return null;
  } catch (error) {
    return error as ApiError;
  }
}

function privateProblem(name: string): ApiError {
  if (name === 'index.uuid' || name === 'index.provided_name')
    return errors.illegalArgument(`unknown setting [${name}] ${HINT}`);
  return errors.validation(`Validation Failed: 1: private index setting [${name}] can not be set explicitly;`);
}

/**
 * Throws the first problem, with the others as suppressed errors. Names are checked in reverse alphabetical order, as
 * Elasticsearch reports them.
 */
function throwAll(problems: readonly ApiError[]): void {
  const [first, ...others] = problems;
  if (!first) return;
  if (others.length > 0) first.suppressed = others;
  throw first;
}

/** Problems that an error tells. Each unknown name is compared with all known ones, which takes 1 ms. */
const PROBLEMS_MAX = 16;

/** Throws if flat index settings of a client have unknown names or invalid values. */
export function validateIndexSettings(flat: FlatSettings): void {
  const names = Object.keys(flat).sort().reverse();
  const problems: ApiError[] = [];
  for (const name of names) {
    const problem = problemOf(name, flat[name] ?? null);
    if (problem !== null && problems.push(problem) === PROBLEMS_MAX) break;
  }
  throwAll(problems);
}

/** Returns when an index setting may be set; null for an unknown setting. */
export function indexSettingProperty(name: string): SettingProperty | null {
  const definition = INDEX_SETTINGS.get(name);
  if (definition) return definition.property;
  const prefix = INDEX_SETTING_PREFIXES.find(([start]) => name.startsWith(start));
  return prefix === undefined ? null : prefix[1] ? 'dynamic' : 'static';
}

/** Returns the defaults of all settings that an index does not set, for `include_defaults`. */
export function indexDefaults(flat: FlatSettings): Record<string, SettingValue> {
  const missing = [...INDEX_SETTINGS.values()].filter(
    ({ name, fallback }) => fallback !== null && flat[name] === undefined,
  );
  return Object.fromEntries(missing.map(({ name, fallback }) => [name, fallback]));
}
