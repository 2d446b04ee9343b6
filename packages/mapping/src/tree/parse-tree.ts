import { castError } from '../cast-error.js';
import { errors, notBoolean } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import type { Dynamic, MappingOptions, SourceOptions } from '../mapping-api.js';
import { javaText, shortened } from '../parameter.js';
import { parseRuntime } from '../runtime/runtime-definition.js';
import { checkTemplate } from './check-template.js';
import { type DynamicTemplate, parseDynamicTemplate } from './dynamic-template.js';
import type { MappingNode, MappingTree, ObjectNode, RootOptions } from './node.js';
import { childPath } from './node.js';
import { parseAlias, parseField } from './parse-field.js';

const DYNAMIC: readonly Dynamic[] = ['true', 'false', 'strict', 'runtime'];

function notConverted(name: string, value: unknown): Error {
  const cause = notBoolean(javaText(value));
  return errors.illegalArgument(`Could not convert [${name}] to boolean`, { cause });
}

function parseDynamic(value: unknown, name: string): Dynamic {
  const text = javaText(value).toLowerCase();
  const found = DYNAMIC.find((dynamic) => dynamic === text);
  if (found) return found;
  throw notConverted(`${name}.dynamic`, value);
}

function parseFlag(value: unknown, name: string): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw notConverted(name, value);
}

/** Throws for names that a field cannot have. */
function checkName(name: string): void {
  if (name === '') throw errors.illegalArgument('field name cannot be an empty string');
  if (name.trim() === '') throw errors.illegalArgument(`field name cannot contain only whitespace`);
}

/** Levels of a dotted name; each has a path of its own, so that the paths of n levels take n * n characters. */
const LEVELS_MAX = 1_000;

function splitName(name: string): readonly string[] {
  const parts = name.split('.');
  if (parts.length > LEVELS_MAX)
    throw errors.illegalArgument(
      `Limit of mapping depth [${LEVELS_MAX}] has been exceeded due to object field [${name.slice(0, 256)}...]`,
    );
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  if (name !== '' && /^\.+$/.test(name)) throw errors.illegalArgument('field name cannot contain only dots');
  parts.forEach(checkName);
  return parts;
}

function unsupported(rest: ReadonlyMap<string, unknown>): string {
  return shortened(
    [...rest]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => ` [${key} : ${javaText(value)}]`)
      .join(''),
  );
}

/** An object node that is being built. */
interface Draft {
  children: Map<string, MappingNode>;
}

const EMPTY_OBJECT: Omit<ObjectNode, 'name' | 'path'> = {
  kind: 'object',
  isNested: false,
  dynamic: null,
  enabled: null,
  subobjects: null,
  includeInParent: null,
  includeInRoot: null,
  children: new Map(),
};

/** An object node without settings. */
export function plainObject(name: string, path: string, children: ReadonlyMap<string, MappingNode>): ObjectNode {
  return { ...EMPTY_OBJECT, name, path, children };
}

/** What parsing a tree depends on besides the JSON. */
interface TreeContext {
  readonly options: MappingOptions;
  /** Whether root documents have the fields of the nested objects around; undefined outside of all nested objects. */
  readonly includesInRoot?: boolean;
}

function addDotted(
  draft: Draft,
  parts: readonly string[],
  parentPath: string,
  make: (name: string, path: string) => MappingNode,
): void {
  const [first = '', ...rest] = parts;
  const path = childPath(parentPath, first);
  if (rest.length === 0) {
    const made = make(first, path);
    const existing = draft.children.get(first);
    draft.children.set(
      first,
      existing?.kind === 'object' && made.kind === 'object' ? joinObjects(existing, made) : made,
    );
    return;
  }
  const existing = draft.children.get(first);
  const inner: Draft = { children: new Map(existing?.kind === 'object' ? existing.children : []) };
  addDotted(inner, rest, path, make);
  draft.children.set(
    first,
    existing?.kind === 'object' ? { ...existing, children: inner.children } : plainObject(first, path, inner.children),
  );
}

function joinObjects(first: ObjectNode, second: ObjectNode): ObjectNode {
  return { ...second, children: new Map([...first.children, ...second.children]) };
}

