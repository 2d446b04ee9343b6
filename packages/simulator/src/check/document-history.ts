/**
 * Outcome of a write for its client. `refused`: a condition on the document failed. `unknown`: the write may have
 * happened, or may still happen.
 */
export type Outcome = 'pending' | 'acked' | 'refused' | 'unknown';

/** Where a document is, and how clients call it. */
export interface DocumentKey {
  /** Index uuid and document id. */
  readonly place: string;
  /** Index name and document id, as the client gave them. */
  readonly document: string;
}

/** A write of a client and its outcome. */
export interface WriteRecord extends DocumentKey {
  readonly opId: number;
  readonly op: 'index' | 'create' | 'update' | 'delete';
  readonly invokedAt: number;
  /** Sequence number that the write is conditional on; null without a condition. */
  readonly ifSeqNo: number | null;
  outcome: Outcome;
  answeredAt: number;
  seqNo: number;
  term: number;
  version: number;
  result: string;
}

/** A document as found after all faults are over. */
export interface FoundDocument {
  readonly found: boolean;
  readonly opId: number;
  readonly seqNo: number;
  readonly term: number;
}

type Violate = (invariant: string, what: string) => void;

const shown = (write: WriteRecord): string =>
  `#${write.opId} (${write.op}, seqno ${write.seqNo}, term ${write.term}, answered at ${write.answeredAt.toFixed(1)})`;

/** All writes of a run by document. */
export class DocumentHistory {
  readonly #violate: Violate;
  readonly #writes = new Map<string, WriteRecord[]>();
  readonly #byName = new Map<string, WriteRecord[]>();
  /** Writes by shard and sequence number. */
  readonly #numbers = new Map<string, WriteRecord>();
  /** Writes whose answers tell whether the document existed. */
  readonly #checked: WriteRecord[] = [];
  #next = 1;
  ackedCount = 0;

  constructor(violate: Violate) {
    this.#violate = violate;
  }

  begin(
    op: WriteRecord['op'],
    { place, document }: DocumentKey,
    invokedAt: number,
    ifSeqNo: number | null,
  ): WriteRecord {
    const write: WriteRecord = {
      opId: this.#next++,
      op,
      place,
      document,
      invokedAt,
      ifSeqNo,
      outcome: 'pending',
      answeredAt: 0,
      seqNo: -1,
      term: -1,
      version: -1,
      result: '',
    };
    for (const [map, key] of [
      [this.#writes, place],
      [this.#byName, document],
    ] as const) {
      const list = map.get(key);
      if (list) list.push(write);
      else map.set(key, [write]);
    }
    return write;
  }

  /** Records an acknowledged write; `shard` names the log of its sequence number. */
  acked(
    write: WriteRecord,
    answer: { seqNo: number; term: number; version: number; result: string },
    shard: string,
    now: number,
  ): void {
    Object.assign(write, answer, { outcome: 'acked', answeredAt: now });
    if (answer.result === 'noop') return;
    this.ackedCount++;
    this.#checked.push(write);
    const key = `${shard}/${answer.seqNo}`;
    const other = this.#numbers.get(key);
    if (other) this.#violate('I16', `${shown(other)} and ${shown(write)} have the same number in shard ${shard}`);
    this.#numbers.set(key, write);
    for (const earlier of this.#ackedOf(write.place)) {
      if (earlier === write || earlier.answeredAt > write.invokedAt) continue;
      if (earlier.seqNo >= write.seqNo)
        this.#violate('I22', `${write.place}: ${shown(write)} was asked for after ${shown(earlier)} was answered`);
    }
    if (write.ifSeqNo !== null) this.#checkCondition(write, write.ifSeqNo);
  }

  failed(write: WriteRecord, now: number): void {
    write.outcome = 'unknown';
    write.answeredAt = now;
  }

  /** Whether a client was answered for an operation of a shard's log. */
  wasAnswered(shard: string, seqNo: number, term: number): boolean {
    return this.#numbers.get(`${shard}/${seqNo}`)?.term === term;
  }

  /** Records a write whose condition failed: it has not happened and never will. */
  refused(write: WriteRecord, now: number): void {
    write.outcome = 'refused';
    write.answeredAt = now;
    this.#checked.push(write);
  }

  /** Returns the newest acknowledged write of each document of an index. */
  newestAnswered(indexUuid: string): WriteRecord[] {
    return [...this.#writes.keys()]
      .filter((place) => place.startsWith(`${indexUuid}/`))
      .flatMap((place) =>
        this.#ackedOf(place).reduce<WriteRecord[]>(
          ([newest], write) => [newest && newest.seqNo > write.seqNo ? newest : write],
          [],
        ),
      );
  }

  /** Whether the write `opId` came before `newer`, a write of the same document. */
  isBefore(opId: number, newer: WriteRecord): boolean {
    const found = this.#ackedOf(newer.place).find((write) => write.opId === opId);
    return found !== undefined && found.seqNo < newer.seqNo;
  }

  /** Whether a deletion was requested and so may have happened. */
  mayBeGone({ place, document }: DocumentKey): boolean {
    return [...(this.#writes.get(place) ?? []), ...this.#unknownOf(document)].some(
      ({ op, outcome }) => op === 'delete' && outcome !== 'refused',
    );
  }

  /**
   * Returns the ids of documents that may be in an index of a name. Nodes that did not know this index yet when they
   * took a write may have brought it here all the same.
   */
  idsOf(indexName: string): string[] {
    return [...this.#byName.keys()]
      .filter((document) => document.startsWith(`${indexName}/`))
      .map((document) => document.slice(indexName.length + 1));
  }

  /**
   * Checks a realtime read of a copy that is not cut off: it must see writes that were acknowledged before the read
   * began.
   */
  seen(place: string, invokedAt: number, document: FoundDocument): void {
    if (!document.found) return;
    for (const write of this.#ackedOf(place)) {
      if (write.answeredAt > invokedAt || write.seqNo <= document.seqNo) continue;
      this.#violate(
        'I22',
        `${place}: a read asked for at ${invokedAt.toFixed(1)} has number ${document.seqNo}, older than ` +
          `${shown(write)}`,
      );
      return;
    }
  }

  /** Checks that a document after healing is the newest acknowledged write, or one with unknown outcome. */
  final(key: DocumentKey, document: FoundDocument): void {
    const { place } = key;
    const acked = this.#ackedOf(place).sort((a, b) => a.seqNo - b.seqNo);
    const newest = acked.at(-1);
    const unknown = this.#unknownOf(key.document);
    if (!document.found) return this.#finallyGone(place, newest, unknown);
    if (newest && document.seqNo < newest.seqNo)
      return this.#violate(
        'acked',
        `${place}: ${shown(newest)} is lost: number ${document.seqNo}, write #${document.opId} is there instead`,
      );
    if (newest && document.seqNo === newest.seqNo) {
      if (newest.opId !== document.opId)
        this.#violate(
          'I16',
          `${place}: number ${document.seqNo} was answered for ${shown(newest)} and is write #${document.opId}`,
        );
      return;
    }
    if (!unknown.some(({ opId }) => opId === document.opId))
      this.#violate(
        'I21',
        `${place}: write #${document.opId} is there at number ${document.seqNo} beside the one that was ` +
          `answered${newest ? `, newest ${shown(newest)}` : ''}`,
      );
  }

