import fs from 'node:fs';

/** Facts that the checks examine. */
export interface BootstrapFacts {
  /** Soft limit of open files of the process; null if the system does not report it. */
  readonly openFilesMax: number | null;
  /** Limit of processes and threads of the user; null if the system does not report it. */
  readonly threadsMax: number | null;
  readonly memoryBudgetBytes: number;
  /** Memory that the container may use; null without a limit. */
  readonly containerBytes: number | null;
  readonly opensTransport: boolean;
  readonly isSecurityEnabled: boolean;
  readonly isTransportTlsEnabled: boolean;
}

/**
 * Minimum of open files. Elasticsearch asks for 65,535, because it holds each file of each segment open. A shard here
 * is one LevelDB and its sockets.
 */
const OPEN_FILES_MIN = 8_192;
/** Minimum of threads. Shards, merges, the runtime's pool and V8 use about 60. */
const THREADS_MIN = 256;

const CHECKS: readonly ((facts: BootstrapFacts) => string | null)[] = [
  ({ openFilesMax }) =>
    openFilesMax !== null && openFilesMax < OPEN_FILES_MIN
      ? `max file descriptors [${openFilesMax}] for this process is too low, increase to at least ` +
        `[${OPEN_FILES_MIN}] (ulimit -n, LimitNOFILE of systemd, --ulimit nofile of containers)`
      : null,
  ({ threadsMax }) =>
    threadsMax !== null && threadsMax < THREADS_MIN
      ? `max number of threads [${threadsMax}] for this user is too low, increase to at least [${THREADS_MIN}] ` +
        '(ulimit -u, TasksMax of systemd)'
      : null,
  ({ memoryBudgetBytes, containerBytes }) =>
    containerBytes !== null && memoryBudgetBytes > containerBytes
      ? `the memory budget [${memoryBudgetBytes}] is more than the [${containerBytes}] bytes that the container ` +
        `may use; lower memory.limit (or -Xmx in ES_JAVA_OPTS) or raise the container's limit`
      : null,
  ({ opensTransport, isSecurityEnabled, isTransportTlsEnabled }) =>
    opensTransport && isSecurityEnabled && !isTransportTlsEnabled
      ? 'Transport SSL must be enabled if security is enabled. Please set [xpack.security.transport.ssl.enabled] ' +
        'to [true] (`shoal certs` makes the certificates) or disable security by setting [xpack.security.enabled] ' +
        'to [false]'
      : null,
];

/** Returns what makes a node unsafe for production, each with its remedy. Empty if nothing does. */
export function bootstrapProblems(facts: BootstrapFacts): string[] {
  const problems = CHECKS.map((check) => check(facts)).filter((problem) => problem !== null);
  return problems.map((problem, i) => `bootstrap check failure [${i + 1}] of [${problems.length}]: ${problem}`);
}

/** Returns a soft limit of this process by its name in `/proc/self/limits`; null if it is not there. */
export function processLimit(name: string, file = '/proc/self/limits'): number | null {
  try {
    const line = fs
      .readFileSync(file, 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith(name));
    const soft = line?.slice(name.length).trim().split(/\s+/)[0];
    return soft === undefined || !/^\d+$/.test(soft) ? null : Number(soft);
  } catch {
    return null;
  }
}
