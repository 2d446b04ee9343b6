import { errors } from '@shoal/errors';

/**
 * What another node has taken has this much more room than what clients send, so that work is not thrown away half
 * done, and nodes cannot starve each other.
 */
const OTHERS_SHARE = 1.5;
/** Weight of the newest write in what bodies come to. */
const NEWEST = 0.1;

/** Bytes of writes that a stage has taken, and how often it refused. */
interface Stage {
  current: number;
  total: number;
  rejections: number;
}

/** Memory of writes that are worked on: `indexing_pressure.memory.limit`. */
export interface IndexingPressure {
  readonly limit: number;
  readonly coordinating: Readonly<Stage>;
  readonly primary: Readonly<Stage>;
  readonly replica: Readonly<Stage>;
  /** Coordinating, and primaries for other nodes: each write once. */
  readonly combined: Readonly<Stage>;
  /** Throws what `takeCoordinating` would throw now, and counts it; takes nothing. */
  checkCoordinating(bytes: number): void;
  /** The same for a body of which only the length is known: as if it came to as much as bodies have come to lately. */
  checkAnnounced(bodyBytes: number): void;
  /**
   * Takes bytes, for a body of `bodyBytes`, until the returned function is called, or throws
   * es_rejected_execution_exception (429).
   */
  takeCoordinating(bytes: number, bodyBytes?: number): () => void;
  /**
   * `isLocal`: the coordinating node is this one and counts the bytes already. Another's are refused at one and a half
   * times the limit.
   */
  takePrimary(bytes: number, isLocal: boolean): () => void;
  /**
   * A copy that refuses a write would be given up: it waits until there is room instead, and at most the sender's own
   * limit waits with it.
   */
  takeReplica(bytes: number): Promise<() => void>;
}

function take(stage: Stage, bytes: number): () => void {
  stage.current += bytes;
  stage.total += bytes;
  return () => void (stage.current -= bytes);
}

function takeBoth(stage: Stage, combined: Stage, bytes: number): () => void {
  const [release, releaseCombined] = [take(stage, bytes), take(combined, bytes)];
  return () => {
    releaseCombined();
    release();
  };
}

/** Those that wait for bytes to be given back, in order. */
interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

const newStage = (): Stage => ({ current: 0, total: 0, rejections: 0 });

/** Nothing is taken yet. `alone`: a write is taken, however large, while there is no other. */
export function createIndexingPressure(
  limit: number,
  { alone = false }: { readonly alone?: boolean } = {},
): IndexingPressure {
  const [coordinating, primary, replica, combined] = [newStage(), newStage(), newStage(), newStage()];
  const waiting: Waiting[] = [];
  /** One alone always fits. */
  const fits = (bytes: number): boolean => replica.current === 0 || replica.current + bytes <= limit * OTHERS_SHARE;
  const held = (): number => combined.current + replica.current;
  const isOver = (bytes: number, max: number): boolean => held() + bytes > max && !(alone && held() === 0);
  let bytesPerBodyByte = 1;
  const refuse = (stage: Stage, name: string, own: string, max: string): never => {
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
