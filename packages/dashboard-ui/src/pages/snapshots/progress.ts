interface StatusAnswer {
  readonly snapshots?: readonly {
    readonly repository: string;
    readonly snapshot: string;
    readonly shards_stats?: { readonly done?: number; readonly total?: number };
  }[];
}

/** How far running snapshots are, by repository and name, out of `_snapshot/_status`: `2 of 5 shards`. */
export function snapshotProgress(json: unknown): ReadonlyMap<string, string> {
  const { snapshots = [] } = (json ?? {}) as StatusAnswer;
  return new Map(
    snapshots.map(({ repository, snapshot, shards_stats: { done = 0, total = 0 } = {} }) => [
      `${repository} ${snapshot}`,
      `${done} of ${total} shards`,
    ]),
  );
}

/** A copy of a shard that is being restored. */
export interface RestoredShard {
  readonly index: string;
  readonly shard: number;
  readonly node: string;
  /** Bytes that are there, of 100. */
  readonly percent: number;
}

interface RecoveryAnswer {
  readonly [index: string]: {
    readonly shards?: readonly {
      readonly id: number;
      readonly type: string;
      readonly target?: { readonly name?: string };
      readonly index?: { readonly size?: { readonly percent?: string } };
    }[];
  };
}

/** Copies that are being restored out of a snapshot, in an answer of `_recovery`. */
export const restoredShards = (json: unknown): readonly RestoredShard[] =>
  Object.entries((json ?? {}) as RecoveryAnswer).flatMap(([index, { shards = [] }]) =>
    shards
      .filter(({ type }) => type === 'SNAPSHOT')
      .map(({ id, target, index: files }) => ({
        index,
        shard: id,
        node: target?.name ?? '–',
        percent: Number.parseFloat(files?.size?.percent ?? '0') || 0,
      })),
  );
