import { errors } from '@shoal/errors';
import { deepEqual } from '@shoal/json';
import { javaText } from '../parameter.js';
import type { DynamicTemplate } from './dynamic-template.js';
import type { AliasNode, FieldNode, MappingNode, MappingTree, ObjectNode, RootOptions } from './node.js';

/** Why a mapping is merged. Templates may change what an update may not, because no data exists yet. */
export type MergeReason = 'update' | 'dynamic' | 'template';

function conflict(name: string, changes: readonly string[]): Error {
  return errors.illegalArgument(
    `Mapper for [${name}] conflicts with existing ` + `mapper:${changes.map((change) => `\n\t${change}`).join('')}`,
  );
}

const change = (name: string, from: string, to: string): string =>
  `Cannot update parameter [${name}] from [${from}] to [${to}]`;

function valueOf(node: FieldNode, parameter: FieldNode['definition']['parameters'][number]): unknown {
  return node.values.has(parameter.name) ? node.values.get(parameter.name) : parameter.byDefault;
}

function mergeFields(current: FieldNode, update: FieldNode): FieldNode {
  if (current.definition.name !== update.definition.name) {
    throw errors.illegalArgument(
      `mapper [${current.path}] cannot be changed from type [${current.definition.name}] to ` +
        `[${update.definition.name}]`,
    );
  }
  const changes: string[] = [];
  for (const parameter of current.definition.parameters) {
    const from = valueOf(current, parameter);
    const to = valueOf(update, parameter);
    if (deepEqual(from, to) || parameter.canChange(from, to)) continue;
    if (parameter.conflicts) {
      for (const reason of parameter.conflicts(from, to))
        changes.push(`Conflict in parameter [${parameter.name}]: ${reason}`);
    } else changes.push(change(parameter.name, javaText(from), javaText(to)));
  }
  if (changes.length > 0) throw conflict(current.path, changes);
  return { ...update, multiFields: mergeMultiFields(current, update) };
}

function mergeMultiFields(current: FieldNode, update: FieldNode): ReadonlyMap<string, FieldNode> {
  const merged = new Map(current.multiFields);
  for (const [name, field] of update.multiFields) {
    const existing = merged.get(name);
    merged.set(name, existing ? mergeFields(existing, field) : field);
  }
  return merged;
}

function mergeAlias(current: MappingNode, update: AliasNode): AliasNode {
  if (current.kind === 'field') {
    throw errors.illegalArgument(
      `mapper [${current.path}] cannot be changed from type [${current.definition.name}] to [FieldAliasMapper]`,
    );
  }
  if (current.kind === 'object') throw objectConflict(current.path);
  return update;
}

function objectConflict(path: string): Error {
  return errors.illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`);
}

function mergeNodes(current: MappingNode, update: MappingNode, reason: MergeReason): MappingNode {
  if (reason === 'template') return mergeTemplateNodes(current, update);
  if (update.kind === 'alias') return mergeAlias(current, update);
  if (current.kind === 'alias') {
    if (update.kind === 'object') throw objectConflict(current.path);
    throw errors.illegalArgument(
      `Cannot merge a field alias mapping [${current.path}] with a mapping that is not for a field alias.`,
    );
  }
  if (current.kind === 'object' && update.kind === 'object') return mergeObjects(current, update, reason);
  if (current.kind === 'field' && update.kind === 'field') return mergeFields(current, update);
  throw objectConflict(current.path);
}

/** Merges definitions of templates: later ones replace fields, objects are merged. */
function mergeTemplateNodes(current: MappingNode, update: MappingNode): MappingNode {
  if (current.kind === 'object' && update.kind === 'object') return mergeObjects(current, update, 'template');
  return update;
}

function checkSame(current: boolean | null, update: boolean | null, byDefault: boolean, message: string): void {
  if (update !== null && update !== (current ?? byDefault)) throw errors.mapper(message);
}

function checkNested(current: ObjectNode, update: ObjectNode): void {
  if (current.isNested && !update.isNested)
    throw errors.illegalArgument(`can't merge a non-nested mapping [${current.path}] with a nested mapping`);
  if (!current.isNested && update.isNested)
    throw errors.illegalArgument(`can't merge a non-nested mapping [${current.path}] with a nested mapping`);
  checkSame(
    current.includeInParent,
    update.includeInParent,
    false,
    "the [include_in_parent] parameter can't be updated on a nested object mapping",
  );
  checkSame(
    current.includeInRoot,
    update.includeInRoot,
    false,
    "the [include_in_root] parameter can't be updated on a nested object mapping",
  );
}

