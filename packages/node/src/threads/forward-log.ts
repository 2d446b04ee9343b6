import { type Channel, type Log, type LogFields, type LogLevel, sendMessage } from '@shoal/doors';
import { threads } from '@shoal/protocol';

/** Creates a log whose lines the main thread writes. */
export function forwardLog(main: Channel): Log {
  const plain = (_key: string, value: unknown): unknown =>
    value instanceof Error ? { type: value.name, message: value.message, stack_trace: value.stack } : value;
  return {
    write(level, message, fields = {}) {
      const line = { level, message, fields: Buffer.from(JSON.stringify(fields, plain)) };
      sendMessage(main, threads.methods.log, line).catch(() => undefined);
    },
  };
}

/** Writes a line that a thread forwarded with `forwardLog`. */
export function writeForwarded(log: Log, { level, message, fields }: threads.LogLine): threads.Nothing {
  log.write(level as LogLevel, message, JSON.parse(Buffer.from(fields).toString('utf8')) as LogFields);
  return {};
}
