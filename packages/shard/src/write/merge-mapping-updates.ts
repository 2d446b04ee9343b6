import { isPlainObject, setOwn } from '@shoal/json';

type Definition = Record<string, unknown>;

const SECTIONS = ['properties', 'fields'] as const;

function mergeSection(into: Definition, from: Definition, section: string): void {
  const update = from[section];
  if (!isPlainObject(update)) return;
  const known = Object.hasOwn(into, section) ? into[section] : undefined;
  if (!isPlainObject(known)) {
    if (known === undefined) into[section] = structuredClone(update);
    return;
  }
  for (const name of Object.keys(update)) {
    const mine = Object.hasOwn(known, name) ? known[name] : undefined;
    const theirs = update[name];
    if (mine === undefined) setOwn(known, name, structuredClone(theirs));
    else if (isPlainObject(mine) && isPlainObject(theirs))
      for (const inner of SECTIONS) mergeSection(mine, theirs, inner);
  }
}

/**
 * Adds the new fields of one document to those of the documents before it in the batch. A field that both have stays as
 * the first document defined it. The later document is parsed again with the merged mapping, as if it had come alone.
 */
export function mergeMappingUpdate(into: Definition, update: Readonly<Definition>): void {
  for (const section of SECTIONS) mergeSection(into, update as Definition, section);
  for (const key of Object.keys(update)) {
    if (!Object.hasOwn(into, key)) setOwn(into, key, structuredClone(update[key]));
  }
}
