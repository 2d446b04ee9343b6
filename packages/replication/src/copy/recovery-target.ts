import { type Channel, sendMessage } from '@shoal/doors';
import { errors } from '@shoal/errors';
import { recovery } from '@shoal/protocol';
import type { Shard } from '@shoal/shard';
import type { PeerHead, ShardStore } from '@shoal/store';
import { fillStore } from '../fill-store.js';
import { type Filling, keptOf, newFilling, ownSegments } from '../filling.js';
import type { RecoveryProgress } from '../recovery-progress.js';
import { fromWireHead, toWireEpochs, toWireHead, toWireSeen } from '../wire.js';
import type { CopyOptions } from './copy-options.js';
import { type CopyView, identityOf } from './copy-view.js';

/** Parts of a copy that its recovery uses. */
export interface RecoveryTargetOptions {
  readonly copy: Pick<CopyOptions, 'clock' | 'nodeId' | 'channel' | 'limit' | 'destroy' | 'openStore'>;
  readonly progress: RecoveryProgress;
  readonly view: () => CopyView;
  /** Returns the copy's engine; null while its store is created anew. */
  readonly shard: () => Shard | null;
  /** Takes the engine out of use and returns it; null if there is none. */
  readonly takeEngine: () => Promise<Shard | null>;
  /** Aborted when the copy is closed. */
  readonly closing: AbortSignal;
}

/** The recovering copy's side of R1 to R6, and of a handoff (docs/internals/cluster.md §5.6, §5.7). */
export class RecoveryTarget {
  readonly #options: RecoveryTargetOptions;
  /** Rejects when the copy is closed. */
  readonly #closed: Promise<never>;
  /** Store that is being filled; null if complete or not begun. */
  #filling: Filling | null = null;
  #attempt = 0;

  constructor(options: RecoveryTargetOptions) {
    this.#options = options;
    this.#closed = new Promise((_, reject) =>
      options.closing.addEventListener('abort', () => reject(errors.taskCancelled('the copy is closed')), {
        once: true,
      }),
    );
    this.#closed.catch(() => undefined);
  }

  /** Whether the store is only partly filled. */
  get hasFiles(): boolean {
    return this.#filling !== null;
  }

  /** Asks the primary to recover (R1). */
  async ask(filesOnly: boolean): Promise<recovery.StartAnswer> {
    const { view, shard: engine, copy, progress } = this.#options;
    const { indexUuid, shard, allocationId, term } = view();
    const log = engine()?.log;
    const answer = await sendMessage(this.#primary, recovery.methods.start, {
      indexUuid,
      shard,
      primaryTerm: term,
      allocationId,
      nodeId: copy.nodeId,
      historyUuid: log?.store.identity.historyUuid ?? '',
      epochs: toWireEpochs(log?.store.epochs ?? []),
      maxSeqNo: log?.maxSeqNo ?? -1,
      head: log ? toWireHead(log.store.head()) : undefined,
      seen: toWireSeen(log && this.#seenOfPrimary(log.store)),
      filesOnly,
      segments: log ? ownSegments(log.store) : [],
      attempt: this.#nextAttempt(),
    });
    if (answer.seen) engine()?.log.store.checkSeen(fromWireHead(answer.seen));
    progress.totalOperations = answer.operations;
    return answer;
  }

  /**
   * Copies files (R3, R4). Arrived files stay for the next attempt, unless that attempt finds another primary. The copy
   * cannot be opened until all files are there.
   */
  async copyFiles(answer: recovery.StartAnswer): Promise<void> {
    const { view, copy, progress, closing } = this.#options;
    const { indexUuid, shard } = view();
    progress.stage = 'INDEX';
    const filling = await this.#fillingFrom(answer);
    try {
      const source = this.#primary;
      if (answer.commit)
        await fillStore(filling, answer.commit, {
          indexUuid,
          shard,
          recoveryId: answer.recoveryId,
          source,
          limit: copy.limit,
          progress,
        });
      await filling.store.close();
      this.#filling = null;
    } catch (error) {
      if (filling.store.failure || closing.aborted) await this.drop();
      throw error;
    }
  }

  /** R5, R6: waits until the copy counts on the primary, and returns the primary's term. */
  async counted(recoveryId: string): Promise<number> {
    const { view, shard: engine, progress } = this.#options;
    const { indexUuid, shard, allocationId } = view();
    progress.stage = 'TRANSLOG';
    const request = { indexUuid, shard, allocationId, recoveryId };
    const answer = await sendMessage(this.#primary, recovery.methods.finalize, request);
    progress.recoveredOperations = progress.totalOperations;
    progress.stage = 'FINALIZE';
    // Searches on this copy now see what they would see on the primary.
    engine()?.refresh();
    return answer.primaryTerm;
  }

  /** Asks the primary of `primaryTerm` for its role. */
  async takeOver(primaryTerm: number): Promise<void> {
    const { indexUuid, shard, allocationId } = this.#options.view();
    const request = { indexUuid, shard, allocationId, primaryTerm };
    await sendMessage(this.#primary, recovery.methods.handoff, request);
  }

  /** A partly copied store cannot be opened: closes it and deletes its files. */
  async drop(): Promise<void> {
    const filling = this.#filling;
    this.#filling = null;
    await filling?.store.close();
    if (filling) await this.#options.copy.destroy();
  }

  /** Channel to the active primary; its requests end when the copy is closed. */
  get #primary(): Channel {
    const { view, copy, progress, closing } = this.#options;
    const { primaryNodeId } = view();
    if (primaryNodeId === null) throw errors.retryOnPrimary('the shard has no active primary');
    progress.sourceNodeId = primaryNodeId;
    const channel = copy.channel(primaryNodeId, 'recovery');
    return {
      request: (action, payload, options) =>
        Promise.race([channel.request(action, payload, { ...options, signal: closing }), this.#closed]),
    };
  }

  /**
   * Returns the number of the next attempt. Not below the monotonic clock, so that it also exceeds those of an earlier
   * `ShardCopy` of this allocation id.
   */
  #nextAttempt(): number {
    return (this.#attempt = Math.max(this.#attempt + 1, Math.floor(this.#options.copy.clock.monotonic())));
  }

  #seenOfPrimary({ peers }: ShardStore): PeerHead | undefined {
    return peers.get(this.#primaryAllocation);
  }

  get #primaryAllocation(): string {
    const { group, primaryNodeId } = this.#options.view();
    return group.copies.find(({ nodeId }) => nodeId === primaryNodeId)?.allocationId ?? '';
  }

  async #fillingFrom(answer: recovery.StartAnswer): Promise<Filling> {
    const { view, copy, progress } = this.#options;
    const source = `${this.#primaryAllocation}/${answer.primaryTerm}`;
    if (this.#filling?.source === source) return this.#filling;
    progress.recoveredBytes = 0;
    progress.reusedBytes = 0;
    if (this.#filling) await this.drop();
    const before = await this.#giveUpOwn();
    const kept = keptOf(before, answer);
    if (kept === null) await copy.destroy();
    const store = await copy.openStore(
      { ...identityOf(view()), historyUuid: answer.historyUuid },
      kept && { segments: [...kept.segments.keys()], operationsBelow: kept.ownBelow },
    );
    return (this.#filling = newFilling(store, source, kept));
  }

  /** Durably drops the identity by which the copy could be promoted, and only then its data (R3). Returns its store. */
  async #giveUpOwn(): Promise<ShardStore | undefined> {
    const before = this.#options.shard()?.log.store;
    const engine = await this.#options.takeEngine();
    await engine?.log.store.forgetPreviousAllocation();
    await engine?.close();
    return before;
  }
}
