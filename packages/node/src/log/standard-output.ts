import { Writable } from 'node:stream';

/** Limit in bytes that wait for the reader of the standard output; further lines are dropped. */
const WAITING_BYTES_MAX = 1 * 2 ** 20;

/** Node's internal handle of a pipe; its writes block unless `setBlocking(false)` was called. */
interface PipeHandle {
  readonly _handle?: { setBlocking?(blocks: boolean): void } | null;
}

/**
 * Wraps the standard output as a stream that never blocks and never fails. A reader that is too slow or gone loses
 * lines.
 */
export function standardOutput(output: NodeJS.WriteStream): Writable {
  (output as unknown as PipeHandle)._handle?.setBlocking?.(false);
  output.on('error', () => undefined);
  return new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      if (!output.destroyed && output.writableLength < WAITING_BYTES_MAX) output.write(chunk);
      done();
    },
  });
}

/** Resolves when all output was read, or after `waitMs` milliseconds. */
export function drainOutput(output: NodeJS.WriteStream, waitMs: number): Promise<void> {
  if (output.destroyed || output.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    output.write('', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
