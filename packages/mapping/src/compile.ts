import { errors } from '@shoal/errors';
import { matchesGlob } from '@shoal/json';
import type { FieldType } from './field-type.js';
import type { Dynamic, Mapping, MappingOptions, ObjectMapping } from './mapping-api.js';
import { checkTree, countFields } from './tree/check-tree.js';
import { type CreatedField, createField } from './tree/field-config.js';
import { runtimeNode } from './tree/runtime-field.js';
import type { FieldNode, MappingNode, MappingTree, ObjectNode } from './tree/node.js';
import { leafJson, treeJson } from './tree/render-tree.js';

/** A leaf as the document parser meets it. */
export interface FieldSlot {
  readonly kind: 'field';
  readonly field: FieldType;
  /** The field itself, its multi-fields and hidden subfields: all get each value. */
  readonly all: readonly FieldType[];
  readonly copyTo: readonly string[];
  readonly takesArrays: boolean;
  readonly faultStyle: 'preview' | 'field' | 'cause';
}

export interface AliasSlot {
  readonly kind: 'alias';
  readonly path: string;
}

/** An object as the document parser meets it: its children by key. */
export interface ObjectSlot extends ObjectMapping {
  readonly kind: 'object';
  readonly name: string;
  readonly subobjects: boolean;
  readonly includeInParent: boolean;
  readonly includeInRoot: boolean;
  /** Path of the innermost nested object at or above; null for the root. */
  readonly nestedPath: string | null;
  readonly slots: ReadonlyMap<string, Slot>;
}

export type Slot = FieldSlot | AliasSlot | ObjectSlot;

/** A mapping with what the document parser and merging need. */
export interface CompiledMapping extends Mapping {
  readonly tree: MappingTree;
  readonly root: ObjectSlot;
  readonly options: MappingOptions;
  /** Fields as the total limit counts them: leaves, multi-fields, objects, aliases. */
  readonly fieldCount: number;
  /** Fields of `runtime`, by path: values of documents that the tree has no field for. */
  readonly runtimeSlots: ReadonlyMap<string, FieldSlot>;
  /** Fields by their definition, for the next compilation. */
  readonly made: MadeFields;
  /** Fields that every document gets values of, whatever its source says. */
  readonly constantFields: readonly FieldType[];
}

/** Behaviour by definition: definitions are immutable, so a merge makes only what is new. */
type MadeFields = ReadonlyMap<FieldNode, CreatedField>;

/** Everything gathered on the way down the tree. */
interface Gathered {
  readonly fields: Map<string, FieldType>;
  readonly aliases: Map<string, string>;
  readonly objects: ObjectSlot[];
  readonly nodes: Map<string, MappingNode>;
  readonly options: MappingOptions;
  readonly known: MadeFields;
  readonly made: Map<FieldNode, CreatedField>;
}

/** What an object hands down to its children. */
interface Inherited {
  readonly dynamic: Dynamic;
  readonly subobjects: boolean;
  readonly nestedPath: string | null;
}

function make(node: FieldNode, gathered: Gathered): CreatedField {
  const created = gathered.known.get(node) ?? createField(node, gathered.options);
  gathered.made.set(node, created);
  return created;
}

function compileField(node: FieldNode, gathered: Gathered): FieldSlot {
  const { field, subfields } = make(node, gathered);
  const all: FieldType[] = [field, ...subfields];
  gathered.nodes.set(node.path, node);
  for (const multi of node.multiFields.values()) {
    const made = make(multi, gathered);
    all.push(made.field, ...made.subfields);
    gathered.nodes.set(multi.path, multi);
  }
  for (const each of all) gathered.fields.set(each.name, each);
  const { takesArrays = false, faultStyle = 'preview' } = node.definition;
  return { kind: 'field', field, all, copyTo: node.copyTo, takesArrays, faultStyle };
}

