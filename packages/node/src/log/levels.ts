import type { FlatSettings } from '@shoal/state';
import type { LogLevel } from '@shoal/doors';

const SEVERITY: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };
/** Elasticsearch's levels; a higher number lets more lines through. This program's finest lines are `debug`. */
const LETS_THROUGH: Readonly<Record<string, number>> = {
  off: -1,
  fatal: -1,
  error: 0,
  warn: 1,
  info: 2,
  debug: 3,
  trace: 3,
  all: 3,
};

/**
 * Where levels come from, from the strongest: `logger.*` of the transient and persistent cluster settings, then of the
 * node.
 */
export interface LevelSources {
  readonly transientSettings: FlatSettings;
  readonly persistentSettings: FlatSettings;
}

/** Decides which lines are written. */
export interface Levels {
  allows(logger: string, level: LogLevel): boolean;
}

const PREFIX = 'logger.';

function collect(into: Map<string, number>, settings: FlatSettings): void {
  for (const [name, value] of Object.entries(settings)) {
    const level = LETS_THROUGH[String(value).toLowerCase()];
    if (!name.startsWith(PREFIX) || level === undefined) continue;
    const logger = name.slice(PREFIX.length);
    into.set(logger === 'level' || logger === '_root' ? '' : logger, level);
  }
}

/** Returns the level of the nearest configured ancestor: `shoal.http.cors`, `shoal.http`, `shoal`, the root. */
function levelOf(configured: ReadonlyMap<string, number>, logger: string): number {
  for (let name = logger; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    const level = configured.get(name);
    if (level !== undefined) return level;
  }
  return configured.get('') ?? LETS_THROUGH['info']!;
}

/**
 * Creates levels of loggers by name, read again after the settings change. `current` returns null before there is a
 * cluster state.
 */
export function createLevels(nodeSettings: FlatSettings, current: () => LevelSources | null): Levels {
  let seenTransient: FlatSettings | null = null;
  let seenPersistent: FlatSettings | null = null;
  let byLogger = new Map<string, number>();
  let configured = new Map<string, number>();
  collect(configured, nodeSettings);
  return {
    allows(logger, level) {
      const sources = current();
      if (
        sources !== null &&
        (sources.transientSettings !== seenTransient || sources.persistentSettings !== seenPersistent)
      ) {
        seenTransient = sources.transientSettings;
        seenPersistent = sources.persistentSettings;
        configured = new Map();
        for (const settings of [nodeSettings, seenPersistent, seenTransient]) collect(configured, settings);
        byLogger = new Map();
      }
      let limit = byLogger.get(logger);
      if (limit === undefined) byLogger.set(logger, (limit = levelOf(configured, logger)));
      return SEVERITY[level] <= limit;
    },
  };
}
