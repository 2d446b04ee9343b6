import { Writable } from 'node:stream';

/** Bytes that wait for a reader of the standard output; more lines are dropped. */
const WAITING_BYTES_MAX = 1 * 2 ** 20;

/** A pipe as Node holds it; its writes block unless told otherwise. */
interface PipeHandle {
  readonly _handle?: { setBlocking?(blocks: boolean): void } | null;
}

/**
 * The standard output as a stream that never blocks and never fails: a reader that stands still or has gone loses
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

/** Resolves when all was read, at the latest after `waitMs`. */
export function drained(output: NodeJS.WriteStream, waitMs: number): Promise<void> {
  if (output.destroyed || output.writableLength === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    output.write('', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
