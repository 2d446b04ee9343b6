import { decodeReceived, readBatch } from '@shoal/store';
import type { BatchOperation } from '@shoal/doors';
import type { SimulatedNode } from '../cluster/simulated-node.js';

type Violate = (invariant: string, what: string) => void;

/** An operation of one copy's log. */
interface LogEntry {
  readonly term: number;
  /** Checksum of its record. */
  readonly checksum: number;
}

/** Everything seen of the logs of one shard's copies. */
interface ShardHistory {
  /**
   * By sequence number and term: checksum of the record, and term of the operation before it; -1 if that was never
   * seen.
   */
  readonly operations: Map<string, { readonly checksum: number; before: number }>;
  /** Terms of operations at or below the global checkpoint, by sequence number. */
  readonly safe: Map<number, number>;
  safeUpTo: number;
  /** Highest global checkpoint that each primary has announced. */
  readonly announced: Map<string, number>;
}

const CHECKSUM_BYTES = 4;

function checksumOf(record: Uint8Array): number {
  return new DataView(record.buffer, record.byteOffset, record.byteLength).getUint32(
    record.byteLength - CHECKSUM_BYTES,
  );
}

/** Checks invariants I16 to I19 from what copies write to disk and the global checkpoints that primaries announce. */
export class LogHistory {
  readonly #violate: Violate;
  readonly #logs = new Map<string, Map<number, LogEntry>>();
  readonly #shards = new Map<string, ShardHistory>();

  constructor(violate: Violate) {
    this.#violate = violate;
  }

  #shard(name: string): ShardHistory {
    let known = this.#shards.get(name);
    if (!known)
      this.#shards.set(name, (known = { operations: new Map(), safe: new Map(), safeUpTo: -1, announced: new Map() }));
    return known;
  }

  #log(name: string, nodeId: string): Map<number, LogEntry> {
    const key = `${name}@${nodeId}`;
    let known = this.#logs.get(key);
    if (!known) this.#logs.set(key, (known = new Map()));
    return known;
  }

  /**
   * Records a batch that is on disk. `wasAnswered` tells whether an operation of a term was acknowledged to a client.
   * Returns the checkpoint that the copy notes if no primary has announced one as high.
   */
  stored(
    node: SimulatedNode,
    location: string,
    batch: readonly BatchOperation[],
    wasAnswered: (shard: string, seqNo: number, term: number) => boolean,
  ): number | null {
    const [, folder, indexUuid, shard] = location.split('/');
    if (folder !== 'indices') return null;
    const name = `${indexUuid}/${shard}`;
    const { operations, truncatedTo, globalCheckpoint } = readBatch(batch);
    const log = this.#log(name, node.id);
    if (truncatedTo !== null) this.#cut(name, node, log, truncatedTo, wasAnswered);
    for (const [seqNo, record] of operations)
      this.#append(name, node, log, seqNo, {
        term: decodeReceived(seqNo, record).primaryTerm,
        checksum: checksumOf(record),
      });
    return globalCheckpoint !== null && globalCheckpoint > this.#shard(name).safeUpTo ? globalCheckpoint : null;
  }

  #append(name: string, node: SimulatedNode, log: Map<number, LogEntry>, seqNo: number, entry: LogEntry): void {
    const { operations } = this.#shard(name);
    const key = `${seqNo}/${entry.term}`;
    const before = log.get(seqNo - 1)?.term ?? -1;
    const known = operations.get(key);
    if (known && known.checksum !== entry.checksum)
      this.#violate(
        'I16',
        `shard ${name}: ${node.name} has another operation [${seqNo}] of term ${entry.term} than there was`,
      );
    if (known && known.before >= 0 && before >= 0 && known.before !== before)
      this.#violate(
        'I16',
        `shard ${name}: before operation [${seqNo}] of term ${entry.term} ${node.name} has one of term ${before}, ` +
          `another copy one of term ${known.before}`,
      );
    if (!known) operations.set(key, { checksum: entry.checksum, before });
    else if (known.before < 0) known.before = before;
    log.set(seqNo, entry);
  }

  #cut(
    name: string,
    node: SimulatedNode,
    log: Map<number, LogEntry>,
    last: number,
    wasAnswered: (shard: string, seqNo: number, term: number) => boolean,
  ): void {
    const { safe } = this.#shard(name);
    for (const [seqNo, { term }] of log) {
      if (seqNo <= last) continue;
      log.delete(seqNo);
      if (safe.get(seqNo) === term)
        this.#violate(
          'I18',
          `shard ${name}: ${node.name} cuts off operation [${seqNo}] of term ${term}, which is at or below the ` +
            'global checkpoint',
        );
      if (wasAnswered(name, seqNo, term))
        this.#violate(
          'I19',
          `shard ${name}: ${node.name} cuts off operation [${seqNo}] of term ${term}, which was answered`,
        );
    }
  }

  /** Records a global checkpoint that a primary sends to a copy. Returns whether it is the highest so far. */
  announced(
    node: SimulatedNode,
    session: string,
    shard: { indexUuid: string; shard: number; primaryTerm: number; allocationId: string },
    checkpoint: number,
  ): boolean {
    const name = `${shard.indexUuid}/${shard.shard}`;
    const history = this.#shard(name);
    const stream = `${session}/${shard.primaryTerm}/${shard.allocationId}`;
    const before = history.announced.get(stream) ?? -1;
    if (checkpoint < before)
      this.#violate(
        'I17',
        `shard ${name}: ${node.name} announces checkpoint ${checkpoint} in term ${shard.primaryTerm} after ${before}`,
      );
    history.announced.set(stream, checkpoint);
    if (checkpoint <= history.safeUpTo) return false;
    const log = this.#log(name, node.id);
    for (let seqNo = history.safeUpTo + 1; seqNo <= checkpoint; seqNo++) {
      const entry = log.get(seqNo);
      if (entry) history.safe.set(seqNo, entry.term);
    }
    history.safeUpTo = checkpoint;
    return true;
  }
}
