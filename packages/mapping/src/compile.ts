import { errors } from '@shoal/errors';
import { matchesWildcard } from '@shoal/values';
import type { FieldType } from './field-type.js';
import type { Dynamic, Mapping, MappingOptions, ObjectMapping } from './mapping-api.js';
import { runtimeTypes } from './runtime/runtime-type.js';
import { joinRuntime } from './runtime/with-runtime.js';
import { checkTree, countFields } from './tree/check-tree.js';
import { type CreatedField, createField } from './tree/field-config.js';
import type { FieldNode, MappingNode, MappingTree, ObjectNode } from './tree/node.js';
import type { JoinRelations } from './types/join-relations.js';
import { leafJson, treeJson } from './tree/render-tree.js';
import { checkTimeSeries, dimensionsOf } from './time-series/dimensions.js';
import { SERIES_FIELD } from './time-series/series-field.js';

/** A leaf field, compiled for the document parser. */
export interface FieldSlot {
  readonly kind: 'field';
  readonly field: FieldType;
  /** The field itself, its multi-fields and hidden subfields; each of them parses every value. */
  readonly all: readonly FieldType[];
  readonly copyTo: readonly string[];
  readonly takesArrays: boolean;
  readonly refuseItem: ((item: unknown) => void) | null;
  readonly faultStyle: 'preview' | 'field' | 'cause';
}

/** A field alias, compiled for the document parser, which refuses values for it. */
export interface AliasSlot {
  readonly kind: 'alias';
  readonly path: string;
}

/** An object, compiled for the document parser: its children by key. */
export interface ObjectSlot extends ObjectMapping {
  readonly kind: 'object';
  readonly name: string;
  readonly subobjects: boolean;
  readonly includeInParent: boolean;
  readonly includeInRoot: boolean;
  /** Path of the innermost nested object that is, or contains, this object; null if there is none. */
  readonly nestedPath: string | null;
  readonly slots: ReadonlyMap<string, Slot>;
}

/** A child of an object by kind. */
export type Slot = FieldSlot | AliasSlot | ObjectSlot;

/** A mapping with what the document parser and merging need besides. */
export interface CompiledMapping extends Mapping {
  readonly tree: MappingTree;
  readonly root: ObjectSlot;
  readonly options: MappingOptions;
  /** Number of fields that the total limit counts: leaves, multi-fields, objects, aliases. */
  readonly fieldCount: number;
  /** Field types by their definition, reused by the next compilation. */
  readonly made: CreatedFields;
  /** Fields of which every document gets a value, whatever its source contains. */
  readonly constantFields: readonly FieldType[];
}

/** Field types by definition. Definitions are immutable, so after a merge only changed fields are created. */
type CreatedFields = ReadonlyMap<FieldNode, CreatedField>;

/** Results collected while the tree is walked. */
interface CollectedFields {
  readonly fields: Map<string, FieldType>;
  readonly aliases: Map<string, string>;
  readonly objects: ObjectSlot[];
  readonly nodes: Map<string, MappingNode>;
  readonly options: MappingOptions;
  readonly known: CreatedFields;
  readonly made: Map<FieldNode, CreatedField>;
  /** Paths of the fields that are copied to a field. */
  readonly copies: Map<string, string[]>;
}

/** Settings that an object passes on to its children. */
interface InheritedSettings {
  readonly dynamic: Dynamic;
  readonly subobjects: boolean;
  readonly nestedPath: string | null;
}

function make(node: FieldNode, collected: CollectedFields): CreatedField {
  const created = collected.known.get(node) ?? createField(node, collected.options);
  collected.made.set(node, created);
  return created;
}

function compileField(node: FieldNode, collected: CollectedFields): FieldSlot {
  const { field, subfields } = make(node, collected);
  const all: FieldType[] = [field, ...subfields];
  collected.nodes.set(node.path, node);
  for (const multi of node.multiFields.values()) {
    const made = make(multi, collected);
    all.push(made.field, ...made.subfields);
    collected.nodes.set(multi.path, multi);
  }
  for (const each of all) collected.fields.set(each.name, each);
  for (const target of node.copyTo) collected.copies.set(target, [...(collected.copies.get(target) ?? []), node.path]);
  const { takesArrays = false, refuseItem = null, faultStyle = 'preview' } = node.definition;
  return { kind: 'field', field, all, copyTo: node.copyTo, takesArrays, refuseItem, faultStyle };
}

