import { type ShardLog } from '@shoal/shard';
import { decodeReceived, termAt } from '@shoal/store';

/** A write of a client and its outcome. */
export interface Write {
  readonly client: string;
  readonly counter: number;
  readonly id: string;
  readonly kind: 'index' | 'create' | 'delete' | 'cas';
  /** For `cas`. */
  readonly ifSeqNo: number;
  readonly value: number;
  readonly invokedAt: number;
  returnedAt: number;
  outcome: number | 'conflict' | 'unknown';
  seqNo: number;
  term: number;
  version: number;
}

const OUTCOME = { created: 0, updated: 1, deleted: 2, notFound: 4 } as const;

/**
 * Knows all writes, and checks the properties that must hold at every moment (docs/internals/cluster.md §14). Collects
 * the problems.
 */
export class GhostHistory {
  readonly writes: Write[] = [];
  readonly problems: string[] = [];

  #acked(): Write[] {
    return this.writes.filter((write) => write.seqNo >= 0);
  }

  #blame(text: string): void {
    if (this.problems.length < 10) this.problems.push(text);
  }

  /** I13, I14, I16: a new primary has everything that was acknowledged. */
  checkPrimary(nodeId: string, term: number, log: ShardLog): void {
    for (const write of this.#acked()) {
      const found = write.seqNo <= log.maxSeqNo ? termAt(log.store.epochs, write.seqNo) : 0;
      if (found !== write.term)
        this.#blame(
          `[${nodeId}] is primary of term [${term}] without acknowledged operation [${write.seqNo}] of term ` +
            `[${write.term}]: it has term [${found}], up to [${log.maxSeqNo}]`,
        );
    }
  }

  /** I18, I19: what is truncated was not acknowledged, and is not below the checkpoint. */
  checkRollback(nodeId: string, maxSeqNo: number, log: ShardLog): void {
    if (maxSeqNo < log.store.globalCheckpoint)
      this.#blame(`[${nodeId}] truncates to [${maxSeqNo}], below its checkpoint [${log.store.globalCheckpoint}]`);
    for (const write of this.#acked()) {
      if (
        write.seqNo > maxSeqNo &&
        write.seqNo <= log.maxSeqNo &&
        termAt(log.store.epochs, write.seqNo) === write.term
      ) {
        this.#blame(`[${nodeId}] truncates acknowledged operation [${write.seqNo}] of term [${write.term}]`);
      }
    }
  }

  /** I20: copies in sync have the same log, and it is whole above the history floor. */
  async checkCopies(logs: ReadonlyMap<string, ShardLog>): Promise<void> {
    const [first, ...others] = [...logs];
    if (!first) return;
    for (const [nodeId, log] of others) {
      const [firstId, firstLog] = first;
      if (log.maxSeqNo !== firstLog.maxSeqNo)
        this.#blame(`[${nodeId}] ends at [${log.maxSeqNo}], [${firstId}] at [${firstLog.maxSeqNo}]`);
      if (JSON.stringify(log.store.epochs) !== JSON.stringify(firstLog.store.epochs))
        this.#blame(`[${nodeId}] and [${firstId}] have other epochs`);
      for (let seqNo = 0; seqNo <= log.maxSeqNo; seqNo++) {
        const a = log.store.record(seqNo);
        const b = firstLog.store.record(seqNo);
        if (a && b && Buffer.compare(a, b) !== 0)
          this.#blame(`operation [${seqNo}] is another on [${nodeId}] than on [${firstId}]`);
        if (!a && seqNo >= log.historyFloor) this.#blame(`operation [${seqNo}] is missing on [${nodeId}]`);
      }
    }
  }

  /**
   * I21 to I23: the log orders the writes of each document; each is there once and got the answer that it had to get.
   */
  checkLog(log: ShardLog): void {
    const current = new Map<string, { seqNo: number; version: number; isLive: boolean }>();
    const seen = new Map<string, number>();
    const byCounter = new Map(this.writes.map((write) => [`${write.client}/${write.counter}`, write]));
    for (let seqNo = 0; seqNo <= log.maxSeqNo; seqNo++) {
      const record = log.store.record(seqNo);
      if (!record) continue;
      const operation = decodeReceived(seqNo, record);
      const name = `${operation.opId!.coordinator}/${operation.opId!.counter}`;
      if (seen.has(name)) this.#blame(`write [${name}] is in the log twice, at [${seen.get(name)}] and [${seqNo}]`);
      seen.set(name, seqNo);
      const before = current.get(operation.id);
      const isKnown = before !== undefined || seqNo === 0 || log.historyFloor === 0;
      if (isKnown && operation.version !== (before?.version ?? 0) + 1)
        this.#blame(`operation [${seqNo}] has version [${operation.version}] after [${before?.version}]`);
      if (isKnown && operation.created !== !before?.isLive)
        this.#blame(`operation [${seqNo}] says that there was ${operation.created ? 'no' : 'a'} document before`);
      const write = byCounter.get(name)!;
      if (write.kind === 'cas' && isKnown && (before?.seqNo !== write.ifSeqNo || !before.isLive))
        this.#blame(`write [${name}] replaced [${before?.seqNo}] instead of [${write.ifSeqNo}]`);
      if (write.kind === 'create' && isKnown && before?.isLive)
        this.#blame(`write [${name}] created a document that was there`);
      this.#checkAnswer(write, name, seqNo, operation.version, operation.created);
      current.set(operation.id, { seqNo, version: operation.version, isLive: operation.kind === 'index' });
    }
    for (const write of this.#acked())
      if (!seen.has(`${write.client}/${write.counter}`) && write.seqNo >= log.historyFloor)
        this.#blame(`acknowledged write [${write.client}/${write.counter}] at [${write.seqNo}] is not in the log`);
    this.#checkOrder();
  }

  #checkAnswer(write: Write, name: string, seqNo: number, version: number, created: boolean): void {
    if (write.seqNo < 0) {
      if (write.outcome === 'conflict') this.#blame(`write [${name}] was refused, but is in the log at [${seqNo}]`);
      return;
    }
    const outcome =
      write.kind === 'delete'
        ? created
          ? OUTCOME.notFound
          : OUTCOME.deleted
        : created
          ? OUTCOME.created
          : OUTCOME.updated;
    if (write.seqNo !== seqNo || write.version !== version || write.outcome !== outcome) {
      this.#blame(
        `write [${name}] was answered with [${write.seqNo}], version [${write.version}], outcome ` +
          `[${write.outcome}], but is [${seqNo}], [${version}], [${outcome}]`,
      );
    }
  }

  /** Checks that a write acknowledged before another began comes before it. */
  #checkOrder(): void {
    const acked = this.#acked().sort((a, b) => a.returnedAt - b.returnedAt);
    const begun = [...acked].sort((a, b) => a.invokedAt - b.invokedAt);
    let highest = -1;
    let next = 0;
    for (const write of begun) {
      for (; next < acked.length && acked[next]!.returnedAt < write.invokedAt; next++)
        highest = Math.max(highest, acked[next]!.seqNo);
      if (write.seqNo < highest) this.#blame(`operation [${write.seqNo}] began after [${highest}] was answered`);
    }
  }
}
