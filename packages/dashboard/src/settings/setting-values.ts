import { parseByteSize, parseTimeValue, suggestNames } from '@shoal/values';
import { DASHBOARD_SETTINGS, type DashboardSetting } from './setting-table.js';

/** Thrown for a configuration with which the dashboard cannot start. The message says what is wrong. */
export class DashboardSettingsError extends Error {
  override readonly name = 'DashboardSettingsError';
}

/** Sources of the settings; later ones win: file, environment, overrides. */
export interface DashboardSettingSources {
  /** Parsed YAML file, nested or dotted. */
  readonly file: unknown;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `-E name=value` and `--name value`, in order. */
  readonly overrides: readonly (readonly [name: string, value: string])[];
}

/** Values of settings by name; defaults are filled in. */
export interface SettingValues {
  text(name: string): string | null;
  list(name: string): readonly string[];
  boolean(name: string): boolean | null;
  integer(name: string): number | null;
  milliseconds(name: string): number;
  bytes(name: string): number;
  urls(name: string): readonly URL[];
  headers(name: string): Readonly<Record<string, string>>;
  isSet(name: string): boolean;
  /** Names that were given and have no effect. */
  readonly ignored: readonly string[];
}

/** Merges the sources. Throws DashboardSettingsError that lists all problems. */
export function settingValues(sources: DashboardSettingSources): SettingValues {
  const values = new Map<string, string>();
  for (const [name, value] of flatten(sources.file, '')) values.set(name, value);
  for (const [name, value] of fromEnvironment(sources.environment)) values.set(name, value);
  for (const [name, value] of sources.overrides) values.set(name, value);
  const problems = [...values].flatMap(([name, value]) => problemsOf(name, value));
  if (problems.length > 0) throw new DashboardSettingsError(problems.join('\n'));
  return valuesOf(values);
}

/** Settings whose values are objects in YAML. */
const OBJECTS = new Set(DASHBOARD_SETTINGS.filter(({ kind }) => kind === 'headers').map(({ name }) => name));

function* flatten(value: unknown, prefix: string): Generator<[string, string]> {
  if (value === null || value === undefined) {
    if (prefix !== '') throw new DashboardSettingsError(`setting [${prefix}] has no value`);
  } else if (Array.isArray(value) || OBJECTS.has(prefix)) yield [prefix, JSON.stringify(value)];
  else if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) yield* flatten(inner, prefix === '' ? key : `${prefix}.${key}`);
  } else if (prefix === '')
    throw new DashboardSettingsError('the configuration file must hold settings as name: value');
  else yield [prefix, String(value)];
}

const variableOf = (name: string): string => name.toUpperCase().replaceAll('.', '_');

/** Of the environment only known names are read: `SERVER_BASEPATH` is `server.basePath`. */
function* fromEnvironment(environment: DashboardSettingSources['environment']): Generator<[string, string]> {
  for (const { name } of DASHBOARD_SETTINGS) {
    const value = name.endsWith('.*') ? undefined : environment[variableOf(name)];
    if (value !== undefined) yield [name, value];
  }
}

function find(name: string): DashboardSetting | undefined {
  return DASHBOARD_SETTINGS.find(
    (one) => one.name === name || (one.name.endsWith('.*') && name.startsWith(one.name.slice(0, -1))),
  );
}

function problemsOf(name: string, value: string): string[] {
  const setting = find(name);
  if (name === 'server.xsrf.disableProtection')
    return ['setting [server.xsrf.disableProtection] is refused: the check cannot be switched off'];
  if (setting === undefined) return [unknownSetting(name)];
  if (setting.isIgnored === true) return [];
  if (setting.values && !setting.values.includes(value))
    return [`setting [${name}] does not take [${value}]; accepted: ${setting.values.join(', ')}`];
  try {
    parse(setting, value);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function unknownSetting(name: string): string {
  const [near] = suggestNames(
    name,
    DASHBOARD_SETTINGS.map((one) => one.name),
  );
  const hint = near === undefined ? 'docs/dashboard-settings.md lists all settings' : `did you mean [${near}]?`;
  return `unknown setting [${name}]: ${hint}`;
}

const must = (name: string, what: string, value: string): Error =>
  new DashboardSettingsError(`setting [${name}] must be ${what} but was [${value}]`);

/** Parses a value by its kind. Throws an error that names the setting. */
function parse({ name, kind, isSecret }: DashboardSetting, value: string): unknown {
  const shown = isSecret ? '…' : value;
  if (kind === 'boolean') {
    if (value !== 'true' && value !== 'false') throw must(name, 'true or false', shown);
    return value === 'true';
  }
  if (kind === 'integer' || kind === 'port') {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (Number.isNaN(number)) throw must(name, 'a whole number', shown);
    if (kind === 'port' && number > 65_535) throw must(name, 'a port', shown);
    return number;
  }
  if (kind === 'time') return timeOf(name, value);
  if (kind === 'bytes') return /^\d+$/.test(value) ? Number(value) : parseByteSize(value, name);
  if (kind === 'urls') return listOf(name, value).map((one) => urlOf(name, one));
  if (kind === 'headers') return headersOf(name, value);
  if (kind === 'list') return listOf(name, value);
  return value;
}

/** Milliseconds of `30s`, or of a number alone, as in Kibana. */
function timeOf(name: string, value: string): number {
  const ms = /^\d+$/.test(value) ? Number(value) : parseTimeValue(value, name);
  if (ms <= 0) throw must(name, 'longer than nothing', value);
  return ms;
}

function listOf(name: string, value: string): string[] {
  const text = value.trim();
  if (!text.startsWith('['))
    return text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  const list = jsonOf(text);
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) throw must(name, 'a list of texts', value);
  return list;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function urlOf(name: string, value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw must(name, 'URLs such as http://localhost:9200', value);
  if (url.username !== '' || url.password !== '')
    throw new DashboardSettingsError(
      `setting [${name}] must not hold credentials: use [elasticsearch.username] and [elasticsearch.password]`,
    );
  if (url.search !== '' || url.hash !== '') throw must(name, 'URLs without a query', value);
  return url;
}

function headersOf(name: string, value: string): Record<string, string> {
  const json = jsonOf(value);
  const isObject = typeof json === 'object' && json !== null && !Array.isArray(json);
  if (!isObject) throw must(name, 'a JSON object of headers', value);
  const entries = Object.entries(json as object).map(([key, one]): [string, string] => [
    key.toLowerCase(),
    String(one),
  ]);
  for (const [key, one] of entries)
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(key) || !/^[\t\x20-\x7e]*$/.test(one))
      throw must(name, 'a JSON object of headers', value);
  return Object.fromEntries(entries);
}

function valuesOf(values: ReadonlyMap<string, string>): SettingValues {
  const text = (name: string): string | null => values.get(name) ?? find(name)!.fallback;
  const parsed = (name: string): unknown => {
    const value = text(name);
    return value === null ? null : parse(find(name)!, value);
  };
  return {
    text,
    list: (name) => (parsed(name) ?? []) as string[],
    boolean: (name) => parsed(name) as boolean | null,
    integer: (name) => parsed(name) as number | null,
    milliseconds: (name) => parsed(name) as number,
    bytes: (name) => parsed(name) as number,
    urls: (name) => parsed(name) as URL[],
    headers: (name) => parsed(name) as Record<string, string>,
    isSet: (name) => values.has(name),
    ignored: [...values.keys()].filter((name) => find(name)?.isIgnored === true),
  };
}