function compileNode(node: MappingNode, inherited: InheritedSettings, collected: CollectedFields): Slot {
  if (node.kind === 'field') return compileField(node, collected);
  if (node.kind === 'object') return compileObject(node, inherited, collected);
  collected.aliases.set(node.path, node.target);
  collected.nodes.set(node.path, node);
  return { kind: 'alias', path: node.path };
}

function compileObject(node: ObjectNode, inherited: InheritedSettings, collected: CollectedFields): ObjectSlot {
  const own: InheritedSettings = {
    dynamic: node.dynamic ?? inherited.dynamic,
    subobjects: node.subobjects ?? inherited.subobjects,
    nestedPath: node.isNested ? node.path : inherited.nestedPath,
  };
  const slots = new Map<string, Slot>();
  const slot: ObjectSlot = {
    kind: 'object',
    name: node.name,
    path: node.path,
    isNested: node.isNested,
    enabled: node.enabled ?? true,
    ...own,
    includeInParent: node.includeInParent ?? false,
    includeInRoot: node.includeInRoot ?? false,
    slots,
  };
  if (node.path !== '') collected.objects.push(slot);
  for (const [name, child] of node.children) slots.set(name, compileNode(child, own, collected));
  return slot;
}

function byPath(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** The field of one key of a `flattened` field, `labels.region`; null if no such field contains the path. */
function keyedField(path: string, fields: ReadonlyMap<string, FieldType>): FieldType | null {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const parent = fields.get(path.slice(0, dot));
    if (parent) return parent.keyed?.(path.slice(dot + 1)) ?? null;
  }
  return null;
}

/** Hidden and multi-fields have the values of the field before the last dot of their name. */
function sourcePathsOf(name: string, { fields, copies }: CollectedFields): readonly string[] {
  const parent = name.slice(0, Math.max(0, name.lastIndexOf('.')));
  const own = fields.has(name) && fields.has(parent) ? parent : name;
  return [own, ...(copies.get(own) ?? [])];
}

function nestedParentOf(path: string, objects: ReadonlyMap<string, ObjectSlot>): ObjectMapping | null {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const object = objects.get(path.slice(0, end));
    if (object) return object.nestedPath === null ? null : (objects.get(object.nestedPath) ?? null);
  }
  return null;
}

/** Refuses fields with the name of what fields of some types have beside their own column. */
function checkHidden(fields: ReadonlyMap<string, FieldType>): void {
  for (const { nanosField } of fields.values())
    if (nanosField !== undefined && fields.has(nanosField))
      throw errors.mapperParsing(`Field [${nanosField}] is defined more than once`);
  for (const { name, metricColumns } of fields.values())
    for (const column of metricColumns?.values() ?? [])
      if (column !== name && fields.has(column))
        throw errors.mapperParsing(`Field [${column}] is defined more than once`);
  for (const { name, shapes } of fields.values())
    if (shapes !== undefined && fields.has(`${name}._cells`))
      throw errors.mapperParsing(`Field [${name}._cells] is defined more than once`);
}

/** Returns the relations of the join field; throws if there are two such fields. */
function joinOf(fields: readonly FieldType[]): JoinRelations | null {
  const found = fields.flatMap(({ relations }) => (relations ? [relations] : []));
  if (found.length <= 1) return found[0] ?? null;
  const names = found.map(({ field }) => field).join(', ');
  throw errors.illegalArgument(`Only one [parent-join] field can be defined per index, got [${names}]`);
}

/** Throws for dimensions in nested objects, for too many, and for what an index of time series cannot have. */
function checkDimensions(
  fields: readonly FieldType[],
  objects: readonly ObjectSlot[],
  { dimensionFieldsLimit = Infinity, timeSeries }: MappingOptions,
): void {
  const dimensions = dimensionsOf(fields);
  if (dimensions.length > dimensionFieldsLimit)
    throw errors.illegalArgument(`Limit of total dimension fields [${dimensionFieldsLimit}] has been exceeded`);
  const nested = objects.filter(({ isNested }) => isNested);
  for (const { name } of dimensions)
    if (nested.some(({ path }) => name.startsWith(`${path}.`)))
      throw errors.illegalArgument(`time_series_dimension can't be configured in nested field [${name}]`);
  if (timeSeries !== undefined) checkTimeSeries(timeSeries, fields, nested.length > 0);
}

