import { isPlainObject } from '@shoal/json';
import type { FieldType, Mapping } from '@shoal/mapping';
import type { Plan } from '../plan.js';
import { innerPlans } from '../plan-clauses.js';
import { compiled } from '../scripts/segment-script.js';
import type { ParsedSearch } from '../search/parsed-search.js';

/** Runtime fields whose columns a search reads. */
export interface ColumnFields {
  /** Fields of sorting and aggregating, as far as names in the body tell. */
  readonly fields: readonly FieldType[];
  /** Whether values may be read of documents that do not match. */
  readonly readsAll: boolean;
}

/** Aggregations over documents that do not match the query; those of `needsAllShards` are some more. */
const BEYOND = ['children', 'parent', 'significant_terms', 'significant_text'];

/** Returns the runtime fields whose columns sorting and aggregations of a search read. */
export function columnFields(search: ParsedSearch, mapping: Mapping): ColumnFields {
  const names = new Set<string>();
  for (const spec of search.hitSort) if ('field' in spec) names.add(spec.field);
  if (search.aggregations !== null) addNames(search.json['aggs'] ?? search.json['aggregations'], names);
  const readsAll = search.needsAllShards || BEYOND.some((name) => names.has(name));
  return { fields: runtimeFields(names, mapping), readsAll };
}

/** Adds all texts, and all names of members: those of sorts are fields. */
function addNames(json: unknown, names: Set<string>): void {
  if (typeof json === 'string') names.add(json);
  else if (Array.isArray(json)) for (const item of json) addNames(item, names);
  else if (isPlainObject(json))
    for (const [key, value] of Object.entries(json)) {
      names.add(key);
      addNames(value, names);
    }
}

/** Returns the runtime fields whose columns a plan reads while it matches and scores. */
export function plannedFields(plan: Plan, mapping: Mapping): readonly FieldType[] {
  const names = new Set<string>();
  const open: Plan[] = [plan];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    addColumns(next, names, open);
    open.push(...(innerPlans(next) ?? []));
  }
  return runtimeFields(names, mapping);
}

function addColumns(plan: Plan, names: Set<string>, open: Plan[]): void {
  if (plan.kind === 'covering') {
    if (plan.minimum.kind === 'field') names.add(plan.minimum.field);
    else for (const name of compiled(plan.minimum.script).uses.fields) names.add(name);
  }
  if (plan.kind === 'distanceFeature') names.add(plan.field);
  if (plan.kind === 'script') for (const name of compiled(plan.script).uses.fields) names.add(name);
  if (plan.kind !== 'functionScore') return;
  for (const { filter, function: scored } of plan.functions) {
    if (filter !== null) open.push(filter);
    if (scored.kind === 'script') for (const name of compiled(scored.script).uses.fields) names.add(name);
    if ('field' in scored && scored.field !== null) names.add(scored.field);
  }
}

function runtimeFields(names: ReadonlySet<string>, mapping: Mapping): readonly FieldType[] {
  const found = new Set<FieldType>();
  for (const name of names) {
    const field = mapping.field(name);
    if (field?.runtime !== undefined) found.add(field);
  }
  return [...found];
}
