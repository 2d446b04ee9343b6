/** An error of the cluster with its place in the body. */
export interface PlacedError {
  /** Offset in the body that was sent. */
  readonly offset: number;
  readonly message: string;
}

interface ErrorJson {
  readonly type?: string;
  readonly reason?: string;
  readonly line?: number;
  readonly col?: number;
  readonly root_cause?: readonly ErrorJson[];
  readonly caused_by?: ErrorJson;
}

const CAUSES_MAX = 20;

/**
 * The place of an answered error: `line` and `col` of the error or one of its causes, else the first `[line:col]` or
 * `line: 1, column: 2` in a reason; the innermost wins. Null if the cluster tells none.
 */
export function errorPlace(answer: unknown, body: string): PlacedError | null {
  const error = (answer as { error?: unknown } | null)?.error;
  if (typeof error !== 'object' || error === null) return null;
  let placed: PlacedError | null = null;
  let at: ErrorJson | undefined = error as ErrorJson;
  for (let i = 0; at !== undefined && i < CAUSES_MAX; i++) {
    const place = placeIn(at);
    if (place !== null) placed = { offset: offsetAt(body, ...place), message: at.reason ?? at.type ?? 'An error.' };
    at = at.caused_by;
  }
  if (placed !== null) return placed;
  const place = placeIn((error as ErrorJson).root_cause?.[0] ?? {});
  return place === null
    ? null
    : { offset: offsetAt(body, ...place), message: (error as ErrorJson).reason ?? 'An error.' };
}

function placeIn({ line, col, reason = '' }: ErrorJson): readonly [line: number, column: number] | null {
  if (typeof line === 'number' && typeof col === 'number') return [line, col];
  const found = /\[(\d{1,7}):(\d{1,7})\]/.exec(reason) ?? /line: (\d{1,7}), column: (\d{1,7})/.exec(reason);
  return found === null ? null : [Number(found[1]), Number(found[2])];
}

/** Offset of a line and column, both counted from 1. */
function offsetAt(text: string, line: number, column: number): number {
  let from = 0;
  for (let i = 1; i < line; i++) {
    const next = text.indexOf('\n', from);
    if (next === -1) break;
    from = next + 1;
  }
  return Math.min(text.length, from + Math.max(0, column - 1));
}
