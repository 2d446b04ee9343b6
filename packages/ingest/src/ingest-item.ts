import { type ApiError, errors, toApiError } from '@shoal/errors';
import { isHugeSource, readSource, readSourceInTurns, stringify, stringifyInTurns } from '@shoal/json';
import { IngestDocument } from './document.js';
import type { IngestRun, Pipeline } from './processor.js';
import { isNumeric, toNumber } from './java-values.js';
import { runPipeline } from './run.js';
import { refused } from './refused.js';
import { andThen, type Pause } from './steps-in-turns.js';

/** The pipelines of a document, in the order in which they run; null for none. */
export interface PipelineNames {
  /** That of the request, else the default one of the index. */
  readonly first: string | null;
  /** The final one of the index. */
  readonly final: string | null;
}

/** Fields of a write that pipelines may change. */
export interface IngestTarget {
  readonly index: string;
  readonly id: string | null;
  readonly routing: string | null;
  /** Null: any version. */
  readonly version: number | null;
  readonly versionType: string;
  readonly ifSeqNo: number | null;
  readonly ifPrimaryTerm: number | null;
  readonly dynamicTemplates: Readonly<Record<string, unknown>> | null;
}

/** A document whose pipelines are to run. */
export interface IngestItem extends IngestTarget {
  /** JSON of the document. */
  readonly source: Uint8Array;
  readonly pipelines: PipelineNames;
}

/** What became of a document. `executed`: names of the pipelines that ran, as `executed_pipelines` lists them. */
export type IngestedItem =
  | {
      readonly kind: 'written';
      readonly source: Uint8Array;
      readonly target: IngestTarget;
      readonly executed: readonly string[];
    }
  | { readonly kind: 'dropped'; readonly target: IngestTarget; readonly executed: readonly string[] }
  | { readonly kind: 'failed'; readonly error: ApiError; readonly at: FailedAt | null };

/** Where a document failed. */
export interface FailedAt {
  readonly pipeline: string;
  /** Type and tag of the processor; null if none had begun, and for one without a tag. */
  readonly processorType: string | null;
  readonly processorTag: string | null;
}

/** What running the pipelines of a document needs of its surroundings. */
export interface ItemSite {
  readonly pipeline: (name: string) => Pipeline | null;
  /** Returns the pipelines of an index to which a pipeline sent the document. */
  readonly pipelinesOf: (index: string) => PipelineNames;
  readonly run: IngestRun;
  /** The present time as `_ingest.timestamp` shows it. */
  readonly timestamp: () => string;
}

/** Bytes that a document may have after its pipelines, unless it came with more. */
const SOURCE_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes from which on the fields of a document are not copied for its scripts. */
const LARGE_BYTES = 64 * 1024;
/** Indices to which the pipelines of one document may send it. */
const MOVES_MAX = 10;
/** Version that stands for any. */
const MATCH_ANY = -3;

/** A pipeline that still has to run. */
interface Slot {
  readonly name: string;
  readonly isFinal: boolean;
}

/** A document on its way through its pipelines. */
interface Passage {
  readonly item: IngestItem;
  readonly site: ItemSite;
  readonly document: IngestDocument;
  readonly executed: string[];
  /** Indices that the document was meant for. */
  readonly visited: string[];
  slots: Slot[];
  /** Name of the pipeline that runs, or ran last. */
  current: string;
}

/**
 * Runs the pipelines of a document: the first, the final one, and after a change of the index those of the new index.
 * Throws the error of a source that is no document; a promise only if a processor waits. Source: Elasticsearch's
 * `IngestService.executePipelines`.
 */
export function ingestItem(item: IngestItem, site: ItemSite): IngestedItem | Promise<IngestedItem> {
  if (!isHugeSource(item.source.length)) return pass(item, site, readSource(item.source));
  const turn = async (): Promise<void> => void (await site.run.pause());
  return readSourceInTurns(item.source, turn).then((source) => pass(item, site, source));
}

function pass(item: IngestItem, site: ItemSite, source: Record<string, unknown>): IngestedItem | Promise<IngestedItem> {
  const document = documentOf(item, source, site.timestamp());
  const slots = slotsOf(item.pipelines);
  const passage: Passage = { item, site, document, executed: [], visited: [item.index], slots, current: '' };
  try {
    const outcome = advance(passage);
    return outcome instanceof Promise ? outcome.catch((thrown) => failedItem(passage, thrown)) : outcome;
  } catch (thrown) {
    return failedItem(passage, thrown);
  }
}

/** The result of a document whose pipelines threw. */
function failedItem({ document: { failure }, current }: Passage, thrown: unknown): IngestedItem {
  const error = toApiError(thrown);
  // An earlier failure that a processor recovered from is not this one.
  const own = failure?.error === error ? failure : null;
  const at = { pipeline: own?.pipeline ?? current, processorType: own?.type ?? null, processorTag: own?.tag ?? null };
  return { kind: 'failed', error, at };
}