function compileNode(node: MappingNode, inherited: Inherited, gathered: Gathered): Slot {
  if (node.kind === 'field') return compileField(node, gathered);
  if (node.kind === 'object') return compileObject(node, inherited, gathered);
  gathered.aliases.set(node.path, node.target);
  gathered.nodes.set(node.path, node);
  return { kind: 'alias', path: node.path };
}

function compileObject(node: ObjectNode, inherited: Inherited, gathered: Gathered): ObjectSlot {
  const own: Inherited = {
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
  if (node.path !== '') gathered.objects.push(slot);
  for (const [name, child] of node.children) slots.set(name, compileNode(child, own, gathered));
  return slot;
}

function byPath(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** A field under one that makes fields of its keys (`flattened`): `labels.region`. */
function keyedField(path: string, fields: ReadonlyMap<string, FieldType>): FieldType | null {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const parent = fields.get(path.slice(0, dot));
    if (parent) return parent.keyed?.(path.slice(dot + 1)) ?? null;
  }
  return null;
}

function nestedParentOf(path: string, objects: ReadonlyMap<string, ObjectSlot>): ObjectMapping | null {
  for (let end = path.length; end > 0; end = path.lastIndexOf('.', end - 1)) {
    const object = objects.get(path.slice(0, end));
    if (object) return object.nestedPath === null ? null : (objects.get(object.nestedPath) ?? null);
  }
  return null;
}

/**
 * Runtime fields without a script are read from the source while it is indexed; a mapped field of the name goes first.
 */
function compileRuntime(tree: MappingTree, gathered: Gathered): ReadonlyMap<string, FieldSlot> {
  const slots = new Map<string, FieldSlot>();
  for (const [path, definition] of tree.options.runtime) {
    const node =
      definition === null || gathered.fields.has(path) ? null : runtimeNode(path, definition, gathered.options);
    if (node !== null) slots.set(path, compileField(node, { ...gathered, nodes: new Map() }));
  }
  return slots;
}

/**
 * Turns a tree into what documents and queries use. Checks limits, aliases and copies. `known`: fields of the mapping
 * before, for the same options.
 */
export function compileMapping(
  tree: MappingTree,
  options: MappingOptions,
  known: MadeFields = new Map(),
): CompiledMapping {
  checkTree(tree, options);
  const gathered: Gathered = {
    fields: new Map(),
    aliases: new Map(),
    objects: [],
    nodes: new Map(),
    options,
    known,
    made: new Map(),
  };
  const root = compileObject(tree.root, { dynamic: 'true', subobjects: true, nestedPath: null }, gathered);
  const runtimeSlots = compileRuntime(tree, gathered);
  const { fields, aliases, nodes } = gathered;
  const sorted = [...fields.values()].sort(byPath);
  const objects = new Map(gathered.objects.map((object) => [object.path, object]));
  const field = (path: string): FieldType | null => {
    const target = aliases.get(path) ?? path;
    return fields.get(target) ?? keyedField(target, fields);
  };
  return {
    tree,
    root,
    fieldCount: countFields(tree),
    runtimeSlots,
    options,
    made: gathered.made,
    constantFields: sorted.filter((each) => each.addConstant !== undefined),
    field,
    matching: (pattern) => matchingFields(pattern, sorted, aliases, field),
    fields: sorted,
    aliases,
    object: (path) => objects.get(path) ?? null,
    objects: gathered.objects,
    nestedParent: (path) => nestedParentOf(path, objects),
    hasNested: gathered.objects.some(({ isNested }) => isNested),
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
  const found = new Set(sorted.filter(({ name }) => matchesGlob(pattern, name)));
  for (const alias of aliases.keys()) {
    const target = matchesGlob(pattern, alias) ? field(alias) : null;
    if (target) found.add(target);
  }
  return [...found];
}

/** The compiled form behind a Mapping. Only mappings of this room are accepted. */
export function compiled(mapping: Mapping): CompiledMapping {
  if ('tree' in mapping && 'root' in mapping) return mapping as CompiledMapping;
  throw errors.illegalState('mapping was not made by parseMapping');
}
