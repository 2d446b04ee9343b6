import type { Shard, ShardLog, WriteGate } from '@shoal/shard';
import type { ShardStore } from '@shoal/store';

/** Rules that are broken on purpose: the checkers must notice each. */
export const MISTAKES = [
  'answers before the copies have it',
  'counts a removal that the master has not committed',
  'forgets copies in sync that are not assigned',
  'drops operations above the checkpoint when the term changes',
  'answers for operations that are not synced',
  'keeps what the new primary does not have',
  'promotes copies that are not in sync',
  'counts a recovering copy at once',
  'runs repeated writes again',
  'keeps the term at a promotion',
] as const;

/** Name of a mistake. */
export type Mistake = (typeof MISTAKES)[number];

/** Returns `target` with some members replaced; methods keep their `this`. */
function overlay<T extends object>(
  target: T,
  members: Partial<Record<keyof T, unknown>>,
  onSet: (key: PropertyKey, value: unknown) => unknown = (_, value) => value,
): T {
  return new Proxy(target, {
    get(object, key) {
      if (Object.hasOwn(members, key)) {
        const descriptor = Object.getOwnPropertyDescriptor(members, key)!;
        return descriptor.get ? descriptor.get() : descriptor.value;
      }
      const value = Reflect.get(object, key, object) as unknown;
      return typeof value === 'function' ? (value.bind(object) as unknown) : value;
    },
    set: (object, key, value) => Reflect.set(object, key, onSet(key, value), object),
  });
}

function impatient(gate: WriteGate, store: ShardStore): WriteGate {
  return {
    appended: () => gate.appended(),
    acknowledged: () => (gate.appended(), store.acknowledged()),
    refreshed: (policy) => gate.refreshed(policy),
  };
}

function mistakenStore(shard: Shard, mistake: Mistake | null, isReplica: () => boolean): ShardStore {
  const { log } = shard;
  const { store } = log;
  switch (mistake) {
    case 'drops operations above the checkpoint when the term changes':
      return overlay(store, {
        beginTerm: async (term: number) => {
          await store.beginTerm(term);
          if (isReplica()) await log.rollBack(store.globalCheckpoint);
        },
      });
    case 'answers for operations that are not synced':
      return overlay(store, {
        synced: () => Promise.resolve(),
        acknowledged: () => (void store.synced(), Promise.resolve()),
        persistedSeqNo: () => log.maxSeqNo,
      });
    default:
      return store;
  }
}

/** Wraps a shard so that its copy makes a mistake. */
export function mistaken(
  shard: Shard,
  mistake: Mistake | null,
  isReplica: () => boolean,
  watch: (log: ShardLog) => Partial<ShardLog>,
): Shard {
  const { log } = shard;
  const store = mistakenStore(shard, mistake, isReplica);
  const members: Partial<Record<keyof ShardLog, unknown>> = { ...watch(log), store };
  if (mistake === 'keeps what the new primary does not have') members.rollBack = () => Promise.resolve();
  const wrongLog = overlay(log, members, (key, value) =>
    key === 'gate' && value !== null && mistake === 'answers before the copies have it'
      ? impatient(value as WriteGate, store)
      : value,
  );
  return overlay(shard, { log: wrongLog });
}
