import { errors } from '@shoal/errors';
import type { FieldType, Mapping } from '@shoal/mapping';
import type { PlanContext } from '../parsed-query.js';
import { shardError } from '../plan-query.js';

/** Field names and patterns with their boosts, in the order given; of a name given twice the last boost counts. */
export type FieldBoosts = ReadonlyMap<string, number>;

/** `title^3`, `user.*` … */
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

/** Whether the fields include all of the index: such queries are lenient by themselves. */
export function hasAllFields(fields: readonly string[]): boolean {
  return fields.includes('*');
}

/** Types whose values a text can be compared with; the others are left out when a pattern names them. */
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
 * Mapped fields that names and patterns mean, aliases resolved, with boosts; those of a field that is meant twice are
 * multiplied. `suffix` is appended to names that exist with it (quote_field_suffix). Throws when there are more than
 * clauses allowed.
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
