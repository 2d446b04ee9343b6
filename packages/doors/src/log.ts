export type LogLevel = 'error' | 'warn' | 'info' | 'debug';
export type LogFields = Readonly<Record<string, unknown>>;

/** Log lines: a constant message, variables as fields (named after Elastic Common Schema where it has a name). */
export interface Log {
  write(level: LogLevel, message: string, fields?: LogFields): void;
}

export const silentLog: Log = { write: () => undefined };
