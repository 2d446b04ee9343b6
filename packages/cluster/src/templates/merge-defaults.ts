import { deepEqual, isPlainObject, type Json, setOwn } from '@shoal/json';

/** Whether all items are objects of one key, as the items of `dynamic_templates` are. */
function areNamed(list: readonly unknown[]): list is readonly Json[] {
  return list.every((item) => isPlainObject(item) && Object.keys(item).length === 1);
}

function mergeLists(list: readonly unknown[], defaults: readonly unknown[]): unknown[] {
  if (!areNamed(list) || !areNamed(defaults))
    return [...defaults, ...list.filter((item) => !defaults.some((one) => deepEqual(one, item)))];
  const byName = new Map(list.map((item) => [Object.keys(item)[0]!, item]));
  for (const item of defaults) {
    const name = Object.keys(item)[0]!;
    const own = byName.get(name);
    byName.set(name, own === undefined ? item : mergeDefaults(own, item));
  }
  return [...byName.values()];
}

/**
 * Returns an object completed by defaults, as 8.12 merges the mappings of legacy templates (its
 * `XContentHelper.mergeDefaults`): objects are merged key by key, so that a field keeps the parameters of a template
 * even if its type is another one; of two lists the defaults come first, except that lists of named objects are merged
 * by name.
 */
export function mergeDefaults(json: Json, defaults: Json): Json {
  const merged: Json = { ...json };
  for (const [key, value] of Object.entries(defaults)) {
    const own = Object.hasOwn(json, key) ? json[key] : undefined;
    if (own === undefined) setOwn(merged, key, value);
    else if (isPlainObject(own) && isPlainObject(value)) setOwn(merged, key, mergeDefaults(own, value));
    else if (Array.isArray(own) && Array.isArray(value)) setOwn(merged, key, mergeLists(own, value));
  }
  return merged;
}
