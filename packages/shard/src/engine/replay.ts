import { createDocumentScratch, type DocumentScratch, type ParsedDocument, parseDocument } from '@shoal/mapping';
import type { Commit, CommittedSegment, MountedFiles, Operation } from '@shoal/store';
import { loggedQueryReader } from '../write/read-query.js';
import type { Engine, Located } from './engine.js';
import type { SealedPart } from './part.js';
import { openPart } from './sealing.js';

/**
 * Parses the document of an operation that was accepted before. `isOwn` tells that the operation is in the own log, so
 * the mapping has its fields; else those that it lacks are proposed. What an earlier build took and this one refuses is
 * no error: the operation was acknowledged. The result is valid until `scratch` is used again.
 */
export function parseLogged(
  engine: Engine,
  operation: Operation,
  isOwn: boolean,
  scratch: DocumentScratch,
): ParsedDocument | null {
  if (operation.kind !== 'index') return null;
  const { mapping, mappingOptions } = engine.metadata;
  return parseDocument(
    mapping,
    operation.source,
    {
      id: operation.id,
      routing: operation.routing,
      nowMs: engine.doors.clock.now(),
      isLogged: true,
      proposesFields: !isOwn,
      readQuery: loggedQueryReader(engine),
    },
    mappingOptions,
    scratch,
  );
}

/**
 * Returns the operation that a logged operation supersedes. A generated id of a new document supersedes none, so none
 * is looked for.
 */
export function locateBefore(engine: Engine, { id, autoId, created }: Operation): Located | null {
  return autoId && created ? null : engine.locate(id);
}

/** Restores deletes and repeatable writes from before the commit that have not expired. */
function recall(engine: Engine, commit: Commit): void {
  for (const seqNo of commit.tombstones) engine.remember(engine.operation(seqNo));
  if (commit.retriesFrom >= 0)
    engine.earlierWrites.begin(commit.retriesFrom, commit.maxSeqNo, engine.doors.clock.monotonic());
}

/**
 * Applies the operations of the log above the newest commit; the engine must have the commit's segments. Returns the
 * number of operations.
 */
export async function replayLog(engine: Engine): Promise<number> {
  const { commit } = engine.store;
  if (commit) recall(engine, commit);
  const scratch = createDocumentScratch();
  let count = 0;
  for await (const operation of engine.store.replay()) {
    engine.apply(operation, parseLogged(engine, operation, true, scratch), locateBefore(engine, operation));
    engine.uncommittedBytes += operation.source.length;
    engine.uncommittedOperations++;
    count++;
  }
  return count;
}

function openCommitted(engine: Engine, segment: CommittedSegment): SealedPart {
  const part = openPart(engine, segment.segment, segment, engine.store.live(segment));
  part.isCommitted = true;
  return part;
}

/** Returns the segments of the newest commit, with their deletes as of the commit. */
export function committedParts(engine: Engine): SealedPart[] {
  return (engine.store.commit?.segments ?? []).map((segment) => openCommitted(engine, segment));
}

/** As `committedParts`, for a mounted copy: waits for the files that opening needs. */
export async function mountedParts(engine: Engine, mounted: MountedFiles): Promise<SealedPart[]> {
  const parts: SealedPart[] = [];
  for (const segment of engine.store.commit?.segments ?? [])
    parts.push(await mounted.run(async () => openCommitted(engine, segment)));
  return parts;
}
