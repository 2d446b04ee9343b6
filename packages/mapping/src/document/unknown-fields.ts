import { type ApiError, errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { ObjectSlot } from '../compile.js';
import type { Dynamic } from '../mapping-api.js';
import { childPath } from '../tree/node.js';
import { WHOLE_KINDS, readWhole } from '../types/whole-numbers.js';
import { leafFault, structureFault } from './document-errors.js';
import { detect, type DetectedType, newField, newRuntimeField } from './dynamic-fields.js';
import {
  addLeaf,
  addObject,
  addRuntimeField,
  childType,
  hasChild,
  type MappingUpdate,
  newMappingUpdate,
  replaceFloat,
} from './mapping-update.js';
import type { ParseState } from './parse-state.js';

function updateOf(state: ParseState): MappingUpdate {
  state.update ??= newMappingUpdate();
  return state.update;
}

function refuseStrict(
  parent: ObjectSlot,
  name: string,
  container: object,
  key: string | number,
  isDotted: boolean,
): never {
  const within = parent.path === '' ? '_doc' : parent.path;
  throw structureFault(
    container,
    key,
    `mapping set to strict, dynamic introduction of [${name}] within [${within}] is not allowed`,
    'strictDynamicMapping',
    undefined,
    isDotted ? 'key' : 'value',
  );
}

function checkLimit(state: ParseState, update: MappingUpdate, container: object, key: string | number): void {
  const { totalFieldsLimit } = state.options;
  if (state.mapping.fieldCount + update.fieldCount <= totalFieldsLimit) return;
  const cause = errors.illegalArgument(
    `Limit of total fields [${totalFieldsLimit}] has been exceeded while adding new fields [${update.fieldCount}]`,
  );
  throw structureFault(container, key, `failed to parse: ${cause.reason ?? ''}`, 'documentParsing', cause);
}

/** Refuses a new object below too many others before what is in it is parsed, which recurses. */
function checkDepth(state: ParseState, path: string, container: object, key: string | number): void {
  const { depthLimit } = state.options;
  if (path.split('.').length < depthLimit) return;
  throw tooDeep(state, path, container, key);
}

/** The error of a path that has more levels than `index.mapping.depth.limit` allows. */
export function tooDeep(state: ParseState, path: string, container: object, key: string | number): Error {
  const { depthLimit } = state.options;
  const cause = errors.illegalArgument(
    `Limit of mapping depth [${depthLimit}] has been exceeded due to object field [${path}]`,
  );
  return structureFault(container, key, `failed to parse: ${cause.reason ?? ''}`, 'documentParsing', cause);
}

/** Compiled form of an object that is not in the mapping yet. */
function virtualObject(parent: ObjectSlot, name: string, json: Record<string, unknown>): ObjectSlot {
  const path = childPath(parent.path, name);
  const isNested = json['type'] === 'nested';
  const dynamic = json['dynamic'] === undefined ? parent.dynamic : (String(json['dynamic']) as Dynamic);
  return {
    kind: 'object',
    name,
    path,
    isNested,
    dynamic,
    enabled: json['enabled'] !== false && json['enabled'] !== 'false',
    subobjects: json['subobjects'] !== false,
    includeInParent: false,
    includeInRoot: false,
    nestedPath: isNested ? path : parent.nestedPath,
    slots: new Map(),
  };
}

function addUnknownObject(
  state: ParseState,
  parents: readonly ObjectSlot[],
  name: string,
  value: unknown,
  json: Record<string, unknown>,
): void {
  addObject(updateOf(state), parents, name, json);
  parseVirtual(state, parents, name, value, json);
}

/** Parses the objects in a value as if the mapping had an object at this name. */
function parseVirtual(
  state: ParseState,
  parents: readonly ObjectSlot[],
  name: string,
  value: unknown,
  json: Record<string, unknown>,
): void {
  const virtual = virtualObject(parents.at(-1)!, name, json);
  visitObjects(value, (object) => state.parseObject(state, virtual, object, [...parents, virtual]));
}

/** Calls `visit` for an object, or for each object in an array, at any depth of arrays. */
function visitObjects(value: unknown, visit: (object: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) for (const item of value) visitObjects(item, visit);
  else if (isPlainObject(value)) visit(value);
}

function addRuntime(
  state: ParseState,
  parent: ObjectSlot,
  name: string,
  json: Record<string, unknown>,
  container: object,
  key: string | number,
): void {
  const update = updateOf(state);
  addRuntimeField(update, childPath(parent.path, name), json);
  checkLimit(state, update, container, key);
}

function isObjectJson(json: Record<string, unknown>): boolean {
  return json['type'] === 'object' || json['type'] === 'nested';
}

/** Returns the error of two values of one document that give a new field different types, else null. */
function typeConflict(known: string | null, json: Record<string, unknown>, path: string): ApiError | null {
  const type = String(json['type']);
  if (known === null || known === type) return null;
  const isObject = known === 'object' || known === 'nested';
  if (isObject && isObjectJson(json)) return null;
  if (isObject) return errors.illegalArgument(`can't merge a non object mapping [${path}] with an object mapping`);
  return errors.illegalArgument(
    `mapper [${path}] cannot be changed from type [${known}] to [${isObjectJson(json) ? 'ObjectMapper' : type}]`,
  );
}

function addNew(
  state: ParseState,
  parents: readonly ObjectSlot[],
  name: string,
  detected: DetectedType,
  container: object,
  key: string | number,
  value: unknown,
): void {
  const parent = parents.at(-1)!;
  const update = updateOf(state);
  const path = childPath(parent.path, name);
  const field = newField(path, name, detected, state.mapping.tree.options, state.context.dynamicTemplates?.[path]);
  if (field.isRuntime) return addRuntime(state, parent, name, field.json, container, key);
  const conflict = typeConflict(childType(update, parents, name), field.json, path);
  if (conflict !== null) {
    state.conflict ??= conflict;
    return;
  }
  if (isObjectJson(field.json)) {
    checkDepth(state, path, container, key);
    addUnknownObject(state, parents, name, value, field.json);
  } else {
    addLeaf(update, parents, name, field.json);
  }
  checkLimit(state, update, container, key);
}

/**
 * Handles a value for a field that is not in the mapping, as the object's `dynamic` says: refuses it, ignores it, or
 * adds the field to the mapping update. A dotted `name` creates objects on the way. In an array, each element is
 * handled.
 */
export function addUnknown(
  state: ParseState,
  parents: readonly ObjectSlot[],
  name: string,
  container: object,
  key: string | number,
  value: unknown,
): void {
  const parent = parents.at(-1)!;
  if (state.mapping.runtime.has(childPath(parent.path, name)) && !isPlainObject(value)) {
    // What is no object is a value of the runtime field, which is read from the source when it is searched.
    if (Array.isArray(value)) addUnknownArray(state, parents, name, value);
    return;
  }
  if (parent.dynamic === 'false' || (state.context.isLogged && !state.context.proposesFields)) return;
  const dot = parent.subobjects ? name.indexOf('.') : -1;
  if (parent.dynamic === 'strict') refuseStrict(parent, dot < 0 ? name : name.slice(0, dot), container, key, dot >= 0);
  if (dot > 0) addDotted(state, parents, name, dot, container, key, value);
  else if (Array.isArray(value)) addUnknownArray(state, parents, name, value);
  else addUnknownValue(state, parents, name, container, key, value);
}

const VECTOR_DIMS_MIN = 128;
const VECTOR_DIMS_MAX = 4096;

/** Handles each element; an array of 128 to 4,096 numbers becomes a `dense_vector`. */
function addUnknownArray(
  state: ParseState,
  parents: readonly ObjectSlot[],
  name: string,
  array: readonly unknown[],
): void {
  array.forEach((item, i) => addUnknown(state, parents, name, array, i, item));
  const isVector =
    array.length >= VECTOR_DIMS_MIN &&
    array.length <= VECTOR_DIMS_MAX &&
    array.every((item) => typeof item === 'number');
  if (isVector && state.update !== null)
    replaceFloat(state.update, parents, name, { type: 'dense_vector', dims: array.length });
}

function addUnknownValue(
  state: ParseState,
  parents: readonly ObjectSlot[],
  name: string,
  container: object,
  key: string | number,
  value: unknown,
): void {
  const parent = parents.at(-1)!;
  state.container = container;
  state.key = key;
  const detected = detect(value, state.mapping.tree.options, (number) => state.numberText(number));
  if (detected === null) return;
  if (parent.dynamic === 'runtime' && !hasTemplate(state, parent, name, detected)) {
    if (detected.type === 'object') parseVirtual(state, parents, name, value, { type: 'object' });
    else addRuntime(state, parent, name, newRuntimeField(detected), container, key);
    return;
  }
  if (typeof value === 'bigint') checkLong(state, childPath(parent.path, name), container, key, value);
  if (!parent.subobjects && detected.type === 'object') {
    state.parseObject(state, parent, dottedKeys(name, value as Record<string, unknown>), parents);
  } else {
    addNew(state, parents, name, detected, container, key, value);
  }
}

/** Throws for a whole number beyond 64 bits. */
function checkLong(state: ParseState, path: string, container: object, key: string | number, value: bigint): void {
  try {
    readWhole(WHOLE_KINDS.long, value, true);
  } catch (fault) {
    throw leafFault('preview', path, 'long', state.context.id, container, key, value, fault);
  }
}

/** The keys of an object with the prefix of its name, for a parent with `subobjects: false`. */
function dottedKeys(name: string, value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [`${name}.${key}`, inner]));
}

function hasTemplate(state: ParseState, parent: ObjectSlot, name: string, detected: DetectedType): boolean {
  const path = childPath(parent.path, name);
  return newField(path, name, detected, state.mapping.tree.options, state.context.dynamicTemplates?.[path])
    .isFromTemplate;
}

function addDotted(
  state: ParseState,
  parents: readonly ObjectSlot[],
  name: string,
  dot: number,
  container: object,
  key: string | number,
  value: unknown,
): void {
  const parent = parents.at(-1)!;
  const first = name.slice(0, dot);
  const update = updateOf(state);
  const path = childPath(parent.path, first);
  const made = newField(path, first, { type: 'object', format: null }, state.mapping.tree.options, undefined);
  // Runtime fields need no objects around them.
  const isKnown = hasChild(update, parents, first) || (parent.dynamic === 'runtime' && !made.isFromTemplate);
  const json = isKnown ? { type: 'object' } : made.json;
  if (!isObjectJson(json)) {
    addLeaf(update, parents, first, json);
    return;
  }
  if (!isKnown) addObject(update, parents, first, json);
  const virtual = virtualObject(parent, first, json);
  if (virtual.enabled) addUnknown(state, [...parents, virtual], name.slice(dot + 1), container, key, value);
}
