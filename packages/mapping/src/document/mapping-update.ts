import type { ObjectSlot } from '../compile.js';

interface Branch {
  /** Definition of the object itself, without `properties`. */
  readonly own: Record<string, unknown>;
  readonly children: Map<string, Branch | Record<string, unknown>>;
}

function isBranch(value: Branch | Record<string, unknown>): value is Branch {
  return value['children'] instanceof Map;
}

function branchJson(branch: Branch): Record<string, unknown> {
  const entries = [...branch.children].map(
    ([name, child]) => [name, isBranch(child) ? branchJson(child) : child] as const,
  );
  const own = { ...branch.own };
  if (entries.length === 0) return Object.keys(own).length === 0 ? { type: 'object' } : own;
  if (own['type'] === 'object') delete own['type'];
  return { ...own, properties: Object.fromEntries(entries) };
}

/** New fields of a document, collected as a mapping to merge. */
export interface MappingUpdate {
  readonly root: Branch;
  readonly runtime: Map<string, Record<string, unknown>>;
  /** Number of new leaves, objects and runtime fields. */
  fieldCount: number;
}

/** Creates an empty update. */
export function newMappingUpdate(): MappingUpdate {
  return { root: { own: {}, children: new Map() }, runtime: new Map(), fieldCount: 0 };
}

function ownJson(object: ObjectSlot): Record<string, unknown> {
  return { ...(object.isNested ? { type: 'nested' } : {}), ...(object.subobjects ? {} : { subobjects: false }) };
}

/** The branch of an object, created with its parents if absent; objects that the mapping has keep their kind. */
function branchAt(update: MappingUpdate, parents: readonly ObjectSlot[]): Branch {
  let branch = update.root;
  for (const parent of parents) {
    if (parent.path === '') {
      if (!parent.subobjects) update.root.own['subobjects'] = false;
      continue;
    }
    const existing = branch.children.get(parent.name);
    const next: Branch = existing && isBranch(existing) ? existing : { own: ownJson(parent), children: new Map() };
    branch.children.set(parent.name, next);
    branch = next;
  }
  return branch;
}

/** The leaf or object of a name below the last of `parents`; unlike `branchAt`, adds nothing. */
function childOf(
  update: MappingUpdate,
  parents: readonly ObjectSlot[],
  name: string,
): Branch | Record<string, unknown> | undefined {
  let branch = update.root;
  for (const { path, name: own } of parents) {
    if (path === '') continue;
    const next = branch.children.get(own);
    if (next === undefined || !isBranch(next)) return undefined;
    branch = next;
  }
  return branch.children.get(name);
}

/** Adds a leaf below the last of `parents`; if the name has a definition already, that one stays. */
export function addLeaf(
  update: MappingUpdate,
  parents: readonly ObjectSlot[],
  name: string,
  json: Record<string, unknown>,
): void {
  const branch = branchAt(update, parents);
  if (branch.children.has(name)) return;
  branch.children.set(name, json);
  // Fields below it count once the update is merged, as in 8.12.
  update.fieldCount++;
}

/** Replaces the definition of a leaf that was added as a plain `float`. */
export function replaceFloat(
  update: MappingUpdate,
  parents: readonly ObjectSlot[],
  name: string,
  json: Record<string, unknown>,
): void {
  const { children } = branchAt(update, parents);
  const leaf = children.get(name);
  if (leaf && !isBranch(leaf) && leaf['type'] === 'float' && Object.keys(leaf).length === 1) children.set(name, json);
}

/** Adds an object below the last of `parents`. */
export function addObject(
  update: MappingUpdate,
  parents: readonly ObjectSlot[],
  name: string,
  json: Record<string, unknown>,
): void {
  const branch = branchAt(update, parents);
  if (branch.children.has(name)) return;
  const { properties, ...own } = json;
  const children = new Map(Object.entries((properties ?? {}) as Record<string, Record<string, unknown>>));
  branch.children.set(name, { own, children });
  update.fieldCount += 1 + children.size;
}

/** Adds a runtime field. Of several values with different types the last one decides. */
export function addRuntimeField(update: MappingUpdate, path: string, json: Record<string, unknown>): void {
  if (!update.runtime.has(path)) update.fieldCount++;
  update.runtime.set(path, json);
}

/** Whether the update contains a leaf or object of this name. */
export function hasChild(update: MappingUpdate, parents: readonly ObjectSlot[], name: string): boolean {
  return childOf(update, parents, name) !== undefined;
}

/** Type of the leaf or object of this name in the update; null if there is none. */
export function childType(update: MappingUpdate, parents: readonly ObjectSlot[], name: string): string | null {
  const child = childOf(update, parents, name);
  if (!child) return null;
  return isBranch(child) ? String(child.own['type'] ?? 'object') : String(child['type']);
}

/** The update as mapping JSON, or null if it is empty. */
export function updateJson(update: MappingUpdate): Record<string, unknown> | null {
  if (update.root.children.size === 0 && update.runtime.size === 0) return null;
  const runtime = update.runtime.size === 0 ? {} : { runtime: Object.fromEntries(update.runtime) };
  return update.root.children.size === 0 ? runtime : { ...runtime, ...branchJson(update.root) };
}
