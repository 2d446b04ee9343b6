import { parseByteSize, parseTimeValue, suggestNames } from '@shoal/values';
import { NODE_SETTINGS, type NodeSetting } from './node-settings.js';

/** Thrown for a configuration with which a node cannot start. The message says what is wrong and how to fix it. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Sources of a node's settings. */
export interface SettingSources {
  /** Parsed YAML file, nested or dotted. */
  readonly file: unknown;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Options `-E key=value`, in order. */
  readonly overrides: readonly (readonly [key: string, value: string])[];
  /** Whether a name is a dynamic cluster setting; these are allowed in the configuration too. */
  readonly isClusterSetting: (name: string) => boolean;
}

/** The settings of one node by name, as text; defaults are filled in by the getters. */
export interface NodeSettings {
  text(name: string): string | null;
  list(name: string): readonly string[];
  boolean(name: string): boolean;
  integer(name: string): number | null;
  /** Value of a duration, in milliseconds. */
  milliseconds(name: string): number;
  bytes(name: string): number | null;
  /** Value in bytes; percentages are of `total`. */
  share(name: string, total: number): number;
  /** Inclusive range of ports. */
  ports(name: string): readonly [first: number, last: number];
  /** The settings below a prefix such as `xpack.security.authc.realms.`, secret ones included. */
  below(prefix: string): ReadonlyMap<string, string>;
  /** Explicitly set values without secrets, for `_nodes` and as defaults of cluster settings. */
  readonly explicit: ReadonlyMap<string, string>;
  /** Returns these settings, with values of `more` for names that are not set. */
  with(more: ReadonlyMap<string, string>): NodeSettings;
}

/**
 * Merges the sources; later ones win: file, environment, overrides. Throws ConfigurationError that lists all problems.
 */
export function loadSettings(sources: SettingSources): NodeSettings {
  const values = new Map<string, string>();
  for (const [key, value] of flatten(sources.file, '')) values.set(key, value);
  for (const [key, value] of fromEnvironment(sources.environment)) values.set(key, value);
  for (const [key, value] of sources.overrides) values.set(key, value);
  const problems = [...values].flatMap(([key, value]) => checkSetting(key, value, sources.isClusterSetting));
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
  return settingsOf(values);
}

function* flatten(value: unknown, prefix: string): Generator<[string, string]> {
  if (value === null || value === undefined) {
    if (prefix !== '') throw new ConfigurationError(`setting [${prefix}] has no value`);
  } else if (Array.isArray(value)) yield [prefix, value.map(String).join(',')];
  else if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) yield* flatten(inner, prefix === '' ? key : `${prefix}.${key}`);
  } else if (prefix === '') throw new ConfigurationError('the configuration file must hold settings as key: value');
  else yield [prefix, String(value)];
}

/**
 * Reads settings from the environment as Elasticsearch's container image does: names with dots as they are, or
 * ES_SETTING_ with `_` for `.` and `__` for `_`. `bin/shoal` hands variables with dots on in SHOAL_ENVIRONMENT, a line
 * each, as its shell may drop them.
 */
function* fromEnvironment(environment: SettingSources['environment']): Generator<[string, string]> {
  const handedOn = (environment['SHOAL_ENVIRONMENT'] ?? '').split('\n').map((line): [string, string] => {
    const at = line.indexOf('=');
    return [line.slice(0, Math.max(0, at)), line.slice(at + 1)];
  });
  for (const [name, value] of [...handedOn, ...Object.entries(environment)]) {
    if (value === undefined) continue;
    if (/^[a-z0-9_]+\.[a-z0-9_.-]+$/.test(name)) yield [name, value];
    else if (name.startsWith('ES_SETTING_')) {
      const dotted = name.slice('ES_SETTING_'.length).replace(/__|_/g, (m) => (m === '__' ? '_' : '.'));
      yield [dotted.toLowerCase(), value];
    }
  }
  if (environment['ELASTIC_PASSWORD'] !== undefined) yield ['bootstrap.password', environment['ELASTIC_PASSWORD']];
  const heap = /-Xmx(\d+[kmgKMG]?)/.exec(environment['ES_JAVA_OPTS'] ?? '')?.[1];
  if (heap !== undefined) yield ['memory.limit', /\d$/.test(heap) ? `${heap}b` : `${heap.toLowerCase()}b`];
}

