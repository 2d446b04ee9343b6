import type { ApiError } from '@shoal/errors';
import type { FailedAt } from '@shoal/ingest';
import { clusterSetting } from '@shoal/state';
import { setItem, takeItem } from '../bulk/render-write.js';
import type { WriteOperation, WriteOptions } from '../bulk/write-request.js';
import type { CallContext } from '../call.js';
import type { CoordinatorContext } from '../context.js';
import { mayWrite, rightsOf } from '../bulk/resolve-operation.js';
import { keepRefused } from './keep-refused.js';
import type { OwnWrite } from './own-writes.js';
import { isMappingRefusal, isPipelineRefusal, type RefusalStage } from './refusal.js';

/** An item of a bulk whose document was refused. */
export interface RefusedItem {
  readonly position: number;
  readonly error: ApiError;
  readonly stage: RefusalStage;
  readonly at: FailedAt | null;
  /** Index whose mapping refused the document; null for that of the operation. */
  readonly index: string | null;
}

/** The items of a piece of a bulk whose documents were refused. A piece without any has none of these. */
export class RefusedItems {
  readonly items: RefusedItem[] = [];

  /** Notes an item that failed in its pipelines. */
  ofPipeline(position: number, error: ApiError, at: FailedAt | null): void {
    if (isPipelineRefusal(error, at)) this.items.push({ position, error, stage: 'pipeline', at, index: null });
  }

  /** Notes an item that its shard, or the mapping's routing, refused. */
  ofMapping(position: number, { op }: WriteOperation, error: ApiError, index: string): void {
    if (isMappingRefusal(op, error)) this.items.push({ position, error, stage: 'mapping', at: null, index });
  }

  /**
   * Keeps the documents in the quarantines of their indices and says so in their items. Returns the number of items
   * that are no errors by that. `operations` are those of the piece before their pipelines.
   */
  async keep(
    context: CoordinatorContext,
    operations: readonly WriteOperation[],
    json: string[],
    { quarantine, timeoutMs }: WriteOptions,
    call: CallContext,
  ): Promise<number> {
    const rights = rightsOf(call, false);
    // Pipelines run before rights are checked: nobody fills the quarantine of an index that is not theirs to write to.
    const items = this.items.filter(
      ({ stage, position }) => stage === 'mapping' || !rights || mayWrite(context, operations[position]!, rights),
    );
    const refusals = items.map(({ position, error, stage, at, index }) => {
      const operation = operations[position]!;
      return { operation, error, stage, at, index: index ?? operation.index };
    });
    const kept = await keepRefused(context, refusals, quarantine, timeoutMs, call);
    const isCreated = answersCreated(context);
    kept.forEach((one, i) => {
      if (one === null) return;
      const { position } = items[i]!;
      const { op } = operations[position]!;
      const item = isCreated ? `{"${op}":{${one.members},"status":201}}` : takeItem(json, position);
      setItem(json, position, `${item.slice(0, -2)},${quarantinedMember(one)}}}`);
    });
    return isCreated ? kept.filter((one) => one !== null).length : 0;
  }
}

/** Whether documents that are kept are answered as created (`shoal.quarantine.answer`). */
export function answersCreated({ cluster }: CoordinatorContext): boolean {
  return clusterSetting(cluster.state(), 'shoal.quarantine.answer') === 'created';
}

/** Renders the member that says where a document is kept. */
export function quarantinedMember({ index, id }: OwnWrite): string {
  return `"quarantined":${JSON.stringify({ _index: index, _id: id })}`;
}
