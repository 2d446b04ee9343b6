import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { ObjectSlot } from '../compile.js';
import type { Dynamic } from '../mapping-api.js';
import { childPath } from '../tree/node.js';
import { structureFault } from './document-errors.js';
import { detect, type Detected, newField, newRuntimeField } from './dynamic-fields.js';
import { addLeaf, addObject, hasChild, type MappingUpdate, newMappingUpdate } from './mapping-update.js';
import type { ParseState } from './parse-state.js';

/** The first element that says something of an array's type, with the array that holds it. */
function firstElement(container: object, key: string | number, value: unknown): { readonly container: object; readonly key: string | number; readonly value: unknown } {
  if (!Array.isArray(value)) return { container, key, value };
  for (let i = 0; i < value.length; i++) {
    const inner = firstElement(value, i, value[i]);
    if (inner.value !== null && !(Array.isArray(inner.value) && inner.value.length === 0)) return inner;
  }
  return { container, key, value: null };
}

function updateOf(state: ParseState): MappingUpdate {
  state.update ??= newMappingUpdate();
  return state.update;
}

function refuseStrict(parent: ObjectSlot, name: string, container: object, key: string | number): never {
  const within = parent.path === '' ? '_doc' : parent.path;
  throw structureFault(container, key, `mapping set to strict, dynamic introduction of [${name}] within [${within}] is not allowed`, 'strictDynamicMapping');
}

function checkLimit(state: ParseState, update: MappingUpdate, container: object, key: string | number): void {
  const { totalFieldsLimit } = state.options;
  if (state.mapping.fieldCount + update.fieldCount <= totalFieldsLimit) return;
  const cause = errors.illegalArgument(`Limit of total fields [${totalFieldsLimit}] has been exceeded while adding new fields [${update.fieldCount}]`);
  throw structureFault(container, key, `failed to parse: ${cause.reason ?? ''}`, 'documentParsing', cause);
}

/** An object that the document brings along, as the parser would meet it once it is mapped. */
function virtualObject(parent: ObjectSlot, name: string, json: Record<string, unknown>): ObjectSlot {
  const path = childPath(parent.path, name);
  const isNested = json['type'] === 'nested';
  const dynamic = json['dynamic'] === undefined ? parent.dynamic : (String(json['dynamic']) as Dynamic);
  return {
    kind: 'object', name, path, isNested, dynamic, enabled: json['enabled'] !== false && json['enabled'] !== 'false', subobjects: json['subobjects'] !== false,
    includeInParent: false, includeInRoot: false, nestedPath: isNested ? path : parent.nestedPath, slots: new Map(),
  };
}

function addUnknownObject(state: ParseState, parents: readonly ObjectSlot[], name: string, value: unknown, json: Record<string, unknown>): void {
  const parent = parents.at(-1)!;
  addObject(updateOf(state), parents, name, json);
  const virtual = virtualObject(parent, name, json);
  visitObjects(value, (object) => state.parseObject(state, virtual, object, [...parents, virtual]));
}

/** Objects in a value or in its arrays, however deep. */
function visitObjects(value: unknown, visit: (object: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const item of value) visitObjects(item, visit);
  else if (isPlainObject(value)) visit(value);
}

function addRuntime(state: ParseState, parent: ObjectSlot, name: string, detected: Detected): void {
  const json = newRuntimeField(detected);
  const path = childPath(parent.path, name);
  if (json === null || state.mapping.tree.options.runtime.has(path)) return;
  updateOf(state).runtime.set(path, json);
}

function isObjectJson(json: Record<string, unknown>): boolean {
  return json['type'] === 'object' || json['type'] === 'nested';
}

function addNew(state: ParseState, parents: readonly ObjectSlot[], name: string, detected: Detected, container: object, key: string | number, value: unknown): void {
  const parent = parents.at(-1)!;
  const update = updateOf(state);
  const path = childPath(parent.path, name);
  const field = newField(path, name, detected, state.mapping.tree.options, state.context.dynamicTemplates?.[path]);
  if (field.isRuntime) {
    update.runtime.set(path, field.json);
  } else if (isObjectJson(field.json)) {
    addUnknownObject(state, parents, name, value, field.json);
  } else {
    addLeaf(update, parents, name, field.json);
  }
  checkLimit(state, update, container, key);
}

/**
 * A value for a field that the mapping does not know: refused, left alone, or noted as an addition to the mapping, as the
 * object's `dynamic` says. A dotted `name` makes objects on the way.
 */
export function addUnknown(state: ParseState, parents: readonly ObjectSlot[], name: string, container: object, key: string | number, value: unknown): void {
  const parent = parents.at(-1)!;
  if (parent.dynamic === 'false') return;
  const dot = parent.subobjects ? name.indexOf('.') : -1;
  if (parent.dynamic === 'strict') refuseStrict(parent, dot < 0 ? name : name.slice(0, dot), container, key);
  if (dot > 0) {
    addDotted(state, parents, name, dot, container, key, value);
    return;
  }
  const first = firstElement(container, key, value);
  state.container = first.container;
  state.key = first.key;
  const detected = detect(first.value, state.mapping.tree.options, state.numberText);
  if (detected === null) return;
  const isKnown = state.update !== null && hasChild(state.update, parents, name);
  if (detected.type === 'object' && (parent.dynamic === 'runtime' || isKnown)) {
    addUnknownObject(state, parents, name, value, { type: 'object' });
  } else if (isKnown) {
    return;
  } else if (parent.dynamic === 'runtime' && !hasTemplate(state, parent, name, detected)) {
    addRuntime(state, parent, name, detected);
  } else {
    addNew(state, parents, name, detected, container, key, value);
  }
}

function hasTemplate(state: ParseState, parent: ObjectSlot, name: string, detected: Detected): boolean {
  const path = childPath(parent.path, name);
  return newField(path, name, detected, state.mapping.tree.options, state.context.dynamicTemplates?.[path]).isFromTemplate;
}

function addDotted(state: ParseState, parents: readonly ObjectSlot[], name: string, dot: number, container: object, key: string | number, value: unknown): void {
  const parent = parents.at(-1)!;
  const first = name.slice(0, dot);
  const update = updateOf(state);
  const isKnown = hasChild(update, parents, first);
  const path = childPath(parent.path, first);
  const json = isKnown ? { type: 'object' } : newField(path, first, { type: 'object', format: null }, state.mapping.tree.options, undefined).json;
  if (!isObjectJson(json)) {
    addLeaf(update, parents, first, json);
    return;
  }
  if (!isKnown) addObject(update, parents, first, json);
  const virtual = virtualObject(parent, first, json);
  if (virtual.enabled) addUnknown(state, [...parents, virtual], name.slice(dot + 1), container, key, value);
}
