import { errors } from '@shoal/errors';
import { createDocumentScratch, type DocumentScratch } from '@shoal/mapping';
import { decodeReceived } from '@shoal/store';
import type { Engine } from './engine.js';
import { locateBefore, parseLogged } from './replay.js';

/** Milliseconds after which the thread is yielded. */
const SLICE_MS = 8;

function receiveOne(engine: Engine, seqNo: number, value: Uint8Array, scratch: DocumentScratch): void {
  const operation = decodeReceived(seqNo, value);
  const parsed = parseLogged(engine, operation, false, scratch);
  if (parsed?.dynamicUpdate)
    throw errors.retryOnReplica(`mappings are not available on the replica yet for operation [${seqNo}]`);
  engine.receive(operation, value, parsed, locateBefore(engine, operation));
}

/**
 * Applies operations of the primary that follow the own log; `values` are their records. Throws
 * retry_on_replica_exception before the first operation whose fields the mapping lacks here. The operations before that
 * one are in the log.
 */
export async function receiveOperations(
  engine: Engine,
  firstSeqNo: number,
  values: readonly Uint8Array[],
  makeRoom: () => Promise<void> | null,
): Promise<void> {
  const { clock } = engine.doors;
  const scratch = createDocumentScratch();
  let sliceEnd = clock.monotonic() + SLICE_MS;
  for (let i = 0; i < values.length; i++) {
    receiveOne(engine, firstSeqNo + i, values[i]!, scratch);
    if ((i & 15) !== 15) continue;
    const room = makeRoom();
    if (room) await room;
    if (clock.monotonic() < sliceEnd) continue;
    await clock.yield();
    sliceEnd = clock.monotonic() + SLICE_MS;
  }
}
