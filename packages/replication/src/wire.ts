import type { replication } from '@shoal/protocol';
import type { Epoch, PeerHead } from '@shoal/store';

export const toWireHead = ({ allocationId, chainId, batch, link }: PeerHead): replication.Head => ({
  allocationId,
  chainId,
  batch,
  link,
});

/** What a message says of a log that the other one has seen; undefined for none. */
export const toWireSeen = (seen: PeerHead | undefined): replication.Head | undefined => seen && toWireHead(seen);

/** A copy: `slice` of a Buffer is a view. */
export const copied = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

/** Copies what the message's bytes are only views of. */
export const fromWireHead = ({ allocationId, chainId, batch, link }: replication.Head): PeerHead => ({
  allocationId,
  chainId: copied(chainId),
  batch,
  link: copied(link),
});

export const toWireEpochs = (epochs: readonly Epoch[]): replication.Epoch[] =>
  epochs.map(({ term, firstSeqNo }) => ({ term, firstSeqNo }));

/** Number of `ReplicateAnswer.outcome`. */
export const OUTCOME = { taken: 0, resync: 1, gap: 2 } as const;

/** Number of `SyncRequest.refresh`. */
export const REFRESH = { none: 0, now: 1, wait: 2 } as const;