function parseProperties(
  value: unknown,
  owner: string,
  path: string,
  subobjects: boolean,
  context: TreeContext,
): Map<string, MappingNode> {
  if (Array.isArray(value) && value.length === 0) return new Map();
  if (!isPlainObject(value)) throw errors.parse('properties must be a map type');
  const draft: Draft = { children: new Map() };
  for (const [key, definition] of Object.entries(value)) {
    if (!isPlainObject(definition)) {
      if (Array.isArray(definition) && definition.length === 0) continue;
      throw errors.mapperParsing(
        `Expected map for property [fields] on field [${key}] but got a class java.lang.String`,
      );
    }
    if (!subobjects) refuseSubobject(definition, key, owner);
    const parts = subobjects ? splitName(key) : [key];
    if (!subobjects) checkName(key);
    addDotted(draft, parts, path, (name, fullPath) => parseNode(name, fullPath, definition, context));
  }
  return draft.children;
}

function typeOf(definition: JsonObject): string | null {
  return definition['type'] === undefined ? null : javaText(definition['type']);
}

function isObjectDefinition(definition: JsonObject): boolean {
  const type = typeOf(definition);
  return type === 'object' || type === 'nested' || (type === null && isPlainObject(definition['properties']));
}

function refuseSubobject(definition: JsonObject, key: string, owner: string): void {
  const type = typeOf(definition);
  if (type === 'nested')
    throw errors.mapperParsing(
      `Tried to add nested object [${key}] to object [${owner}] which does not support subobjects`,
    );
  if (isObjectDefinition(definition))
    throw errors.mapperParsing(
      `Tried to add subobject [${key}] to object [${owner}] which does not support subobjects`,
    );
}

function parseNode(name: string, path: string, definition: JsonObject, context: TreeContext): MappingNode {
  const type = typeOf(definition);
  if (isObjectDefinition(definition)) return parseObject(name, path, definition, type === 'nested', context);
  // A definition that contains only `enabled` is an object.
  if (type === null && Object.keys(definition).length === 1 && definition['enabled'] !== undefined)
    return parseObject(name, path, definition, false, context);
  if (type === null) throw errors.mapperParsing(`No type specified for field [${name}]`);
  return type === 'alias'
    ? parseAlias(name, path, definition)
    : parseField(name, path, type, definition, context.options);
}

function parseObject(
  name: string,
  path: string,
  definition: JsonObject,
  isNested: boolean,
  context: TreeContext,
): ObjectNode {
  const rest = new Map(Object.entries(definition));
  const take = (key: string): unknown => {
    const value = rest.get(key);
    rest.delete(key);
    return value;
  };
  take('type');
  const properties = take('properties');
  const dynamic = take('dynamic');
  const enabled = take('enabled');
  const subobjects = isNested ? undefined : take('subobjects');
  const includeInParent = isNested ? take('include_in_parent') : undefined;
  const includeInRoot = isNested ? take('include_in_root') : undefined;
  const flag = (value: unknown, label: string): boolean | null =>
    value === undefined ? null : parseFlag(value, label);
  const node = {
    kind: 'object' as const,
    name,
    path,
    isNested,
    dynamic: dynamic === undefined ? null : parseDynamic(dynamic, name),
    enabled: flag(enabled, 'enabled.enabled'),
    subobjects: flag(subobjects, 'subobjects.subobjects'),
    includeInParent: flag(includeInParent, `${name}.include_in_parent`),
    includeInRoot: flag(includeInRoot, `${name}.include_in_root`),
  };
  const within = isNested ? { ...context, includesInRoot: includesInRoot(node, context) } : context;
  // The root has them through the parent then.
  if (node.includeInParent === true && (context.includesInRoot ?? true)) node.includeInRoot = false;
  const children =
    properties === undefined ? new Map() : parseProperties(properties, name, path, node.subobjects ?? true, within);
  if (rest.size > 0)
    throw errors.mapperParsing(`Mapping definition for [${name}] has unsupported parameters: ${unsupported(rest)}`);
  return { ...node, children };
}

/** Whether root documents have the fields of nested objects of this kind. The parent of outer ones is the root. */
const includesInRoot = (
  { includeInParent, includeInRoot }: Pick<ObjectNode, 'includeInParent' | 'includeInRoot'>,
  { includesInRoot: ofParent }: TreeContext,
): boolean => includeInRoot === true || (includeInParent === true && ofParent === undefined);

function parseTemplates(value: unknown, options: MappingOptions): readonly DynamicTemplate[] {
  const message = 'Dynamic template syntax error. An array of named objects is expected.';
  if (!Array.isArray(value)) throw errors.mapperParsing(message);
  return value.map((item) => {
    if (!isPlainObject(item)) throw errors.mapperParsing(message);
    const entries = Object.entries(item);
    const [entry] = entries;
    if (entries.length !== 1 || !entry) throw errors.mapperParsing('A dynamic template must be defined with a name');
    const template = parseDynamicTemplate(entry[0], entry[1]);
    checkTemplate(template, options);
    return template;
  });
}

