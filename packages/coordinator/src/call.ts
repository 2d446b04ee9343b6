import type { Clock, RequestOptions } from '@shoal/doors';
import type { Subject } from '@shoal/security';

/** What all calls carry besides their request. */
export interface CallContext {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  readonly opaqueId: string | null;
  /** Adds `_type: "_doc"` to answers (compatible-with=7). */
  readonly withType: boolean;
  /** The task that the call is, `node:id`; left out for calls that no client made. */
  readonly taskId?: string;
  /** Milliseconds that it has waited for its turn: its client sees them as part of what it takes. */
  readonly waitedMs?: number;
  /** Who makes the call. */
  readonly subject: Subject;
}

/** When a call was ready to be worked on, in monotonic milliseconds. */
export function startOf(clock: Pick<Clock, 'monotonic'>, call: CallContext): number {
  return clock.monotonic() - (call.waitedMs ?? 0);
}

/** Options of a message that is part of a call and is to go on when its client is gone. */
export function childOf(call: CallContext): RequestOptions {
  return call.taskId === undefined ? {} : { parentTask: call.taskId };
}

/** Options of a message that ends when nobody waits for the call any more. */
export function endingWith(call: CallContext): RequestOptions {
  return { ...childOf(call), signal: call.signal };
}

/** An answer as JSON in UTF-8, in pieces to be written one after another. */
export interface JsonAnswer {
  readonly status: number;
  readonly chunks: readonly Uint8Array[];
}
