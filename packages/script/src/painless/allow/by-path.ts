import { isAnyMap } from '../../runtime/access.js';
import { isList, listGet } from '../../runtime/lists.js';
import { mapGet, mapHas } from '../../runtime/maps.js';
import { illegalArgument, Thrown } from '../../runtime/thrown.js';
import { classOf, type Value } from '../../runtime/values.js';

/** Reads `a.b.1` of maps and lists in one another. Errors: Painless's getByPath. */
function getByPath(container: Value, path: string, fallback: () => Value): Value {
  const parts = path.split('.');
  let value = container;
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    const place = `index [${i}] in path [${path}]`;
    if (isAnyMap(value)) {
      if (!mapHas(value, part)) return isLast ? fallback() : missing(part, i, path);
      value = mapGet(value, part);
    } else if (isList(value)) {
      if (!/^\d+$/.test(part))
        throw new Thrown(
          'java.lang.NumberFormatException',
          `Could not parse [${part}] as a int index into list at ${place}`,
        );
      if (Number(part) >= value.length) return isLast ? fallback() : missing(part, i, path);
      value = listGet(value, Number(part));
    } else throw illegalArgument(`Non-container [${classOf(value)}] at [${parts[i - 1] ?? ''}], ${place}`);
  }
  return value;
}

function missing(part: string, index: number, path: string): never {
  throw illegalArgument(`Container does not have [${part}], for non-terminal index [${index}] in path [${path}]`);
}

export const byPath = {
  'def getByPath(String)': (container: Value, path: string) =>
    getByPath(container, path, () => {
      const parts = path.split('.');
      throw illegalArgument(
        `Container does not have [${parts.at(-1)}], for terminal index [${parts.length - 1}] in path [${path}]`,
      );
    }),
  'def getByPath(String,def)': (container: Value, path: string, fallback: Value) =>
    getByPath(container, path, () => fallback),
};
