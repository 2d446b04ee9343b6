import { errors } from '@shoal/errors';
import type { FieldType, Mapping } from '@shoal/mapping';
import type { PlanContext } from '../parsed-query.js';
import { shardError } from '../plan-query.js';

/** Boosts by field name or pattern, in the order given. If a name is given twice, the last boost counts. */
export type FieldBoosts = ReadonlyMap<string, number>;

/** Parses field names with boosts, such as `title^3` and `user.*`. */
export function parseFieldBoosts(fields: readonly string[]): FieldBoosts {
  const boosts = new Map<string, number>();
  for (const field of fields) {
    const caret = field.lastIndexOf('^');
    if (caret < 0) boosts.set(field, 1);
    else boosts.set(field.slice(0, caret), boostOf(field.slice(caret + 1)));
  }
  return boosts;
}

function boostOf(text: string): number {
  const boost = Number(text);
  if (text.trim() === '' || Number.isNaN(boost))
    throw errors.numberFormat(text === '' ? 'empty String' : `For input string: "${text}"`);
  return Math.fround(boost);
}

/** Returns whether the fields include `*`; such queries are lenient by default. */
export function hasAllFields(fields: readonly string[]): boolean {
  return fields.includes('*');
}

/**
 * Returns whether values of a field type can be compared with a text. Fields of other types are left out when a pattern
 * names them.
 */
function takesText(type: FieldType): boolean {
  return type.isSearchable && type.valueKind !== 'geo' && type.valueKind !== 'none'
    ? true
    : type.isSearchable && type.indexAnalyzer !== null;
}

const METADATA = [
  '_id',
  '_index',
  '_routing',
  '_ignored',
  '_tier',
  '_seq_no',
  '_version',
  '_primary_term',
  '_source',
  '_field_names',
];

function isKnown(name: string, mapping: Mapping): boolean {
  return mapping.field(name) !== null || METADATA.includes(name);
}

/**
 * Resolves names and patterns to mapped fields with boosts; aliases are replaced by their fields. The boosts of a field
 * named twice are multiplied. `suffix` (quote_field_suffix) is appended to names for which such a field exists. Throws
 * when there are more fields than clauses allowed.
 */
export function resolveFields(
  boosts: FieldBoosts,
  context: PlanContext,
  suffix: string | null = null,
): Map<string, number> {
  const { mapping } = context.searcher;
  const resolved = new Map<string, number>();
  const add = (name: string, boost: number): void => {
    const target = suffix !== null && isKnown(name + suffix, mapping) ? name + suffix : name;
    const concrete = mapping.field(target)?.name ?? target;
    resolved.set(concrete, (resolved.get(concrete) ?? 1) * boost);
  };
  for (const [name, boost] of boosts) {
    if (!name.includes('*')) {
      if (isKnown(name, mapping)) add(name, boost);
    } else for (const type of mapping.matching(name)) if (takesText(type)) add(type.name, boost);
  }
  refuseTooMany(resolved, context);
  return resolved;
}

function refuseTooMany(fields: ReadonlyMap<string, number>, { searcher }: PlanContext): void {
  const max = searcher.settings.maxClauseCount;
  if (fields.size <= max) return;
  throw shardError(
    searcher,
    `failed to create query: field expansion for [*] matches too many fields, limit: ${max}, got: ${fields.size}`,
  );
}