function mergeObjects(current: ObjectNode, update: ObjectNode, reason: MergeReason): ObjectNode {
  const shown = current.path === '' ? '_doc' : current.path;
  if (reason !== 'template') {
    if (current.path !== '') checkNested(current, update);
    checkSame(
      current.enabled,
      update.enabled,
      true,
      `the [enabled] parameter can't be updated for the object mapping [${shown}]`,
    );
    checkSame(
      current.subobjects,
      update.subobjects,
      true,
      `the [subobjects] parameter can't be updated for the object mapping [${shown}]`,
    );
  }
  const children = new Map(current.children);
  for (const [name, child] of update.children) {
    const existing = children.get(name);
    children.set(name, existing ? mergeNodes(existing, child, reason) : child);
  }
  return {
    ...current,
    isNested: current.isNested || update.isNested,
    dynamic: update.dynamic ?? current.dynamic,
    enabled: update.enabled ?? current.enabled,
    subobjects: update.subobjects ?? current.subobjects,
    includeInParent: update.includeInParent ?? current.includeInParent,
    includeInRoot: update.includeInRoot ?? current.includeInRoot,
    children,
  };
}

function mergeTemplates(
  current: RootOptions['dynamicTemplates'],
  update: RootOptions['dynamicTemplates'],
  reason: MergeReason,
): RootOptions['dynamicTemplates'] {
  if (update === null || reason !== 'template' || current === null) return update ?? current;
  const merged = new Map<string, DynamicTemplate>(current.map((template) => [template.name, template]));
  for (const template of update) merged.set(template.name, template);
  return [...merged.values()];
}

function checkSource({ source: current }: RootOptions, { source: update }: RootOptions): void {
  if (update === null) return;
  const changes: string[] = [];
  const compare = (name: string, from: readonly string[], to: readonly string[]): void => {
    if (!deepEqual(from, to)) changes.push(change(name, javaText(from), javaText(to)));
  };
  compare('includes', current?.includes ?? [], update.includes);
  compare('excludes', current?.excludes ?? [], update.excludes);
  if (changes.length > 0) throw conflict('_source', changes);
}

function checkRouting({ routingRequired: current }: RootOptions, { routingRequired: update }: RootOptions): void {
  if (update === null || update === (current ?? false)) return;
  throw conflict('_routing', [change('required', String(current ?? false), String(update))]);
}

/** It can be enabled later, never disabled. */
function checkTimestamp({ hasTimestamp: current }: RootOptions, { hasTimestamp: update }: RootOptions): void {
  if (current === true && update === false)
    throw conflict('_data_stream_timestamp', [change('enabled', 'true', 'false')]);
}

function mergeRuntime(current: RootOptions['runtime'], update: RootOptions['runtime']): RootOptions['runtime'] {
  const merged = new Map(current);
  for (const [name, definition] of update) {
    if (definition === null) merged.delete(name);
    else merged.set(name, definition);
  }
  return merged;
}

function mergeMeta(
  current: RootOptions['meta'],
  update: RootOptions['meta'],
  reason: MergeReason,
): RootOptions['meta'] {
  if (update === null || current === null || reason !== 'template') return update ?? current;
  return { ...current, ...update };
}

/** Returns the tree after an update. Throws Elasticsearch's errors for changes that existing data forbids. */
export function mergeTrees(current: MappingTree, update: MappingTree, reason: MergeReason): MappingTree {
  const root = mergeObjects(current.root, update.root, reason);
  if (reason !== 'template') {
    checkSource(current.options, update.options);
    checkRouting(current.options, update.options);
    checkTimestamp(current.options, update.options);
  }
  const options: RootOptions = {
    dynamicTemplates: mergeTemplates(current.options.dynamicTemplates, update.options.dynamicTemplates, reason),
    dynamicDateFormats: update.options.dynamicDateFormats ?? current.options.dynamicDateFormats,
    dateDetection: update.options.dateDetection ?? current.options.dateDetection,
    numericDetection: update.options.numericDetection ?? current.options.numericDetection,
    runtime: mergeRuntime(current.options.runtime, update.options.runtime),
    source: update.options.source ?? current.options.source,
    hasTimestamp: update.options.hasTimestamp ?? current.options.hasTimestamp,
    routingRequired: update.options.routingRequired ?? current.options.routingRequired,
    meta: mergeMeta(current.options.meta, update.options.meta, reason),
  };
  return { root, options };
}
