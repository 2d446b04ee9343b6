import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';

export type GroupType = 'terms' | 'histogram' | 'date_histogram' | 'geotile_grid';

/** One criterion of a pivot's `group_by`. */
export interface GroupSource {
  /** Where its value stands in the documents; dots make objects. */
  readonly name: string;
  readonly type: GroupType;
  /** Null for a script. */
  readonly field: string | null;
  readonly body: JsonObject;
  /** Whether documents without a value are a group. */
  readonly missingBucket: boolean;
}

const TYPES: readonly string[] = ['terms', 'histogram', 'date_histogram', 'geotile_grid'];

/** Reads `group_by`. Throws illegal_argument_exception for a group of an unknown type. */
export function parseGroups(body: JsonObject): readonly GroupSource[] {
  const groups = Object.entries(body).map(([name, group]) => parseGroup(name, group));
  if (groups.length === 0) throw errors.illegalArgument('Required at least one group by');
  return groups;
}

function parseGroup(name: string, group: unknown): GroupSource {
  const [entry, second] = isPlainObject(group) ? Object.entries(group) : [];
  if (entry === undefined || second !== undefined || !isPlainObject(entry[1]))
    throw errors.parsing(`[${name}] must have one type of group with its options`);
  const [type, options] = entry;
  if (!TYPES.includes(type)) throw errors.parsing(`invalid grouping type [${type}]`);
  const { field, script, missing_bucket: missing } = options as JsonObject;
  if (typeof field !== 'string' && script === undefined)
    throw errors.illegalArgument('Required one of fields [field, script], but none were specified. ');
  return {
    name,
    type: type as GroupType,
    field: typeof field === 'string' ? field : null,
    body: options as JsonObject,
    missingBucket: missing === true,
  };
}
