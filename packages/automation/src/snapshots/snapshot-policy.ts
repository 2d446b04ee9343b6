import { type ApiError, errors, isApiError } from '@shoal/errors';
import { bodyReader, type JsonObject } from '@shoal/json';
import { resolveDateMath } from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
import { parseCron } from './cron.js';

/** Body of a snapshot lifecycle policy. */
export interface SnapshotPolicy {
  /** Name of the snapshots, with date math: `<daily-{now/d}>`. */
  readonly name: string;
  readonly schedule: string;
  readonly repository: string;
  /** As the body of a new snapshot. */
  readonly config?: JsonObject;
  readonly retention?: {
    readonly expire_after?: string;
    readonly min_count?: number;
    readonly max_count?: number;
  };
}

/** Counters of a policy. */
export interface SnapshotPolicyStats {
  readonly taken: number;
  readonly failed: number;
  readonly deleted: number;
  readonly deletionFailures: number;
}

export const NO_STATS: SnapshotPolicyStats = { taken: 0, failed: 0, deleted: 0, deletionFailures: 0 };

/** A snapshot that a policy has taken. */
export interface TakenSnapshot {
  readonly snapshot: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Names of the indices in it. */
  readonly indices: readonly string[];
}

/** Entry of the section `snapshotPolicies`. */
export interface StoredSnapshotPolicy {
  readonly policy: SnapshotPolicy;
  readonly version: number;
  readonly modifiedMs: number;
  readonly authentication: unknown;
  /** Time at which the schedule last began a snapshot. Set before the snapshot, so that no two masters take it. */
  readonly triggeredMs?: number;
  readonly running?: { readonly snapshot: string; readonly startMs: number } | null;
  readonly lastSuccess?: TakenSnapshot;
  readonly lastFailure?: { readonly snapshot: string; readonly atMs: number; readonly details: string };
  readonly failuresSinceSuccess?: number;
  readonly stats?: SnapshotPolicyStats;
}

const CONFIG_KEYS = [
  'indices',
  'expand_wildcards',
  'ignore_unavailable',
  'allow_no_indices',
  'include_global_state',
  'feature_states',
  'metadata',
  'partial',
];
const NAME_BYTES_MAX = 255;
/** Length of the mark that makes names of snapshots unique. */
const MARK_LENGTH = 23;

function reasonOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return error.reason;
  }
}

/** Shortest time between runs, of the next few. */
function shortestMs(schedule: string, nowMs: number): number {
  const cron = parseCron(schedule);
  let shortest = Infinity;
  for (let i = 0, last = cron.next(nowMs); i < 8 && last !== null; i++) {
    const next = cron.next(last);
    if (next !== null) shortest = Math.min(shortest, next - last);
    last = next;
  }
  return shortest;
}

function scheduleProblem(schedule: string, minimumMs: number, minimum: string, nowMs: number): string | null {
  if (schedule.trim() === '' || reasonOf(() => parseCron(schedule)) !== null)
    return `invalid schedule [${schedule}]: must be a valid cron expression`;
  return shortestMs(schedule, nowMs) < minimumMs
    ? `invalid schedule [${schedule}]: schedule would be too frequent, executing more than every [${minimum}]`
    : null;
}

