import { extractValues, filterSource, filterSourceBy, parseJson, type SourceFilter, stringify } from '@shoal/json';
import { type AccessLimits, fieldFilter, type Mapping } from '@shoal/mapping';
import { errorMessage, type shard } from '@shoal/protocol';
import type { Searcher } from '@shoal/query';
import type { Operation } from '@shoal/store';
import type { Engine } from '../engine/engine.js';
import { type ShardIdentity, versionConflict } from '../write/version-check.js';
import { visibleSource } from './stored-document.js';

/** Options of one item, with what the message leaves out. */
interface GetOptions {
  readonly source: boolean | { readonly includes: readonly string[]; readonly excludes: readonly string[] };
  readonly storedFields: readonly string[];
}

const WHOLE: GetOptions = { source: true, storedFields: [] };
const NOT_FOUND: shard.GetResult = { found: false, version: 0, seqNo: 0, primaryTerm: 0, ignored: [] };

/** Without a word of the source, it is answered unless stored fields are asked for that leave it out. */
function optionsOf(options: shard.GetOptions | undefined): GetOptions {
  if (options === undefined) return WHOLE;
  const { source, storedFields } = options;
  if (source === undefined)
    return { source: storedFields.length === 0 || storedFields.includes('_source'), storedFields };
  return { source: source.none ? false : source, storedFields };
}

/** Returns the stored fields of a document, read from its source: only fields that the mapping stores. */
function storedFieldsOf(
  operation: Operation,
  names: readonly string[],
  mapping: Mapping,
  filter: SourceFilter | null,
): Uint8Array | undefined {
  const found: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  const source = parseJson(filter === null ? operation.source : filter(operation.source));
  for (const name of names) {
    const field = mapping.field(name);
    if (field?.toJson(false)['store'] !== true) continue;
    const nullValue = field.toJson(false)['null_value'] ?? null;
    const values = extractValues(source, name)
      .map((value) => value ?? nullValue)
      .filter((value) => value !== null);
    if (values.length > 0) found[name] = values.map((value) => field.storedValue(value));
  }
  return Object.keys(found).length === 0 ? undefined : Buffer.from(stringify(found));
}

function selectSource(
  operation: Operation,
  selection: GetOptions['source'],
  mapping: Mapping,
  filter: SourceFilter | null,
): Uint8Array | undefined {
  if (selection === false) return undefined;
  const unfiltered = visibleSource(operation.source, mapping.source);
  if (unfiltered.length === 0) return undefined;
  const visible = filter === null ? unfiltered : filter(unfiltered);
  return selection === true ? visible : filterSource(visible, selection.includes, selection.excludes);
}

function foundResult(
  operation: Operation,
  item: shard.GetItem,
  mapping: Mapping,
  limits: AccessLimits | null,
): shard.GetResult {
  const shows = fieldFilter(limits);
  const filter = shows === null ? null : filterSourceBy(shows);
  const { source, storedFields } = optionsOf(item.options);
  return {
    found: true,
    version: operation.version,
    seqNo: operation.seqNo,
    primaryTerm: operation.primaryTerm,
    routing: operation.routing ?? undefined,
    source: selectSource(operation, source, mapping, filter),
    fields: storedFields.length === 0 ? undefined : storedFieldsOf(operation, storedFields, mapping, filter),
    ignored: storedFields.includes('_ignored') ? operation.ignored.filter((name) => shows?.(name) ?? true) : [],
  };
}

/** Returns the operation of an id's document as a searcher sees it, or null. */
function operationInView(engine: Engine, searcher: Searcher, id: string): Operation | null {
  for (const { reader, live, maxDoc } of searcher.segments) {
    for (const doc of reader.findId(id)) {
      if (doc >= maxDoc || (live !== null && !live.get(doc))) continue;
      const operation = engine.operation(engine.seqNoAt(reader, doc));
      if (operation.id === id) return operation;
    }
  }
  return null;
}

function newestOperation(engine: Engine, id: string): Operation | null {
  const located = engine.locate(id);
  return located?.kind === 'live' ? engine.operation(located.seqNo) : null;
}

/**
 * Reads documents by id. If `searcher` is null, the newest operation is read, refreshed or not. `limits` hides fields;
 * the searcher hides documents. An item that fails does not fail the others.
 */
export function getItem(
  engine: Engine,
  searcher: Searcher | null,
  item: shard.GetItem,
  identity: ShardIdentity,
  limits: AccessLimits | null = null,
): shard.GetResult {
  const operation = searcher === null ? newestOperation(engine, item.id) : operationInView(engine, searcher, item.id);
  if (operation === null) return NOT_FOUND;
  if (item.version !== undefined && item.version !== operation.version) {
    const explanation = `current version [${operation.version}] is different than the one provided [${item.version}]`;
    const error = versionConflict(identity, item.id, explanation);
    return { ...NOT_FOUND, error: errorMessage(error) };
  }
  return foundResult(operation, item, engine.metadata.mapping, limits);
}
