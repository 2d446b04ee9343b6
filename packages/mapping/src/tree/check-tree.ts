import { errors } from '@shoal/errors';
import type { MappingOptions } from '../mapping-api.js';
import type { ContextMapping } from '../types/completion-contexts.js';
import { type FieldNode, type MappingNode, type MappingTree, METADATA_FIELDS, type ObjectNode } from './node.js';

function countNode(node: MappingNode): number {
  if (node.kind === 'alias') return 1;
  if (node.kind === 'field') return 1 + node.multiFields.size;
  return 1 + countChildren(node);
}

function countChildren(node: ObjectNode): number {
  let count = 0;
  for (const child of node.children.values()) count += countNode(child);
  return count;
}

/**
 * Number of fields that `index.mapping.total_fields.limit` counts: leaves, multi-fields, objects, aliases and runtime
 * fields.
 */
export function countFields(tree: MappingTree): number {
  return countChildren(tree.root) + tree.options.runtime.size;
}

/** All nodes below an object, depth first. */
function* descendants(node: ObjectNode): Generator<MappingNode> {
  for (const child of node.children.values()) {
    yield child;
    if (child.kind === 'object') yield* descendants(child);
  }
}

function checkDepth(path: string, limit: number): void {
  if (path.split('.').length + 1 > limit)
    throw errors.illegalArgument(`Limit of mapping depth [${limit}] has been exceeded due to object field [${path}]`);
}

function checkNameLength(node: MappingNode, limit: number): void {
  if (node.name.length > limit)
    throw errors.illegalArgument(`Field name [${node.name}] is longer than the limit of [${limit}] characters`);
}

function checkCopies(
  field: FieldNode,
  nodes: ReadonlyMap<string, MappingNode>,
  multiFields: ReadonlySet<string>,
): void {
  for (const multi of field.multiFields.values()) {
    if (multi.copyTo.length > 0)
      throw errors.illegalArgument(`[copy_to] may not be used to copy from a multi-field: [${multi.path}]`);
  }
  for (const target of field.copyTo) {
    if (multiFields.has(target))
      throw errors.illegalArgument(`[copy_to] may not be used to copy to a multi-field: [${target}]`);
    if (nodes.get(target)?.kind === 'object')
      throw errors.illegalArgument(`Cannot copy to field [${target}] since it is mapped as an object`);
  }
}

/** Throws unless the `path` of each geo context of a completion field names a geo_point field. */
function checkContexts(field: FieldNode, nodes: ReadonlyMap<string, MappingNode>): void {
  const contexts =
    field.definition.name === 'completion'
      ? (field.values.get('contexts') as readonly ContextMapping[] | null | undefined)
      : null;
  for (const { name, type, path } of contexts ?? []) {
    if (type !== 'GEO' || path === undefined) continue;
    const target = nodes.get(path);
    if (target?.kind !== 'field')
      throw errors.parse(`field [${path}] referenced in context [${name}] is not defined in the mapping`);
    if (target.definition.name !== 'geo_point') {
      throw errors.parse(
        `field [${path}] referenced in context [${name}] must be mapped to geo_point, found ` +
          `[${target.definition.name}]`,
      );
    }
  }
}

/** `others` are multi-fields and runtime fields, which an alias may name too. */
function checkAlias(
  path: string,
  target: string,
  nodes: ReadonlyMap<string, MappingNode>,
  others: ReadonlySet<string>,
): void {
  const refuse = (why: string): never => {
    throw errors.mapperParsing(`Invalid [path] value [${target}] for field alias [${path}]: ${why}`);
  };
  if (target === path) refuse('an alias cannot refer to itself.');
  const node = nodes.get(target);
  if (node?.kind === 'alias') refuse('an alias cannot refer to another alias.');
  if (!others.has(target) && (node === undefined || node.kind === 'object'))
    refuse('an alias must refer to an existing field in the mappings.');
}

/** Checks limits, and the targets of `copy_to` and aliases. Throws illegal_argument or mapper_parsing. */
export function checkTree(tree: MappingTree, options: MappingOptions): void {
  const nodes = new Map<string, MappingNode>();
  const multiFields = new Set<string>();
  let nestedCount = 0;
  for (const name of tree.root.children.keys()) {
    if (METADATA_FIELDS.has(name)) throw errors.mapperParsing(`Field [${name}] is defined more than once`);
  }
  for (const node of descendants(tree.root)) {
    nodes.set(node.path, node);
    checkNameLength(node, options.fieldNameLengthLimit);
    if (node.kind === 'field') for (const multi of node.multiFields.values()) multiFields.add(multi.path);
    if (node.kind === 'object') {
      checkDepth(node.path, options.depthLimit);
      if (node.isNested) nestedCount++;
    }
  }
  const aliased = new Set([...multiFields, ...tree.options.runtime.keys()]);
  for (const node of nodes.values()) {
    if (node.kind === 'field') {
      checkCopies(node, nodes, multiFields);
      for (const field of [node, ...node.multiFields.values()]) checkContexts(field, nodes);
    }
    if (node.kind === 'alias') checkAlias(node.path, node.target, nodes, aliased);
  }
  if (countFields(tree) > options.totalFieldsLimit)
    throw errors.illegalArgument(`Limit of total fields [${options.totalFieldsLimit}] has been exceeded`);
  if (nestedCount > options.nestedFieldsLimit)
    throw errors.illegalArgument(`Limit of nested fields [${options.nestedFieldsLimit}] has been exceeded`);
}
