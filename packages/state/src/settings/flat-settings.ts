import { isPlainObject } from '@shoal/json';
import { errors } from '@shoal/errors';
import type { SettingValue } from '../state.js';

/** Settings with dotted names. */
export type FlatSettings = Readonly<Record<string, SettingValue>>;

function leaf(value: unknown): SettingValue {
  if (value === null || value === undefined) return null;
  if (!Array.isArray(value)) return String(value);
  if (value.some((item) => typeof item === 'object' && item !== null))
    throw errors.settings('Failed to load settings from [array of objects]');
  return value.map(String);
}

function collect(value: Record<string, unknown>, prefix: string, into: Map<string, SettingValue>): void {
  for (const [key, child] of Object.entries(value)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (isPlainObject(child)) collect(child, name, into);
    else into.set(name, leaf(child));
  }
}

/** Flattens nested or dotted settings to dotted names with strings as values. Null (reset) stays null. */
export function flattenSettings(json: Readonly<Record<string, unknown>>): Record<string, SettingValue> {
  const flat = new Map<string, SettingValue>();
  collect(json, '', flat);
  return Object.fromEntries(flat);
}

/** Flattens index settings of a client and adds the prefix `index.` to names without it. */
export function flattenIndexSettings(json: Readonly<Record<string, unknown>>): Record<string, SettingValue> {
  const flat = Object.entries(flattenSettings(json));
  return Object.fromEntries(
    flat.map(([name, value]) => [name.startsWith('index.') || name === '*' ? name : `index.${name}`, value]),
  );
}

type Tree = Map<string, Tree | SettingValue>;

function insert(tree: Tree, parts: readonly string[], value: SettingValue): void {
  const [head = '', ...rest] = parts;
  const child = tree.get(head);
  if (rest.length === 0) {
    if (child instanceof Map) child.set('', value);
    else tree.set(head, value);
  } else if (child instanceof Map) insert(child, rest, value);
  else if (child === undefined) {
    const next: Tree = new Map();
    tree.set(head, next);
    insert(next, rest, value);
  } else tree.set(parts.join('.'), value);
}

function toObject(tree: Tree): Record<string, unknown> {
  return Object.fromEntries([...tree].map(([key, value]) => [key, value instanceof Map ? toObject(value) : value]));
}

/**
 * Converts dotted names to nested objects, the form of answers. A name that is both a leaf and a prefix keeps its dots.
 */
export function nestedSettings(flat: FlatSettings): Record<string, unknown> {
  const tree: Tree = new Map();
  for (const name of Object.keys(flat).sort()) insert(tree, name.split('.'), flat[name] ?? null);
  return toObject(tree);
}