/** What is wrong with the date math or the characters of a name. */
function nameProblem(name: string, nowMs: number): string | null {
  if (name.trim() === '') return 'cannot be empty';
  let resolved = '';
  const mathProblem = reasonOf(() => (resolved = resolveDateMath(name, nowMs)));
  if (mathProblem !== null) return mathProblem;
  if (/\s/.test(resolved)) return 'must not contain whitespace';
  if (resolved.includes('#')) return "must not contain '#'";
  if (resolved.startsWith('_')) return "must not start with '_'";
  if (resolved !== resolved.toLowerCase()) return 'must be lowercase';
  if (/[\\/*?"<>|,]/.test(resolved))
    return `must not contain contain the following characters [\\, /, *, ?, ", <, >, |,  , ,]`;
  return Buffer.byteLength(resolved) + MARK_LENGTH > NAME_BYTES_MAX ? 'is too long' : null;
}

function idProblem(id: string): string | null {
  if (id.includes(',')) return `invalid policy id [${id}]: must not contain ','`;
  if (id.includes(' ')) return `invalid policy id [${id}]: must not contain ' '`;
  if (id.startsWith('_')) return `invalid policy id [${id}]: must not start with '_'`;
  return Buffer.byteLength(id) > NAME_BYTES_MAX ? `invalid policy id [${id}]: is too long` : null;
}

function parseRetention(given: JsonObject): NonNullable<SnapshotPolicy['retention']> {
  const reader = bodyReader('snapshot_retention', given);
  reader.onlyKeys(['expire_after', 'min_count', 'max_count']);
  const expireAfter = reader.optionalText('expire_after');
  if (expireAfter !== null) parseTimeValue(expireAfter, 'expire_after');
  const [min, max] = [reader.optionalNumber('min_count'), reader.optionalNumber('max_count')];
  for (const [name, count] of [['minimum', min] as const, ['maximum', max] as const])
    if (count !== null && !(Number.isInteger(count) && count >= 1))
      throw errors.illegalArgument(`${name} snapshot count must be at least 1, but was: ${count}`);
  if (min !== null && max !== null && min > max)
    throw errors.illegalArgument(`minimum snapshot count ${min} cannot be larger than maximum snapshot count ${max}`);
  return {
    ...(expireAfter === null ? {} : { expire_after: expireAfter }),
    ...(min === null ? {} : { min_count: min }),
    ...(max === null ? {} : { max_count: max }),
  };
}

function validationFailed(problems: readonly string[]): ApiError {
  const listed = problems.map((problem, i) => `${i + 1}: ${problem};`).join('');
  return errors.actionRequestValidation(`Validation Failed: ${listed}`);
}

/** Limits that a policy is checked against. */
export interface PolicyLimits {
  readonly nowMs: number;
  /** `slm.minimum_interval`. */
  readonly minimumInterval: string;
}

/** Parses a policy. Throws x_content_parse_exception, action_request_validation_exception. */
export function parseSnapshotPolicy(id: string, body: unknown, limits: PolicyLimits): SnapshotPolicy {
  const reader = bodyReader('snapshot_lifecycle', body);
  reader.onlyKeys(['name', 'schedule', 'repository', 'config', 'retention']);
  const [name, schedule, repository] = [reader.text('name'), reader.text('schedule'), reader.text('repository')];
  const config = reader.optionalObject('config');
  const retention = reader.optionalObject('retention');
  const odd = Object.keys(config ?? {}).find((key) => !CONFIG_KEYS.includes(key));
  const metadata = config?.['metadata'];
  const nameFault = nameProblem(name, limits.nowMs);
  const minimumMs = parseTimeValue(limits.minimumInterval, 'slm.minimum_interval');
  const problems = [
    idProblem(id),
    nameFault === null ? null : `invalid snapshot name [${name}]: ${nameFault}`,
    scheduleProblem(schedule, minimumMs, limits.minimumInterval, limits.nowMs),
    odd === undefined ? null : `invalid config: unknown parameter [${odd}]`,
    metadata !== undefined && metadata !== null && typeof metadata !== 'object'
      ? `invalid configuration.metadata [${String(metadata)}]: must be an object if present`
      : null,
    repository.trim() === '' ? 'invalid repository name [ ]: cannot be empty' : null,
  ].filter((problem): problem is string => problem !== null);
  if (problems.length > 0) throw validationFailed(problems);
  return {
    name,
    schedule,
    repository,
    ...(config === null ? {} : { config }),
    ...(retention === null ? {} : { retention: parseRetention(retention) }),
  };
}

/** When a policy runs next, after its last run or its last change; null if never. */
export function nextRunMs({ policy, triggeredMs = 0, modifiedMs }: StoredSnapshotPolicy): number | null {
  return parseCron(policy.schedule).next(Math.max(triggeredMs, modifiedMs));
}
