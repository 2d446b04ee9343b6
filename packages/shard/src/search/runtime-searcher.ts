import type { Search } from '@shoal/aggregations';
import { type FieldType, parseRuntimeMappings } from '@shoal/mapping';
import {
  type ColumnRequest,
  columnFields,
  pausesOf,
  type Plan,
  plannedFields,
  type Progress,
  type ScriptedField,
  scriptedTerms,
  type Searcher,
  withColumns,
  withRuntime,
} from '@shoal/query';

/**
 * Returns the searcher with the runtime fields that a search defines. What is read of documents is kept for this search
 * alone, although its searcher may serve others, as that of a point in time does.
 */
export function runtimeSearcher(searcher: Searcher, search: Search): Searcher {
  const { runtimeMappings } = search;
  const scripted = scriptedOf(search);
  const hasNone = runtimeMappings === null && searcher.runtime === undefined && scripted.length === 0;
  return hasNone ? searcher : withRuntime(searcher, runtimeMappings, scripted);
}

/** A search with more runtime fields has their scripts compiled in turns of the thread, each of which takes 0.3 ms. */
const FIELDS_FEW = 16;

/**
 * Compiles the scripts of many runtime fields of a search with pauses; `runtimeSearcher` then finds them compiled.
 * Throws what `runtimeSearcher` throws for the first field that cannot be.
 */
export async function compileRuntimeFields(searcher: Searcher, search: Search, progress: Progress): Promise<void> {
  const { runtimeMappings } = search;
  if (runtimeMappings === null || Object.keys(runtimeMappings).length <= FIELDS_FEW) return;
  const pause = pausesOf(progress);
  for (const field of parseRuntimeMappings(runtimeMappings)) {
    searcher.mapping.runtimeTypes(new Map([field]));
    const wait = pause();
    if (wait !== null) await wait;
  }
}

/**
 * Returns a searcher of `runtimeSearcher` with columns of the runtime fields that the query, the sort and the
 * aggregations of a search read. `planOn` plans the query.
 */
export async function columnSearcher(
  searcher: Searcher,
  search: Search,
  planOn: (searcher: Searcher) => Plan,
  progress: Progress,
): Promise<Searcher> {
  const { mapping } = searcher;
  const plan = planOn(searcher);
  const work = {
    pause: pausesOf(progress),
    isOver: () => search.timeoutMs !== null && (progress.elapsedMs?.() ?? 0) > search.timeoutMs,
    charge: (bytes: number) => progress.charge?.(bytes),
  };
  const planned = await withColumns(searcher, { ...work, fields: plannedFields(plan, mapping), matches: null });
  const { fields, readsAll } = columnFields(search, mapping);
  const read = await withColumns(planned, { ...work, fields, matches: readsAll ? null : plan });
  return withScriptedColumns(read, scriptedOf(search), readsAll ? null : plan, work);
}

const scriptedOf = ({ aggregations, hitSort }: Search): readonly ScriptedField[] => [
  ...(aggregations?.scripted ?? []),
  ...scriptedTerms(hitSort),
];

/**
 * Returns a searcher that has the values of scripts of aggregations and sorts. Nested documents match with those around
 * them.
 */
async function withScriptedColumns(
  searcher: Searcher,
  scripted: readonly ScriptedField[],
  plan: Plan | null,
  work: Omit<ColumnRequest, 'fields' | 'matches'>,
): Promise<Searcher> {
  const typesOf = (isOfNested: boolean): FieldType[] =>
    scripted.flatMap((field) => (field.isOfNested === isOfNested ? [searcher.mapping.field(field.name)!] : []));
  const ofRoots = await withColumns(searcher, { ...work, fields: typesOf(false), matches: plan });
  return withColumns(ofRoots, { ...work, fields: typesOf(true), matches: null });
}
