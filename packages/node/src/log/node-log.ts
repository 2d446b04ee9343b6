import type { FlatSettings } from '@shoal/state';
import type { Log, LogFields } from '@shoal/doors';
import { ecsLine, type LogEntry, logEntry, type LogPlace, plainLine, toJson } from './ecs-line.js';
import { createLevels, type LevelSources } from './levels.js';
import { logFolder } from './log-folder.js';
import { createRotatingLog, type RotatingLog, type RotationLimits } from './rotating-log.js';
import { drainOutput, standardOutput } from './standard-output.js';

/** Lines kept until the log library is loaded; further lines are dropped and counted. */
const WAITING_LINES_MAX = 1_000;
/** Milliseconds that the end of a node waits for the reader of its standard output. */
const DRAIN_MS = 1_000;

/** Options of a node's log. */
export interface LogOptions {
  readonly nodeName: string;
  readonly clusterName: string;
  /** The node's own settings; those named `logger.*` are read. */
  readonly settings: FlatSettings;
  /** Folder for log files beside the standard output, or null. */
  readonly folder: string | null;
  readonly rotation: RotationLimits;
  /** Plain lines for people instead of JSON. */
  readonly plain: boolean;
}

/** Facts that a log gets after the start. */
export interface LogFacts {
  readonly nodeId: string;
  readonly clusterUuid: () => string | null;
  readonly levels: () => LevelSources;
}

/** The process's log. */
export interface NodeLog extends Log {
  /** Makes lines name the node and the cluster, and the cluster's settings decide about levels. */
  follow(facts: LogFacts): void;
  /** Writes a line of the audit log, which has its own format. */
  audit(line: Readonly<Record<string, unknown>>): void;
  flush(): Promise<void>;
}

/** File names of logs with their own files, by `event.dataset`. */
const FILES: Readonly<Record<string, string>> = {
  'elasticsearch.index_search_slowlog': 'index_search_slowlog',
  'elasticsearch.index_indexing_slowlog': 'index_indexing_slowlog',
  'deprecation.elasticsearch': 'deprecation',
};

/**
 * Creates a log of JSON lines with ECS names, or of plain text on a terminal. With a folder it also writes rotated
 * files, one for each kind of log. winston, which writes the standard output, is loaded after the start, as it would
 * cost a tenth of the start time; lines wait for it in order. A full disk or a reader that has stopped reading never
 * blocks the node: lines are dropped and counted.
 */
export function createNodeLog(options: LogOptions): NodeLog {
  let facts: LogFacts | null = null;
  const place: LogPlace = {
    ...options,
    nodeId: () => facts?.nodeId ?? null,
    clusterUuid: () => facts?.clusterUuid() ?? null,
  };
  const levels = createLevels(options.settings, () => facts?.levels() ?? null);
  const output = consoleLines(options, place);
  const files = options.folder === null ? null : logFiles(options.folder, options, place);
  return {
    write(level, message, fields: LogFields = {}) {
      const entry = logEntry(Date.now(), level, message, fields);
      if (!levels.allows(entry.logger, level)) return;
      const own = FILES[entry.dataset];
      files?.(own ?? 'server').write(ecsLine(entry, place));
      if (files === null || own === undefined) output.write(entry);
    },
    audit(line) {
      if (files !== null) files('audit').write(toJson(line));
      else
        output.write(
          logEntry(Date.now(), 'info', 'audit', {
            ...line,
            'event.dataset': 'elasticsearch.audit',
            'log.logger': 'audit',
          }),
        );
    },
    follow: (learnt) => void (facts = learnt),
    async flush() {
      await output.flush();
      for (const name of ['server', 'audit', ...Object.values(FILES)]) await files?.(name).flush();
    },
  };
}

/** Opens each kind's file when it is first written to. */
function logFiles(
  folder: string,
  { clusterName, rotation }: LogOptions,
  place: LogPlace,
): (kind: string) => RotatingLog {
  const door = logFolder(folder);
  const open = new Map<string, RotatingLog>();
  const lostLine = (count: number): string =>
    ecsLine(logEntry(Date.now(), 'warn', 'log lines were lost', { lines: count }), place);
  return (kind) => {
    let file = open.get(kind);
    if (file === undefined)
      open.set(
        kind,
        (file = createRotatingLog({
          ...rotation,
          folder: door,
          name: `${clusterName}_${kind}`,
          now: Date.now,
          lostLine,
        })),
      );
    return file;
  };
}

interface ConsoleLines {
  write(entry: LogEntry): void;
  flush(): Promise<void>;
}

function consoleLines(options: LogOptions, place: LogPlace): ConsoleLines {
  let sink: ((entry: LogEntry) => void) | null = null;
  let dropped = 0;
  const waiting: LogEntry[] = [];
  const loading = loadSink(options, place).then((loaded) => {
    sink = loaded;
    for (const entry of waiting.splice(0)) loaded(entry);
    if (dropped > 0)
      loaded(logEntry(Date.now(), 'warn', 'log lines were dropped during the start', { lines: dropped }));
  });
  return {
    write(entry) {
      if (sink) sink(entry);
      else if (waiting.length < WAITING_LINES_MAX) waiting.push(entry);
      else dropped++;
    },
    async flush() {
      await loading;
      await drainOutput(process.stdout, DRAIN_MS);
    },
  };
}

async function loadSink({ plain }: LogOptions, place: LogPlace): Promise<(entry: LogEntry) => void> {
  const { default: winston } = await import('winston');
  const line = winston.format.printf(({ entry }) =>
    plain ? plainLine(entry as LogEntry) : ecsLine(entry as LogEntry, place),
  );
  const transport = new winston.transports.Stream({ stream: standardOutput(process.stdout), format: line });
  const logger = winston.createLogger({ level: 'debug', transports: [transport] });
  return (entry) => void logger.log({ level: entry.level, message: entry.message, entry });
}