function find(name: string): NodeSetting | undefined {
  return NODE_SETTINGS.find(
    (s) =>
      s.name === name ||
      (s.name.endsWith('.*') && name.startsWith(s.name.slice(0, -1)) && name.length > s.name.length - 1),
  );
}

function checkSetting(name: string, value: string, isClusterSetting: (name: string) => boolean): string[] {
  const setting = find(name);
  if (!setting) return isClusterSetting(name) ? [] : [unknownSetting(name)];
  if (setting.values && !setting.values.includes(value)) return [refusedValue(setting, value)];
  try {
    if (setting.kind === 'boolean') parseFlag(setting, value);
    else if (setting.kind === 'integer') parseWhole(setting, value);
    else if (setting.kind === 'time') parseTimeValue(value, name);
    else if (setting.kind === 'bytes') parseByteSize(value, name);
    else if (setting.kind === 'bytes-or-percent') shareOf(value, name, 1);
    else if (setting.kind === 'port') parsePorts(setting, value);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function unknownSetting(name: string): string {
  const near = suggestNames(
    name,
    NODE_SETTINGS.map((s) => s.name),
  );
  const hint =
    near.length === 0
      ? 'docs/settings.md lists all settings'
      : near.length === 1
        ? `did you mean [${near[0]}]?`
        : `did you mean any of [${near.join(', ')}]?`;
  return `unknown setting [${name}]: ${hint}`;
}

function refusedValue(setting: NodeSetting, value: string): string {
  return (
    `setting [${setting.name}] does not take [${value}]: ${setting.description} Accepted: ` +
    `${setting.values!.join(', ')}.`
  );
}

function parseFlag(setting: NodeSetting, value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new ConfigurationError(`setting [${setting.name}] must be true or false but was [${value}]`);
}

function parseWhole(setting: NodeSetting, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new ConfigurationError(`setting [${setting.name}] must be a whole number but was [${value}]`);
}

function parsePorts(setting: NodeSetting, value: string): readonly [number, number] {
  const [first, last] = value.split('-').map(Number);
  const range: readonly [number, number] = [first ?? Number.NaN, last ?? first ?? Number.NaN];
  if (!range.every((p) => Number.isInteger(p) && p >= 0 && p <= 65535) || range[0] > range[1]) {
    throw new ConfigurationError(
      `setting [${setting.name}] must be a port or a range of ports such as 9200-9300 but was [${value}]`,
    );
  }
  return range;
}

function shareOf(value: string, name: string, total: number): number {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(value)?.[1];
  return percent === undefined ? parseByteSize(value, name) : Math.floor((Number(percent) / 100) * total);
}

function settingsOf(values: ReadonlyMap<string, string>): NodeSettings {
  const explicit = new Map([...values].filter(([name]) => find(name)?.isSecret !== true));
  const text = (name: string): string | null => values.get(name) ?? find(name)?.fallback ?? null;
  const need = (name: string): string => {
    const value = text(name);
    if (value === null) throw new ConfigurationError(`setting [${name}] has no value`);
    return value;
  };
  const setting = (name: string): NodeSetting => find(name)!;
  return {
    text,
    list: (name) =>
      (text(name) ?? '')
        .replace(/^\[|\]$/g, '')
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    boolean: (name) => parseFlag(setting(name), need(name)),
    integer: (name) => (text(name) === null ? null : parseWhole(setting(name), need(name))),
    milliseconds: (name) => parseTimeValue(need(name), name),
    bytes: (name) => (text(name) === null ? null : parseByteSize(need(name), name)),
    share: (name, total) => shareOf(need(name), name, total),
    ports: (name) => parsePorts(setting(name), need(name)),
    below: (prefix) => new Map([...values].filter(([name]) => name.startsWith(prefix))),
    explicit,
    with: (more) => settingsOf(new Map([...more, ...values])),
  };
}
