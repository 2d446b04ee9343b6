import type { Log, LogFields, LogLevel } from '@shoal/doors';
import { isApiError } from '@shoal/errors';

const SEVERITY: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };

/** Lines kept until the log library is there; more of them are dropped and counted. */
const WAITING_LINES_MAX = 1_000;

export interface LogOptions {
  readonly level: LogLevel;
  readonly nodeName: string;
  readonly clusterName: string;
  /** Folder for a log file beside the standard output, or null. */
  readonly folder: string | null;
  /** Plain lines for people instead of JSON. */
  readonly plain: boolean;
}

interface Entry {
  readonly level: LogLevel;
  readonly message: string;
  readonly [field: string]: unknown;
}

/**
 * The process's log: JSON lines with ECS names, plain text on a terminal. winston is loaded after the start, because it
 * costs a tenth of the time that a node takes to come up; lines wait for it in order.
 */
export function createNodeLog(options: LogOptions): Log & { flush(): Promise<void> } {
  let sink: ((entry: Entry) => void) | null = null;
  let dropped = 0;
  const waiting: Entry[] = [];
  const loading = loadSink(options).then((loaded) => {
    sink = loaded;
    for (const entry of waiting.splice(0)) loaded(entry);
    if (dropped > 0) loaded({ level: 'warn', message: 'log lines were dropped during the start', lines: dropped });
  });
  return {
    write(level, message, fields = {}) {
      if (SEVERITY[level] > SEVERITY[options.level]) return;
      const entry: Entry = { '@timestamp': new Date().toISOString(), level, message, ...plainFields(fields) };
      if (sink) sink(entry);
      else if (waiting.length < WAITING_LINES_MAX) waiting.push(entry);
      else dropped++;
    },
    flush: () => loading,
  };
}

function plainFields(fields: LogFields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => (value instanceof Error ? ['error', errorFields(value)] : [key, value])));
}

function errorFields(error: Error): Record<string, unknown> {
  const type = isApiError(error) ? error.type : error.name;
  // A stack is for defects; an expected failure is told by its type and message.
  return { type, message: error.message, ...(isApiError(error) && error.status < 500 ? {} : { stack_trace: error.stack }) };
}

async function loadSink(options: LogOptions): Promise<(entry: Entry) => void> {
  const { default: winston } = await import('winston');
  const { format, transports } = winston;
  const json = format.printf(({ level, message, ...rest }) => JSON.stringify({ ...rest, 'log.level': level, message, 'service.name': 'shoal', 'elasticsearch.node.name': options.nodeName, 'elasticsearch.cluster.name': options.clusterName }));
  const text = format.printf(({ level, message, '@timestamp': time, ...rest }) => `${String(time)} ${level.toUpperCase().padEnd(5)} ${String(message)}${textFields(rest)}`);
  const file = options.folder === null ? [] : [new transports.File({ dirname: options.folder, filename: `${options.clusterName}.json`, maxsize: 128 * 2 ** 20, maxFiles: 8, tailable: true, format: json })];
  const logger = winston.createLogger({ level: options.level, transports: [new transports.Console({ format: options.plain ? text : json }), ...file] });
  return (entry) => void logger.log(entry);
}

function textFields(fields: Record<string, unknown>): string {
  const shown = Object.entries(fields).map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  return shown.length === 0 ? '' : `  ${shown.join(' ')}`;
}