function stringList(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw castError(value, 'List');
  return value.map(javaText);
}

function parseMetadataFlag(value: unknown): boolean {
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  throw notBoolean(javaText(value));
}

function checkKnown(field: string, definition: JsonObject, known: readonly string[]): void {
  for (const key of Object.keys(definition)) {
    if (!known.includes(key)) throw errors.mapperParsing(`unknown parameter [${key}] on metadata field [${field}]`);
  }
}

function parseSourceOptions(value: unknown): SourceOptions {
  if (!isPlainObject(value)) throw castError(value, 'Map');
  checkKnown('_source', value, ['enabled', 'includes', 'excludes', 'mode']);
  if (value['mode'] === 'synthetic') throw errors.illegalArgument('[_source] mode [synthetic] is not supported');
  return {
    enabled: value['mode'] !== 'disabled' && (value['enabled'] === undefined || parseMetadataFlag(value['enabled'])),
    includes: value['includes'] === undefined ? [] : stringList(value['includes']),
    excludes: value['excludes'] === undefined ? [] : stringList(value['excludes']),
  };
}

function parseRouting(value: unknown): boolean {
  if (!isPlainObject(value)) throw castError(value, 'Map');
  checkKnown('_routing', value, ['required']);
  return value['required'] === undefined ? false : parseMetadataFlag(value['required']);
}

function parseTimestamp(value: unknown): boolean {
  if (!isPlainObject(value)) throw castError(value, 'Map');
  checkKnown('_data_stream_timestamp', value, ['enabled']);
  return value['enabled'] === undefined ? false : parseMetadataFlag(value['enabled']);
}

const UNCONFIGURABLE = [
  '_id',
  '_index',
  '_ignored',
  '_seq_no',
  '_primary_term',
  '_version',
  '_tier',
  '_nested_path',
  '_doc_count',
  '_tsid',
];

function refuseMetadata(rest: ReadonlyMap<string, unknown>): void {
  for (const name of UNCONFIGURABLE) if (rest.has(name)) throw errors.mapperParsing(`${name} is not configurable`);
  const names = rest.get('_field_names');
  if (isPlainObject(names) && names['enabled'] !== undefined) {
    throw errors.mapperParsing(
      'The `enabled` setting for the `_field_names` field has been deprecated and removed. Please remove it from ' +
        'your mappings and templates.',
    );
  }
}

function parseRoot(json: JsonObject, context: TreeContext): MappingTree {
  const rest = new Map(Object.entries(json));
  const take = <Value>(key: string, parse: (value: unknown) => Value): Value | null => {
    if (!rest.has(key)) return null;
    const value = rest.get(key);
    rest.delete(key);
    return parse(value);
  };
  refuseMetadata(rest);
  rest.delete('_field_names');
  const dynamic = take('dynamic', (value) => parseDynamic(value, 'dynamic'));
  const options: RootOptions = {
    meta: take('_meta', (value) => (isPlainObject(value) ? value : raise(castError(value, 'Map')))),
    source: take('_source', parseSourceOptions),
    routingRequired: take('_routing', parseRouting),
    hasTimestamp: take('_data_stream_timestamp', parseTimestamp),
    dynamicTemplates: take('dynamic_templates', (value) => parseTemplates(value, context.options)),
    dynamicDateFormats: take('dynamic_date_formats', stringList) ?? take('date_formats', stringList),
    dateDetection: take('date_detection', (value) => parseFlag(value, 'date_detection')),
    numericDetection: take('numeric_detection', (value) => parseFlag(value, 'numeric_detection')),
    runtime: take('runtime', parseRuntime) ?? new Map(),
  };
  const enabled = take('enabled', (value) => parseFlag(value, 'enabled.enabled'));
  const subobjects = take('subobjects', (value) => parseFlag(value, 'subobjects'));
  const children =
    take('properties', (value) => parseProperties(value, '_doc', '', subobjects ?? true, context)) ??
    new Map<string, MappingNode>();
  if (rest.size > 0)
    throw errors.mapperParsing(`Root mapping definition has unsupported parameters: ${unsupported(rest)}`);
  return { root: { ...EMPTY_OBJECT, name: '_doc', path: '', dynamic, enabled, subobjects, children }, options };
}

function raise(error: Error): never {
  throw error;
}

/** Parses mapping JSON into a tree. Throws the plain error; the caller adds `Failed to parse mapping`. */
export function parseTree(json: JsonObject, options: MappingOptions): MappingTree {
  return parseRoot(json, { options });
}