/** Runs the pipelines that are left. */
function advance(passage: Passage): IngestedItem | Promise<IngestedItem> {
  const { item, site, document, executed } = passage;
  for (let slot = passage.slots.shift(); slot !== undefined; slot = passage.slots.shift()) {
    const { name } = slot;
    passage.current = name;
    const pipeline = site.pipeline(name);
    if (pipeline === null) throw errors.illegalArgument(`pipeline with id [${name}] does not exist`);
    executed.push(name);
    document.isRerouted = false;
    const index = indexOf(document, item);
    const pending = runPipeline(pipeline, document, site.run);
    const ended = slot;
    if (pending) return pending.then(() => dropped(passage) ?? (leave(passage, ended, index), advance(passage)));
    if (document.isDropped) return dropped(passage)!;
    leave(passage, slot, index);
  }
  const written = (source: Uint8Array): IngestedItem => ({
    kind: 'written',
    source,
    target: targetOf(document, item),
    executed,
  });
  return andThen(sourceOf(document, item, site.run.pause), written);
}

/** The result of a document that a processor dropped; null for others. */
function dropped({ document, item, executed }: Passage): IngestedItem | null {
  return document.isDropped ? { kind: 'dropped', target: item, executed } : null;
}

/** Chooses the pipelines that follow if one has changed the index of the document. */
function leave(passage: Passage, slot: Slot, before: string): void {
  const { item, site, document, visited } = passage;
  const next = indexOf(document, item);
  if (next === before) return;
  checkMove(slot, { from: before, to: next, visited, document });
  visited.push(next);
  passage.slots = slotsOf(site.pipelinesOf(next)).filter(({ isFinal }) => isFinal || document.isRerouted);
}

function slotsOf({ first, final }: PipelineNames): Slot[] {
  return [
    ...(first === null ? [] : [{ name: first, isFinal: false }]),
    ...(final === null ? [] : [{ name: final, isFinal: true }]),
  ];
}

function documentOf(item: IngestItem, source: Record<string, unknown>, timestamp: string): IngestDocument {
  const metadata: Record<string, unknown> = { _index: item.index, _id: item.id, _version: item.version ?? MATCH_ANY };
  if (item.routing !== null) metadata['_routing'] = item.routing;
  metadata['_version_type'] = item.versionType;
  if (item.dynamicTemplates !== null) metadata['_dynamic_templates'] = { ...item.dynamicTemplates };
  const isLarge = item.source.length > LARGE_BYTES;
  return new IngestDocument(source, metadata, { timestamp }, isLarge);
}

function indexOf({ metadata }: IngestDocument, item: IngestTarget): string {
  return typeof metadata['_index'] === 'string' ? metadata['_index'] : item.index;
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly visited: readonly string[];
  readonly document: IngestDocument;
}

function checkMove(slot: Slot, { from, to, visited, document }: Move): void {
  const id = String(document.metadata['_id'] ?? null);
  if (slot.isFinal) {
    throw refused(
      `final pipeline [${slot.name}] can't change the target index (from [${from}] to [${to}]) for document [${id}]`,
    );
  }
  if (visited.includes(to)) {
    const path = [...visited, to].join(', ');
    throw refused(`index cycle detected while processing pipeline [${slot.name}] for document [${id}]: [${path}]`);
  }
  if (visited.length > MOVES_MAX) throw refused(`pipelines sent document [${id}] to more than [${MOVES_MAX}] indices`);
}

/** Bytes of the document: those that came if no processor ran. Throws if there are too many. */
function sourceOf(document: IngestDocument, item: IngestItem, pause: Pause): Uint8Array | Promise<Uint8Array> {
  if (!document.isTouched) return item.source;
  if (!isHugeSource(item.source.length)) return checkBytes(Buffer.from(stringify(document.source)), item);
  return stringifyInTurns(document.source, pause).then((chunks) => checkBytes(Buffer.concat(chunks), item));
}

function checkBytes(bytes: Uint8Array, item: IngestItem): Uint8Array {
  if (bytes.length <= SOURCE_BYTES_MAX || bytes.length <= item.source.length) return bytes;
  throw errors.illegalArgument(
    `pipelines made a document of [${bytes.length}] bytes, more than the limit of [${SOURCE_BYTES_MAX}]`,
  );
}

function targetOf(document: IngestDocument, item: IngestItem): IngestTarget {
  const { metadata } = document;
  const text = (name: string): string | null => (typeof metadata[name] === 'string' ? metadata[name] : null);
  const long = (name: string): number | null => (isNumeric(metadata[name]) ? toNumber(metadata[name]) : null);
  const version = long('_version');
  return {
    index: indexOf(document, item),
    id: text('_id'),
    routing: text('_routing'),
    version: version === MATCH_ANY ? null : version,
    versionType: text('_version_type') ?? item.versionType,
    ifSeqNo: long('_if_seq_no') ?? item.ifSeqNo,
    ifPrimaryTerm: long('_if_primary_term') ?? item.ifPrimaryTerm,
    dynamicTemplates: (metadata['_dynamic_templates'] as IngestTarget['dynamicTemplates']) ?? item.dynamicTemplates,
  };
}
