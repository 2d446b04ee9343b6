import { parseTimeValue } from '@shoal/values';
import { CONTEXT_NAMES } from '../contexts/catalogue.js';
import { TEMPLATE_CONTEXTS } from '../mustache/mustache-script.js';
import { type CompilationRate, parseCompilationRate } from './compilation-rate.js';
import type { CacheSettings } from './script-cache.js';
import type { CachesSettings } from './script-caches.js';
import type { ScriptLimits } from './script-limits.js';

type Setting = string | readonly string[] | null;

/** Returns the value of a setting that somebody set, with a checked form; null for none. */
export type ReadSetting = (name: string) => Setting;

/** Contexts of 8.12 in which nothing is compiled here; its settings may still name them. */
const IDLE_CONTEXTS = ['bytesref_sort', 'double_values', 'geometry_field', 'script_heuristic'];

/** Names of all contexts that settings may name, in their order. */
export const SETTING_CONTEXTS: readonly string[] = [
  ...new Set([...CONTEXT_NAMES, ...TEMPLATE_CONTEXTS, ...IDLE_CONTEXTS]),
].sort();

const RATE = 'script.max_compilations_rate';
const BY_CONTEXT = 'use-context';
/** Settings of a context in the order in which errors list them. */
const CONTEXT_SETTINGS = ['max_compilations_rate', 'cache_max_size', 'cache_expire'] as const;
const OF_CONTEXT = /^script\.context\.(.+)\.(max_compilations_rate|cache_max_size|cache_expire)$/;

const nameOf = (context: string, setting: (typeof CONTEXT_SETTINGS)[number]): string =>
  `script.context.${context}.${setting}`;

function listOf(value: Setting): readonly string[] {
  if (value === null) return [];
  const items = typeof value === 'string' ? value.split(',') : value;
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

function allowed(value: Setting): ReadonlySet<string> | null {
  return value === null ? null : new Set(listOf(value).filter((item) => item !== 'none'));
}

function rateOf(value: Setting, fallback: string): CompilationRate | null {
  const text = String(value ?? fallback);
  return text === 'unlimited' ? null : parseCompilationRate(text);
}

function cachesOf(read: ReadSetting): CachesSettings {
  const isFree = String(read('script.disable_max_compilations_rate')) === 'true';
  const rate = String(read(RATE) ?? '150/5m');
  const named = SETTING_CONTEXTS.some((context) => CONTEXT_SETTINGS.some((of) => read(nameOf(context, of)) !== null));
  const [size, expire] = [read('script.cache.max_size'), read('script.cache.expire')];
  const settings = (sizeText: string, expireText: string): Omit<CacheSettings, 'rate' | 'rateSetting'> => ({
    scriptsMax: Number(sizeText),
    expireMs: parseTimeValue(expireText, 'expire'),
  });
  if (rate !== BY_CONTEXT && !named)
    return {
      all: {
        ...settings(String(size ?? 3000), String(expire ?? '0ms')),
        rate: isFree ? null : rateOf(rate, rate),
        rateSetting: RATE,
      },
    };
  const of = (context: string): CacheSettings => ({
    ...settings(
      String(read(nameOf(context, 'cache_max_size')) ?? size ?? UNLIMITED_SIZE[context] ?? 100),
      String(read(nameOf(context, 'cache_expire')) ?? expire ?? '0ms'),
    ),
    rate: isFree ? null : rateOf(read(nameOf(context, 'max_compilations_rate')), '75/5m'),
    rateSetting: nameOf(context, 'max_compilations_rate'),
  });
  return { byContext: new Map(SETTING_CONTEXTS.map((context) => [context, of(context)])) };
}

/** Scripts that are kept of contexts that keep more than 100. */
const UNLIMITED_SIZE: Readonly<Record<string, number>> = {
  ingest: 200,
  ingest_template: 200,
  processor_conditional: 200,
};

/** Reads what scripts run from settings whose values were checked. */
export function readScriptLimits(read: ReadSetting): ScriptLimits {
  return {
    types: allowed(read('script.allowed_types')),
    contexts: allowed(read('script.allowed_contexts')),
    sourceBytesMax: Number(read('script.max_size_in_bytes') ?? 65_535),
    caches: cachesOf(read),
    hasRegexes: String(read('script.painless.regex.enabled') ?? 'limited') !== 'false',
  };
}

function listProblem(name: string, kind: string, value: Setting, known: readonly string[]): string | null {
  if (value === null) return null;
  const items = listOf(value);
  if (items.length === 0) return `must specify at least one script ${kind} or none for setting [${name}].`;
  if (items.includes('none'))
    return items.length === 1 ? null : `cannot specify both [none] and other script ${kind}s for setting [${name}].`;
  const unknown = items.find((item) => !known.includes(item));
  return unknown === undefined ? null : `unknown script ${kind} [${unknown}] found in setting [${name}].`;
}

/** Returns what is wrong with the settings that allow scripts; null if nothing is. */
export function allowedScriptsProblem(read: ReadSetting): string | null {
  return (
    listProblem('script.allowed_types', 'type', read('script.allowed_types'), ['inline', 'stored']) ??
    listProblem('script.allowed_contexts', 'context', read('script.allowed_contexts'), SETTING_CONTEXTS)
  );
}

/**
 * Returns what is wrong with the settings of caches taken together, in the words of 8.12; null if nothing is. `names`
 * are those of all settings that somebody set.
 */
export function scriptCachesProblem(read: ReadSetting, names: readonly string[]): string | null {
  const found = names.map((name) => OF_CONTEXT.exec(name)).filter((match) => match !== null);
  const unknown = found.find(([, context]) => !SETTING_CONTEXTS.includes(context!));
  if (unknown) return `Context [${unknown[1]}] doesn't exist for setting [${unknown[0]}]`;
  const keys = CONTEXT_SETTINGS.flatMap((setting) =>
    found.flatMap(([name, , of]) => (of === setting ? [name] : [])).sort(),
  );
  const rate = read(RATE);
  if (keys.length > 0 && rate !== null && rate !== BY_CONTEXT)
    return (
      `Context cache settings [${keys.join(',')}] are incompatible with [${RATE}] set to non-default value ` +
      `[${rate}]. Either remove the incompatible settings (recommended) or set [${RATE}] to [${BY_CONTEXT}] ` +
      'to use per-context settings'
    );
  return freeRateProblem(read, keys);
}

function freeRateProblem(read: ReadSetting, keys: readonly string[]): string | null {
  if (String(read('script.disable_max_compilations_rate')) !== 'true') return null;
  const disabled = 'if compile rates disabled via [script.disable_max_compilations_rate]';
  const rates = keys.filter((name) => name.endsWith('.max_compilations_rate'));
  if (rates.length > 0) return `Cannot set custom context compilation rates [${rates.join(', ')}] ${disabled}`;
  const rate = read(RATE);
  if (rate === null || rate === BY_CONTEXT) return null;
  return `Cannot set custom general compilation rates [${RATE}] to [${rate}] ${disabled}`;
}
