import { errors } from '@shoal/errors';
import { bodyReader, type JsonObject } from '@shoal/json';

/** Filters that the rules of a body name, before it is known to be right. */
export function namedFilters(body: JsonObject): readonly string[] {
  const names = new Set<string>();
  const walk = (value: unknown, depth: number): void => {
    if (depth > 12 || typeof value !== 'object' || value === null) return;
    for (const [key, one] of Object.entries(value)) {
      if (key === 'filter_id' && typeof one === 'string') names.add(one);
      walk(one, depth + 1);
    }
  };
  walk((body['analysis_config'] as JsonObject | undefined)?.['detectors'], 0);
  return [...names];
}

/** Detectors of a job with the changes of `_update`, which name them by their index. */
export function updatedDetectors(known: readonly JsonObject[], changes: readonly unknown[]): JsonObject[] {
  const next = known.map((one) => ({ ...one }));
  for (const change of changes) {
    const reader = bodyReader('detector_update', change);
    reader.onlyKeys(['detector_index', 'description', 'custom_rules']);
    const index = reader.optionalNumber('detector_index');
    const one = index === null ? undefined : next[index];
    if (one === undefined)
      throw errors.illegalArgument(
        `Supplied detector_index [${String(index)}] is >= the number of detectors [${known.length}]`,
      );
    const description = reader.optionalText('description');
    if (description !== null) one['detector_description'] = description;
    const rules = reader.optionalList('custom_rules');
    if (rules !== null) one['custom_rules'] = rules;
  }
  return next;
}
