import fs from 'node:fs';

const ROOT = '/sys/fs/cgroup';

/** Files of one controller of the control group that this process is in. */
interface Controller {
  /** Name of the group in `/proc/self/cgroup`. */
  readonly group: string;
  /** Returns the content of a file without the final newline; null if the file is missing. */
  readonly read: (file: string) => string | null;
}

type ReadFile = (path: string) => string | null;

function readSystemFile(path: string): string | null {
  try {
    return fs.readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** Groups of this process by controller. Version 2 has a single group, under the key ''. */
function groupsOf(text: string): Map<string, string> {
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, controllers = '', group = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      return line === '' ? [] : controllers.split(',').map((name) => [name, group] as const);
    }),
  );
}

/**
 * Finds the folder of a group; in a container it is mounted as the root. `probe` is a file that the folder must have.
 */
function controllerOf(read: ReadFile, folder: string, group: string, probe: string): Controller | null {
  const place = [`${folder}${group === '/' ? '' : group}`, folder].find(
    (candidate) => read(`${candidate}/${probe}`) !== null,
  );
  return place === undefined ? null : { group, read: (file) => read(`${place}/${file}`) };
}

const pairsOf = (text: string | null): Map<string, number> =>
  new Map((text ?? '').split('\n').map((line) => [line.split(' ')[0]!, Number(line.split(' ')[1] ?? 0)]));

function cpuJson(
  group: string,
  periodMicros: number,
  quotaMicros: number,
  statistics: ReadonlyMap<string, number>,
  throttledNanos: number,
): Record<string, unknown> {
  const stat = {
    number_of_elapsed_periods: statistics.get('nr_periods') ?? 0,
    number_of_times_throttled: statistics.get('nr_throttled') ?? 0,
    time_throttled_nanos: throttledNanos,
  };
  return { control_group: group, cfs_period_micros: periodMicros, cfs_quota_micros: quotaMicros, stat };
}

function second({ group, read }: Controller): Record<string, unknown> {
  const statistics = pairsOf(read('cpu.stat'));
  const [quota = 'max', period = '100000'] = (read('cpu.max') ?? '').split(' ');
  const cpu = cpuJson(
    group,
    Number(period),
    quota === '' || quota === 'max' ? -1 : Number(quota),
    statistics,
    (statistics.get('throttled_usec') ?? 0) * 1000,
  );
  return {
    cpuacct: { control_group: group, usage_nanos: (statistics.get('usage_usec') ?? 0) * 1000 },
    cpu,
    memory: {
      control_group: group,
      limit_in_bytes: read('memory.max') ?? 'max',
      usage_in_bytes: read('memory.current') ?? '0',
    },
  };
}

function first(accounting: Controller, cpu: Controller, memory: Controller): Record<string, unknown> {
  const statistics = pairsOf(cpu.read('cpu.stat'));
  return {
    cpuacct: { control_group: accounting.group, usage_nanos: Number(accounting.read('cpuacct.usage')) },
    cpu: cpuJson(
      cpu.group,
      Number(cpu.read('cpu.cfs_period_us')),
      Number(cpu.read('cpu.cfs_quota_us')),
      statistics,
      statistics.get('throttled_time') ?? 0,
    ),
    memory: {
      control_group: memory.group,
      limit_in_bytes: memory.read('memory.limit_in_bytes') ?? '',
      usage_in_bytes: memory.read('memory.usage_in_bytes') ?? '0',
    },
  };
}

/**
 * Limits of the container and what it used of them, `os.cgroup` of `GET /_nodes/stats`, from control groups of either
 * version; null where there are none.
 */
export function controlGroup(read: ReadFile = readSystemFile): Record<string, unknown> | null {
  const groups = groupsOf(read('/proc/self/cgroup') ?? '');
  const whole = controllerOf(read, ROOT, groups.get('') ?? '/', 'memory.max');
  if (whole) return second(whole);
  const [accounting, cpu, memory] = [
    ['cpuacct', 'cpuacct.usage'],
    ['cpu', 'cpu.cfs_quota_us'],
    ['memory', 'memory.limit_in_bytes'],
  ].map(([name, probe]) => controllerOf(read, `${ROOT}/${name!}`, groups.get(name!) ?? '/', probe!));
  return accounting && cpu && memory ? first(accounting, cpu, memory) : null;
}
