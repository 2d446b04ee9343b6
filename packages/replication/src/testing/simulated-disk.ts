import {
  type BatchOperation,
  type Clock,
  type Files,
  type KeyRange,
  type KeyValueStore,
  type KeyValueStores,
  memoryFiles,
  type Random,
} from '@shoal/doors';

const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

/** A key-value table with ordered keys. */
class Table {
  readonly #values = new Map<string, Uint8Array>();
  #sorted: string[] | null = null;

  get(key: Uint8Array): Uint8Array | undefined {
    return this.#values.get(Buffer.from(key).toString('latin1'));
  }

  apply(operations: readonly BatchOperation[]): void {
    for (const operation of operations) {
      const key = Buffer.from(operation.key).toString('latin1');
      if (operation.type === 'put') {
        if (!this.#values.has(key)) this.#sorted = null;
        this.#values.set(key, new Uint8Array(operation.value));
      } else if (this.#values.delete(key)) this.#sorted = null;
    }
  }

  range({ gte, lt, reverse, limit }: KeyRange): (readonly [Uint8Array, Uint8Array])[] {
    this.#sorted ??= [...this.#values.keys()].sort();
    const low = Buffer.from(gte).toString('latin1');
    const high = Buffer.from(lt).toString('latin1');
    const keys = this.#sorted.filter((key) => key >= low && key < high);
    if (reverse) keys.reverse();
    return keys
      .slice(0, limit ?? keys.length)
      .map((key) => [Buffer.from(key, 'latin1'), this.#values.get(key)!] as const);
  }
}

interface Pending {
  readonly table: Table;
  readonly operations: readonly BatchOperation[];
}

/** The view of one process on a disk. */
export interface Mount {
  readonly stores: KeyValueStores;
  readonly files: Files;
  /** Ends the process: of the batches that were being written, only the first few are on disk. */
  crash(): void;
}

/** The disk of a node, which outlives its processes. */
export class SimulatedDisk {
  readonly #tables = new Map<string, Table>();
  readonly #files = memoryFiles();
  /** Whether the disk is full. */
  isFull = false;

  mount(clock: Clock, random: Random): Mount {
    let isAlive = true;
    let pending: Pending[] = [];
    let busyUntil = 0;
    const write = (table: Table, operations: readonly BatchOperation[]): Promise<void> => {
      if (!isAlive) return never();
      if (this.isFull) return Promise.reject(new Error('No space left on device'));
      const batch = {
        table,
        operations: operations.map((one) =>
          one.type === 'put'
            ? { ...one, key: new Uint8Array(one.key), value: new Uint8Array(one.value) }
            : { ...one, key: new Uint8Array(one.key) },
        ),
      };
      pending.push(batch);
      busyUntil = Math.max(busyUntil, clock.monotonic()) + random.next() * 2;
      return new Promise((resolve) => {
        clock.after(busyUntil - clock.monotonic(), () => {
          if (!isAlive) return;
          pending = pending.filter((one) => one !== batch);
          table.apply(batch.operations);
          resolve();
        });
      });
    };
    return {
      files: this.#files,
      stores: {
        open: async (location) => {
          let table = this.#tables.get(location);
          if (!table) this.#tables.set(location, (table = new Table()));
          return handle(table, (operations) => write(table, operations));
        },
        destroy: async (location) => void this.#tables.delete(location),
      },
      crash() {
        isAlive = false;
        for (const { table, operations } of pending) {
          if (random.next() < 0.5) break;
          table.apply(operations);
        }
      },
    };
  }
}

function handle(table: Table, write: (operations: readonly BatchOperation[]) => Promise<void>): KeyValueStore {
  return {
    get: (key) => table.get(key),
    batch: (operations) => write(operations),
    async *entries(range) {
      yield* table.range(range);
    },
    sizeOf: async () => 0,
    compact: async () => undefined,
    close: async () => undefined,
  };
}
