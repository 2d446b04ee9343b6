/** Severity of a log line. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';
/** Fields of a log line by name; named after Elastic Common Schema where it has a name. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes log lines. The message is constant; what varies goes into the fields. */
export interface Log {
  write(level: LogLevel, message: string, fields?: LogFields): void;
}

/** A log that drops every line, for tests. */
export const silentLog: Log = { write: () => undefined };