/** The runtime fields of a tree. */
function compileRuntime({ options: { runtime } }: MappingTree, options: MappingOptions): Mapping['runtime'] {
  const definitions = [...runtime].flatMap(([path, json]) => (json === null ? [] : [[path, json] as const]));
  return runtimeTypes(new Map(definitions), options);
}

/**
 * Compiles a tree for documents and queries. Checks limits, aliases and `copy_to`. `known`: field types of the previous
 * mapping with the same options, to be reused.
 */
export function compileMapping(
  tree: MappingTree,
  options: MappingOptions,
  known: CreatedFields = new Map(),
): CompiledMapping {
  checkTree(tree, options);
  const collected: CollectedFields = {
    fields: new Map(),
    aliases: new Map(),
    objects: [],
    nodes: new Map(),
    options,
    known,
    made: new Map(),
    copies: new Map(),
  };
  const root = compileObject(tree.root, { dynamic: 'true', subobjects: true, nestedPath: null }, collected);
  checkHidden(collected.fields);
  const runtime = compileRuntime(tree, options);
  const { timeSeries } = options;
  const { fields, nodes } = collected;
  const mapped = [...fields.values()].sort(byPath);
  const sorted = joinRuntime(mapped, runtime);
  checkDimensions(mapped, collected.objects, options);
  const aliases = new Map([...collected.aliases].filter(([alias]) => !runtime.has(alias)));
  const objects = new Map(collected.objects.map((object) => [object.path, object]));
  const field = (path: string): FieldType | null => {
    const target = aliases.get(path) ?? path;
    if (target === '_tsid' && timeSeries !== undefined) return SERIES_FIELD;
    return runtime.get(target) ?? fields.get(target) ?? keyedField(target, fields);
  };
  return {
    tree,
    root,
    fieldCount: countFields(tree),
    runtime,
    runtimeTypes: (definitions) => runtimeTypes(definitions, options),
    options,
    made: collected.made,
    constantFields: mapped.filter((each) => each.addConstant !== undefined),
    field,
    matching: (pattern) => matchingFields(pattern, sorted, aliases, field),
    fields: sorted,
    aliases,
    object: (path) => objects.get(path) ?? null,
    objects: collected.objects,
    nestedParent: (path) => nestedParentOf(path, objects),
    sourcePaths: (name) => sourcePathsOf(name, collected),
    join: joinOf(mapped),
    hasNested: collected.objects.some(({ isNested }) => isNested),
    dimensions: timeSeries === undefined ? null : dimensionsOf(mapped),
    needsTimestamp: tree.options.hasTimestamp ?? false,
    routingRequired: tree.options.routingRequired ?? false,
    source: tree.options.source ?? { enabled: true, includes: [], excludes: [] },
    toJson: () => treeJson(tree),
    fieldJson(path, includeDefaults) {
      const node = nodes.get(path);
      return node ? leafJson(node, includeDefaults) : null;
    },
  };
}

function matchingFields(
  pattern: string,
  sorted: readonly FieldType[],
  aliases: ReadonlyMap<string, string>,
  field: (path: string) => FieldType | null,
): readonly FieldType[] {
  if (pattern === '*') return sorted;
  if (!pattern.includes('*')) {
    const single = field(pattern);
    return single ? [single] : [];
  }
  const found = new Set(sorted.filter(({ name }) => matchesWildcard(pattern, name)));
  for (const alias of aliases.keys()) {
    const target = matchesWildcard(pattern, alias) ? field(alias) : null;
    if (target) found.add(target);
  }
  return [...found];
}

/** Returns a mapping of `parseMapping` or `mergeMappings` as a compiled one; throws for mappings from elsewhere. */
export function asCompiled(mapping: Mapping): CompiledMapping {
  if ('tree' in mapping && 'root' in mapping) return mapping as CompiledMapping;
  throw errors.illegalState('mapping was not made by parseMapping');
}
