import type { Channel, Log } from '@shoal/doors';

/** Creates a log whose lines the main thread writes. */
export function forwardLog(main: Channel): Log {
  const plain = (_key: string, value: unknown): unknown =>
    value instanceof Error ? { type: value.name, message: value.message, stack_trace: value.stack } : value;
  return {
    write(level, message, fields = {}) {
      const line = Buffer.from(JSON.stringify([level, message, fields], plain));
      main.request('log', new Uint8Array(line)).catch(() => undefined);
    },
  };
}
