import { errors } from '@shoal/errors';
import type { FieldType, Mapping } from '@shoal/mapping';
import { hashOrder } from '@shoal/values';
import type { PlanContext } from '../parsed-query.js';
import { shardError } from '../plan-query.js';

/** Boosts by field name or pattern, in the order given. If a name is given twice, the last boost counts. */
export type FieldBoosts = ReadonlyMap<string, number>;

/** Parses field names with boosts, such as `title^3` and `user.*`. */
export function parseFieldBoosts(fields: readonly string[]): FieldBoosts {
  const boosts = new Map<string, number>();
  for (const field of fields) {
    const caret = field.indexOf('^');
    if (caret < 0) boosts.set(field, 1);
    else boosts.set(field.slice(0, caret), boostOf(field.slice(caret + 1)));
  }
  return boosts;
}

/**
 * Parses field names with boosts as the query strings do: a name without a boost keeps that which it was given before
 * (`["u^3", "u"]` is `u^3`); otherwise the last counts.
 */
export function parseStringFields(fields: readonly string[]): FieldBoosts {
  const boosts = new Map<string, number>();
  for (const field of fields)
    for (const [name, boost] of parseFieldBoosts([field])) boosts.set(name, boost * (boosts.get(field) ?? 1));
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
  if (!type.isSearchable) return false;
  const isRange = type.capabilities.rangesOver !== null || type.typeName === 'ip_range';
  return isRange || type.indexAnalyzer !== null || (type.valueKind !== 'geo' && type.valueKind !== 'none');
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
 * Resolves names and patterns to mapped fields with boosts, in the order in which Elasticsearch walks them (Java's
 * HashMap). The boosts of a name given twice are multiplied. An alias stays beside its field, and both are searched,
 * unless one pattern names both. `suffix` (quote_field_suffix) is appended to names for which such a field exists.
 * Throws when there are more fields than clauses allowed.
 */
export function resolveFields(
  boosts: FieldBoosts,
  context: PlanContext,
  suffix: string | null = null,
): Map<string, number> {
  const resolved = new Map<string, number>();
  for (const name of [...boosts.keys()].sort(compareTexts))
    for (const found of resolveName(name, suffix, context.searcher.mapping))
      resolved.set(found, Math.fround((resolved.get(found) ?? 1) * boosts.get(name)!));
  refuseTooMany(resolved, context);
  return new Map(hashOrder(resolved.keys()).map((name) => [name, resolved.get(name)!]));
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function resolveName(name: string, suffix: string | null, mapping: Mapping): ReadonlySet<string> {
  const withSuffix = (field: string): string =>
    suffix !== null && isKnown(field + suffix, mapping) ? field + suffix : field;
  if (!name.includes('*')) return new Set(isKnown(name, mapping) ? [withSuffix(name)] : []);
  return new Set(
    mapping
      .matching(name)
      .filter(takesText)
      .map((type) => withSuffix(type.name)),
  );
}

function refuseTooMany(fields: ReadonlyMap<string, number>, { searcher }: PlanContext): void {
  const max = searcher.settings.maxClauseCount;
  if (fields.size <= max) return;
  throw shardError(
    searcher,
    `failed to create query: field expansion for [*] matches too many fields, limit: ${max}, got: ${fields.size}`,
  );
}
