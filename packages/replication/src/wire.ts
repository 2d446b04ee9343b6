import type { replication } from '@shoal/protocol';
import type { Epoch, PeerHead } from '@shoal/store';

/** Converts the head of a log to its message. */
export const toWireHead = ({ allocationId, chainId, batch, link }: PeerHead): replication.Head => ({
  allocationId,
  chainId,
  batch,
  link,
});

/** Encodes the head of a log that the sender has seen; undefined if none. */
export const toWireSeen = (seen: PeerHead | undefined): replication.Head | undefined => seen && toWireHead(seen);

/** Copies bytes: `slice` of a Buffer would be a view. */
export const copied = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** Decodes a head; copies bytes that are views of the message. */
export const fromWireHead = ({ allocationId, chainId, batch, link }: replication.Head): PeerHead => ({
  allocationId,
  chainId: copied(chainId),
  batch,
  link: copied(link),
});

/** Converts epochs to their messages. */
export const toWireEpochs = (epochs: readonly Epoch[]): replication.Epoch[] =>
  epochs.map(({ term, firstSeqNo }) => ({ term, firstSeqNo }));

/** Values of `ReplicateAnswer.outcome`. */
export const OUTCOME = { taken: 0, resync: 1, gap: 2 } as const;

/** Values of `SyncRequest.refresh`. */
export const REFRESH = { none: 0, now: 1, wait: 2 } as const;
