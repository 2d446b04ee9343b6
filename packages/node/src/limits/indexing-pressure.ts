import { errors } from '@shoal/errors';

/**
 * Limit for primary and replica writes of other nodes, as a multiple of the limit for clients' writes. Writes that
 * another node has accepted are not thrown away half done, and nodes cannot starve each other.
 */
const OTHERS_SHARE = 1.5;
/** Weight of the newest write in the average of bytes taken for each byte of a body. */
const NEWEST = 0.1;

/** Bytes of the writes in a stage now and in total, and the number of refusals. */
interface PressureStage {
  current: number;
  total: number;
  rejections: number;
}

/** Accounts for the memory of writes in progress, limited by `indexing_pressure.memory.limit`. */
export interface IndexingPressure {
  readonly limit: number;
  readonly coordinating: Readonly<PressureStage>;
  readonly primary: Readonly<PressureStage>;
  readonly replica: Readonly<PressureStage>;
  /** Coordinating writes, and primary writes for other nodes: each write counts once. */
  readonly combined: Readonly<PressureStage>;
  /** Throws and counts the refusal that `takeCoordinating` would throw now. Takes no bytes. */
  checkCoordinating(bytes: number): void;
  /**
   * Same as `checkCoordinating` for a body of known length that is not parsed yet. Estimates its bytes from recent
   * bodies.
   */
  checkAnnounced(bodyBytes: number): void;
  /**
   * Takes bytes for a body of `bodyBytes` until the returned function is called. Throws es_rejected_execution_exception
   * (429).
   */
  takeCoordinating(bytes: number, bodyBytes?: number): () => void;
  /**
   * Takes bytes of a primary write. `isLocal`: this node coordinates the write and has already counted its bytes.
   * Writes of other nodes are refused at one and a half times the limit.
   */
  takePrimary(bytes: number, isLocal: boolean): () => void;
  /**
   * Takes bytes of a replica write. Waits for room instead of refusing, as a copy that refuses a write is failed. The
   * sender's own limit bounds how much can wait.
   */
  takeReplica(bytes: number): Promise<() => void>;
}

function take(stage: PressureStage, bytes: number): () => void {
  stage.current += bytes;
  stage.total += bytes;
  return () => void (stage.current -= bytes);
}

function takeBoth(stage: PressureStage, combined: PressureStage, bytes: number): () => void {
  const [release, releaseCombined] = [take(stage, bytes), take(combined, bytes)];
  return () => {
    releaseCombined();
    release();
  };
}

/** A replica write that waits for bytes to be released. */
interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

const newStage = (): PressureStage => ({ current: 0, total: 0, rejections: 0 });

/** Creates an account without writes. `alone`: a write of any size is accepted if no other is in progress. */
export function createIndexingPressure(
  limit: number,
  { alone = false }: { readonly alone?: boolean } = {},
): IndexingPressure {
  const [coordinating, primary, replica, combined] = [newStage(), newStage(), newStage(), newStage()];
  const waiting: Waiting[] = [];
  /** A single replica write always fits, whatever its size. */
  const fits = (bytes: number): boolean => replica.current === 0 || replica.current + bytes <= limit * OTHERS_SHARE;
  const held = (): number => combined.current + replica.current;
  const isOver = (bytes: number, max: number): boolean => held() + bytes > max && !(alone && held() === 0);
  let bytesPerBodyByte = 1;
  const refuse = (stage: PressureStage, name: string, own: string, max: string): never => {
    stage.rejections++;
    combined.rejections++;
    const figures =
      `coordinating_and_primary_bytes=${combined.current}, replica_bytes=${replica.current}, ` +
      `all_bytes=${combined.current + replica.current}`;
    throw errors.rejectedExecution(`rejected execution of ${name} operation [${figures}, ${own}, ${max}]`);
  };
  const checkCoordinating = (bytes: number): void => {
    if (isOver(bytes, limit))
      refuse(
        coordinating,
        'coordinating',
        `coordinating_operation_bytes=${bytes}`,
        `max_coordinating_and_primary_bytes=${limit}`,
      );
  };
  return {
    limit,
    coordinating,
    primary,
    replica,
    combined,
    checkCoordinating,
    checkAnnounced: (bodyBytes) =>
      checkCoordinating(held() === 0 ? bodyBytes : Math.round(bodyBytes * bytesPerBodyByte)),
    takeCoordinating(bytes, bodyBytes = bytes) {
      checkCoordinating(bytes);
      if (bodyBytes > 0) bytesPerBodyByte += NEWEST * (bytes / bodyBytes - bytesPerBodyByte);
      return takeBoth(coordinating, combined, bytes);
    },
    takePrimary(bytes, isLocal) {
      if (isLocal) return take(primary, bytes);
      const max = limit * OTHERS_SHARE;
      if (isOver(bytes, max))
        refuse(primary, 'primary', `primary_operation_bytes=${bytes}`, `max_coordinating_and_primary_bytes=${max}`);
      return takeBoth(primary, combined, bytes);
    },
    async takeReplica(bytes) {
      if (waiting.length > 0 || !fits(bytes)) await new Promise<void>((go) => waiting.push({ bytes, go }));
      else take(replica, bytes);
      return () => {
        replica.current -= bytes;
        while (waiting.length > 0 && fits(waiting[0]!.bytes)) {
          const next = waiting.shift()!;
          take(replica, next.bytes);
          next.go();
        }
      };
    },
  };
}
