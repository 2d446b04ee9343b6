import { compileRegex } from '@shoal/analysis';
import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import { matchesWildcard } from '@shoal/values';
import { javaText } from '../parameter.js';

/** Types that a dynamic template can match; each JSON value of an unknown field has one of them. */
export const MATCH_TYPES = ['object', 'string', 'long', 'double', 'boolean', 'date', 'binary'] as const;
/** One of `MATCH_TYPES`. */
export type MatchType = (typeof MATCH_TYPES)[number];

/** Tests a name or path. */
export type NamePattern = (text: string) => boolean;

/** A dynamic template: a rule for unknown fields. */
export interface DynamicTemplate {
  readonly name: string;
  /** The definition as given, for the mapping API. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Type that values must have; null matches every type. */
  readonly matchType: MatchType | null;
  readonly match: readonly NamePattern[];
  readonly unmatch: readonly NamePattern[];
  readonly pathMatch: readonly NamePattern[];
  readonly pathUnmatch: readonly NamePattern[];
  readonly isRuntime: boolean;
  readonly mapping: Readonly<Record<string, unknown>>;
}

const PATTERN_KEYS = ['match', 'unmatch', 'path_match', 'path_unmatch'];
const KNOWN_KEYS = new Set([
  ...PATTERN_KEYS,
  'match_pattern',
  'match_mapping_type',
  'unmatch_mapping_type',
  'mapping',
  'runtime',
]);

function patterns(value: unknown, isRegex: boolean): readonly NamePattern[] {
  if (value === undefined || value === null) return [];
  return (Array.isArray(value) ? value : [value]).map((item) => {
    const pattern = javaText(item);
    if (!isRegex) return (text: string) => matchesWildcard(pattern, text);
    const regex = compileRegex(pattern, '');
    return (text: string) => regex.matches(text);
  });
}

function parseMatchType(value: unknown): MatchType | null {
  if (value === undefined || value === null || value === '*') return null;
  const text = javaText(value);
  const found = MATCH_TYPES.find((type) => type === text);
  if (found) return found;
  throw errors.illegalArgument(`No field type matched on [${text}], possible values are [${MATCH_TYPES.join(', ')}]`);
}

/** Parses the template `name`. Throws mapper_parsing or illegal_argument as Elasticsearch does. */
export function parseDynamicTemplate(name: string, json: unknown): DynamicTemplate {
  if (!isPlainObject(json))
    throw errors.mapperParsing('Dynamic template syntax error. An array of named objects is expected.');
  for (const key of Object.keys(json)) {
    if (!KNOWN_KEYS.has(key)) throw errors.illegalArgument(`Illegal dynamic template parameter: [${key}]`);
  }
  const body = json['mapping'] ?? json['runtime'];
  if (body === undefined) throw errors.mapperParsing(`template [${name}] must have either mapping or runtime set`);
  if (json['mapping'] !== undefined && json['runtime'] !== undefined) {
    throw errors.mapperParsing(`mapping and runtime cannot be both specified in the same dynamic template [${name}]`);
  }
  const pattern = json['match_pattern'] ?? 'simple';
  if (pattern !== 'simple' && pattern !== 'regex')
    throw errors.illegalArgument(`No matching pattern matched on [${javaText(pattern)}]`);
  const isRegex = pattern === 'regex';
  return {
    name,
    json,
    matchType: parseMatchType(json['match_mapping_type']),
    match: patterns(json['match'], isRegex),
    unmatch: patterns(json['unmatch'], isRegex),
    pathMatch: patterns(json['path_match'], isRegex),
    pathUnmatch: patterns(json['path_unmatch'], isRegex),
    isRuntime: json['mapping'] === undefined,
    mapping: isPlainObject(body) ? body : {},
  };
}

/** Whether a template matches a field of this path, name and type of value. */
export function templateMatches(template: DynamicTemplate, path: string, name: string, type: MatchType): boolean {
  const matches = (list: readonly NamePattern[], text: string): boolean => list.some((isOf) => isOf(text));
  if (template.matchType !== null && template.matchType !== type) return false;
  if (template.pathMatch.length > 0 && !matches(template.pathMatch, path)) return false;
  if (template.match.length > 0 && !matches(template.match, name)) return false;
  return !matches(template.pathUnmatch, path) && !matches(template.unmatch, name);
}

/** Field type of each type of value without a template. */
export const DEFAULT_TYPES: Readonly<Record<MatchType, string>> = {
  object: 'object',
  string: 'text',
  long: 'long',
  double: 'float',
  boolean: 'boolean',
  date: 'date',
  binary: 'binary',
};

function substitute(value: unknown, name: string, type: string): unknown {
  if (typeof value === 'string')
    return value.replaceAll('{name}', name).replaceAll('{dynamic_type}', type).replaceAll('{dynamicType}', type);
  if (Array.isArray(value)) return value.map((item) => substitute(item, name, type));
  if (isPlainObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [String(substitute(key, name, type)), substitute(item, name, type)]),
    );
  }
  return value;
}

/** The template's mapping for one field, with placeholders replaced. */
export function templateMapping(template: DynamicTemplate, name: string, type: MatchType): Record<string, unknown> {
  const runtimeType = type === 'string' ? 'keyword' : type;
  const dynamicType = template.isRuntime ? runtimeType : DEFAULT_TYPES[type];
  const mapping = { ...(substitute(template.mapping, name, dynamicType) as Record<string, unknown>) };
  if (mapping['type'] === undefined) mapping['type'] = dynamicType;
  return mapping;
}
