import type { Clock, RequestOptions } from '@shoal/doors';
import type { Subject } from '@shoal/security';

/** Context of a call, besides its request. */
export interface CallContext {
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  readonly opaqueId: string | null;
  /** Whether answers have `_type: "_doc"` (compatible-with=7). */
  readonly withType: boolean;
  /** Task of the call as `node:id`; absent for calls without a client. */
  readonly taskId?: string;
  /** Milliseconds that the call waited in the queue of its pool. They are part of `took`. */
  readonly waitedMs?: number;
  /** The authenticated caller. */
  readonly subject: Subject;
}

/** Returns when a call arrived, in monotonic milliseconds. */
export function startOf(clock: Pick<Clock, 'monotonic'>, call: CallContext): number {
  return clock.monotonic() - (call.waitedMs ?? 0);
}

/** Options of a message that continues when the client disconnects. */
export function childOf(call: CallContext): RequestOptions {
  return call.taskId === undefined ? {} : { parentTask: call.taskId };
}

/** Options of a message that is cancelled when the client disconnects. */
export function endingWith(call: CallContext): RequestOptions {
  return { ...childOf(call), signal: call.signal };
}

/** An answer in JSON, as chunks of UTF-8. */
export interface JsonAnswer {
  readonly status: number;
  readonly chunks: readonly Uint8Array[];
}
