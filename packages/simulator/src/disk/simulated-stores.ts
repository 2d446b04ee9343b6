import type { BatchOperation, KeyRange, KeyValueStore, KeyValueStores } from '@shoal/doors';
import type { EventLoop, ProcessGate } from '../time/event-loop.js';
import { type Device, ioFailure, noSpace } from './device.js';

const nameOf = (key: Uint8Array): string => Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
const keyOf = (name: string): Uint8Array => new Uint8Array(Buffer.from(name, 'latin1'));

/**
 * First byte of the keys of operations in a shard's store; eight bytes of sequence number follow. Keys of batch headers
 * append the batch's number.
 */
const OPERATION_PREFIX = 0x6f;
const OPERATION_KEY_BYTES = 9;
const BATCH_KEY_BYTES = 17;

type Change = readonly [name: string, value: Uint8Array | null];

/** A batch after the last synced one, in the order of the write-ahead log. */
interface Logged {
  readonly changes: readonly Change[];
  /** Whether the write call has returned: if the process dies now, the batch stays in the log. */
  isWritten: boolean;
}

/** Content of one LevelDB folder. */
class StoredTable {
  readonly device: Device;
  readonly loop: EventLoop;
  /** Values that readers see. */
  live = new Map<string, Uint8Array>();
  /** Values that are on disk for certain. */
  durable = new Map<string, Uint8Array>();
  /** Batches that are possibly not on disk. */
  log: Logged[] = [];
  #sorted: string[] | null = null;
  /** Virtual time until which earlier writes take; writes run one after the other. */
  busyUntil = 0;
  handles = 0;
  /** Whether the log is broken behind the certain batches: everything after the break is lost at the next open. */
  isTorn = false;

  constructor(device: Device, loop: EventLoop) {
    this.device = device;
    this.loop = loop;
  }