  #finallyGone(place: string, newest: WriteRecord | undefined, unknown: readonly WriteRecord[]): void {
    if (!newest || newest.op === 'delete') return;
    if (unknown.some(({ op }) => op === 'delete')) return;
    this.#violate('acked', `${place}: ${shown(newest)} is lost: there is no such document`);
  }

  /**
   * Returns writes of a document that may have happened in any index of its name: a write by index name may have
   * reached another index of that name than the client knew.
   */
  #unknownOf(document: string): WriteRecord[] {
    return (this.#byName.get(document) ?? []).filter(({ outcome }) => outcome === 'pending' || outcome === 'unknown');
  }

  #ackedOf(place: string): WriteRecord[] {
    return (this.#writes.get(place) ?? []).filter(({ outcome, result }) => outcome === 'acked' && result !== 'noop');
  }

  /** Checks that need all answers of the run. */
  finish(): void {
    for (const write of this.#checked) this.#checkAnswer(write);
    for (const place of this.#writes.keys())
      for (const write of this.#ackedOf(place)) if (write.ifSeqNo !== null) this.#checkCondition(write, write.ifSeqNo);
  }

  /** Checks that no write lies between the one that a conditional write names and the conditional write. */
  #checkCondition(write: WriteRecord, ifSeqNo: number): void {
    const between = this.#ackedOf(write.place).find(
      (other) => other !== write && other.seqNo > ifSeqNo && other.seqNo < write.seqNo,
    );
    if (between)
      this.#violate(
        'I22',
        `${write.place}: ${shown(write)} was to follow number ${ifSeqNo}, but ${shown(between)} lies between`,
      );
  }

  /**
   * Checks I22: an answer that tells whether the document existed was true at some time between request and answer.
   * Reported only if no write that ran meanwhile, or may have run, can explain the answer.
   */
  #checkAnswer(write: WriteRecord): void {
    const others = [...this.#ackedOf(write.place), ...this.#unknownOf(write.document)].filter(
      (other) => other !== write && other.invokedAt < write.answeredAt,
    );
    const before = others
      .filter(({ outcome, answeredAt }) => outcome === 'acked' && answeredAt <= write.invokedAt)
      .reduce((a: WriteRecord | null, b) => (a === null || b.seqNo > a.seqNo ? b : a), null);
    const meanwhile = others.filter((other) => (other.outcome === 'acked' ? other.answeredAt > write.invokedAt : true));
    const wanted = wantedBefore(write);
    if (wanted === null) return;
    const isThere = before !== null && before.op !== 'delete';
    if (isThere === wanted || meanwhile.some(({ op }) => (op !== 'delete') === wanted)) return;
    this.#violate(
      'I22',
      `${write.place}: ${shown(write)} was ${write.outcome === 'refused' ? 'refused' : write.result}, but ` +
        `${before ? `the newest write was ${shown(before)}` : 'there was no document'}`,
    );
  }
}

/** Whether the document must have existed for the answer to be true; null if the answer does not tell. */
function wantedBefore({ op, outcome, result, ifSeqNo }: WriteRecord): boolean | null {
  if (outcome === 'refused') return op === 'create' && ifSeqNo === null ? true : null;
  if (result === 'created' || result === 'not_found') return false;
  return result === 'updated' || result === 'deleted' ? true : null;
}