  get names(): readonly string[] {
    return (this.#sorted ??= [...this.live.keys()].sort());
  }

  apply(changes: readonly Change[], to: Map<string, Uint8Array>): void {
    for (const [name, value] of changes) {
      if (to === this.live && this.#sorted !== null && to.has(name) === (value === null)) this.#sorted = null;
      if (value === null) to.delete(name);
      else to.set(name, value);
    }
  }

  /** Makes everything up to a batch durable. */
  sync(batch: Logged): void {
    const end = this.log.indexOf(batch) + 1;
    for (const { changes } of this.log.splice(0, end)) this.apply(changes, this.durable);
  }

  /** Ends the process, with `power` also the page cache: a prefix of the log survives. */
  crash(power: boolean): void {
    const { random } = this.device;
    const certain = power ? 0 : this.log.findLastIndex(({ isWritten }) => isWritten) + 1;
    const kept = certain + Math.floor(random.next() * (this.log.length - certain + 1));
    for (const { changes } of this.log.slice(0, kept)) this.apply(changes, this.durable);
    this.log = [];
    this.live = new Map(this.durable);
    this.#sorted = null;
    this.busyUntil = 0;
    this.handles = 0;
    this.isTorn = false;
  }

  /** Ends a thread of the process that had the folder open: batches that were being written are there or not. */
  endThread(): void {
    const written = this.log.findLastIndex(({ isWritten }) => isWritten) + 1;
    const kept = written + Math.floor(this.device.random.next() * (this.log.length - written + 1));
    for (const batch of this.log.slice(written, kept)) {
      this.apply(batch.changes, this.live);
      batch.isWritten = true;
    }
    this.log.length = kept;
  }

  /** Opens the folder anew: readers now see what the files have. */
  reopen(): void {
    if (!this.isTorn) return;
    this.crash(false);
  }

  range({ gte, lt, reverse = false, limit = Infinity }: KeyRange): string[] {
    const [from, to] = [nameOf(gte), nameOf(lt)];
    const { names } = this;
    const found = names.slice(lowerBound(names, from), lowerBound(names, to));
    if (reverse) found.reverse();
    return found.slice(0, limit);
  }
}

function lowerBound(names: readonly string[], wanted: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (names[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Copies an operation for the disk. `slice` of a Buffer shares memory, so the process would see later damage of the
 * disk.
 */
const copied = (operation: BatchOperation): Change => [
  nameOf(operation.key),
  operation.type === 'put' ? new Uint8Array(operation.value) : null,
];

interface Handle {
  isOpen: boolean;
  readonly gate: ProcessGate;
  readonly table: StoredTable;
}

/** The LevelDB stores of one node. */
export class SimulatedStores {
  readonly #tables = new Map<string, StoredTable>();
  readonly #handles = new Set<Handle>();
  readonly #device: Device;
  readonly #loop: EventLoop;
  #batches = 0;
  readonly #onBatch: (location: string, operations: readonly BatchOperation[]) => void;

  constructor(
    device: Device,
    loop: EventLoop,
    onBatch: (location: string, operations: readonly BatchOperation[]) => void,
  ) {
    this.#device = device;
    this.#loop = loop;
    this.#onBatch = onBatch;
  }

  /** Returns the store effect of one process. */
  door(gate: ProcessGate): KeyValueStores {
    return {
      open: async (location) => {
        await this.#device.wait(gate, this.#device.doneAt('sync'));
        if (this.#device.isFull) throw noSpace();
        let table = this.#tables.get(location);
        if (!table) this.#tables.set(location, (table = new StoredTable(this.#device, this.#loop)));
        return this.#opened(gate, location, table);
      },
      destroy: async (location) => {
        await this.#device.wait(gate, this.#device.doneAt('write'));
        this.#tables.delete(location);
      },
    };
  }

  crash(power: boolean): void {
    this.#handles.clear();
    for (const table of this.#tables.values()) table.crash(power);
  }

  /** Closes what a thread had open that has ended. */
  endThread(gate: ProcessGate): void {
    const own = [...this.#handles].filter((handle) => handle.gate === gate);
    for (const handle of own) this.#close(handle);
    for (const table of new Set(own.map((handle) => handle.table))) table.endThread();
  }

  #close(handle: Handle): void {
    if (handle.isOpen) handle.table.handles--;
    handle.isOpen = false;
    this.#handles.delete(handle);
  }

  /** Folders of stores. */
  get locations(): readonly string[] {
    return [...this.#tables.keys()];
  }

  /** Returns a value as it would be after a power loss. */
  durableValue(location: string, key: Uint8Array): Uint8Array | undefined {
    return this.#tables.get(location)?.durable.get(nameOf(key));
  }

  /** Whether a later operation exists, which may have replaced this one: replaced operations are removed in time. */
  isCollected(location: string, seqNo: number): boolean {
    for (const name of this.#tables.get(location)?.durable.keys() ?? []) {
      if (
        name.charCodeAt(0) === OPERATION_PREFIX &&
        name.length === OPERATION_KEY_BYTES &&
        Buffer.from(name, 'latin1').readUIntBE(3, 6) > seqNo
      )
        return true;
    }
    return false;
  }

  /** Returns the keys of a folder that processes see. */
  keys(location: string): Uint8Array[] {
    return (this.#tables.get(location)?.names ?? []).map(keyOf);
  }

  bytesOf(location: string): number {
    let sum = 0;
    for (const [name, value] of this.#tables.get(location)?.live ?? []) sum += name.length + value.length;
    return sum;
  }

  /** Flips one bit of a stored value. Returns false if there is no value. */
  flipBit(location: string, choose: number, bit: number): boolean {
    const table = this.#tables.get(location);
    const names = [...(table?.durable.keys() ?? [])];
    const name = names[Math.floor(choose * names.length)];
    const value = name === undefined ? undefined : table!.durable.get(name);
    if (name === undefined || !value || value.length === 0) return false;
    const flipped = value.slice();
    const at = Math.floor(bit * flipped.length * 8);
    flipped[at >> 3]! ^= 1 << (at & 7);
    table!.durable.set(name, flipped);
    if (table!.live.has(name)) table!.live.set(name, flipped);
    return true;
  }

  /**
   * Drops the newest batch header, as LevelDB silently does if the last record of its log is lost. Returns false if
   * there is none.
   */
  dropNewestBatch(location: string): boolean {
    const table = this.#tables.get(location);
    const headers = [...(table?.durable.keys() ?? [])].filter(
      (key) => key.charCodeAt(0) === OPERATION_PREFIX && key.length === BATCH_KEY_BYTES,
    );
    const batchOf = (key: string): string => key.slice(OPERATION_KEY_BYTES);
    const name = headers.sort((a, b) => (batchOf(a) < batchOf(b) ? -1 : 1)).at(-1);
    if (name === undefined) return false;
    table!.apply([[name, null]], table!.durable);
    table!.apply([[name, null]], table!.live);
    return true;
  }

  #opened(gate: ProcessGate, location: string, table: StoredTable): KeyValueStore {
    const handle: Handle = { isOpen: true, gate, table };
    this.#handles.add(handle);
    if (table.handles === 0) table.reopen();
    table.handles++;
    const check = (): void => {
      if (!handle.isOpen) throw new Error('Database is not open');
    };
    return {
      get: (key) => {
        check();
        return table.live.get(nameOf(key))?.slice();
      },
      batch: async (operations, { sync }) => {
        check();
        await this.#write(gate, location, table, operations, sync);
      },
      entries: (range) => this.#entries(gate, table, range, check),
      sizeOf: async (range) => {
        await this.#device.wait(gate, this.#device.doneAt('read'));
        return table.range(range).reduce((sum, name) => sum + name.length + table.live.get(name)!.length, 0);
      },
      compact: () => this.#device.wait(gate, this.#device.doneAt('sync')),
      close: async () => {
        await this.#device.wait(gate, Math.max(table.busyUntil, this.#device.doneAt('write')));
        this.#close(handle);
      },
    };
  }

  async #write(
    gate: ProcessGate,
    location: string,
    table: StoredTable,
    operations: readonly BatchOperation[],
    sync: boolean,
  ): Promise<void> {
    const device = this.#device;
    if (device.lies.dropsBatch !== undefined && ++this.#batches % device.lies.dropsBatch === 0)
      return device.wait(gate, device.doneAt('sync'));
    const batch: Logged = { changes: operations.map(copied), isWritten: false };
    if (!table.isTorn) table.log.push(batch);
    table.busyUntil = device.doneAt(sync ? 'sync' : 'write', table.busyUntil);
    await device.wait(gate, table.busyUntil);
    if (device.isFull) {
      // Imitates a defect of LevelDB: after an append without space it accepts further writes, and loses them at the
      // next open.
      table.isTorn = true;
      remove(table.log, batch);
      throw noSpace();
    }
    if (sync && device.takeFailure()) {
      // It is unknown which part of the batch is on disk.
      table.isTorn = true;
      throw ioFailure();
    }
    table.apply(batch.changes, table.live);
    if (table.isTorn) return remove(table.log, batch);
    batch.isWritten = true;
    if (sync && !device.lies.storeSync) table.sync(batch);
    this.#onBatch(location, operations);
  }

  async *#entries(
    gate: ProcessGate,
    table: StoredTable,
    range: KeyRange,
    check: () => void,
  ): AsyncIterable<readonly [Uint8Array, Uint8Array]> {
    await this.#device.wait(gate, this.#device.doneAt('read'));
    check();
    const found = table.range(range).map((name) => [keyOf(name), table.live.get(name)!.slice()] as const);
    for (let i = 0; i < found.length; i++) {
      if (i > 0 && i % 1000 === 0) await this.#device.wait(gate, this.#device.doneAt('read'));
      yield found[i]!;
    }
  }
}

function remove(log: Logged[], batch: Logged): void {
  const at = log.indexOf(batch);
  if (at >= 0) log.splice(at, 1);
}
