import { type ApiError, errors, isApiError } from '@shoal/errors';
import { bodyReader, isPlainObject, type JsonObject, ownProperty } from '@shoal/json';
import type { LifecyclePhase, LifecyclePolicy } from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
import { ACTIONS, AFTER_ROLLOVER, PHASES } from './actions/catalogue.js';

const NAME_BYTES_MAX = 255;
const PARSERS = { policy: 'put_lifecycle_request', phases: 'lifecycle_policy', actions: 'phase' } as const;

/** Checks the name of a policy. Throws illegal_argument_exception. */
export function checkPolicyName(name: string): void {
  const problem = nameProblem(name);
  if (problem !== null) throw errors.illegalArgument(problem);
}

function nameProblem(name: string): string | null {
  const odd = [',', ' '].find((character) => name.includes(character));
  if (odd !== undefined) return `invalid policy name [${name}]: must not contain '${odd}'`;
  if (name.startsWith('_')) return `invalid policy name [${name}]: must not start with '_'`;
  return Buffer.byteLength(name) > NAME_BYTES_MAX
    ? `invalid policy name [${name}]: name is too long, (${Buffer.byteLength(name)} > ${NAME_BYTES_MAX})`
    : null;
}

/** Wraps the error of a field in those of the objects around it, as Elasticsearch's parsers do. */
function failedIn(field: keyof typeof PARSERS, container: object, cause: ApiError): ApiError {
  return errors.xContentParse(`[${PARSERS[field]}] failed to parse field [${field}]`, {
    cause,
    location: { container, key: field },
  });
}

function within<T>(field: keyof typeof PARSERS, container: object, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isApiError(error)) throw error;
    throw failedIn(field, container, error);
  }
}

/** Parses the body `{"policy":{…}}`. Throws x_content_parse_exception, and illegal_argument_exception of the rules. */
export function parsePolicy(body: unknown): LifecyclePolicy {
  const request = bodyReader('put_lifecycle_request', body);
  request.onlyKeys(['policy']);
  const given = request.object('policy');
  const policy = within('policy', body as object, () => parseFields(given));
  checkRules(policy);
  return policy;
}

function parseFields(given: JsonObject): LifecyclePolicy {
  const reader = bodyReader('lifecycle_policy', given);
  reader.onlyKeys(['phases', '_meta', 'deprecated']);
  const phases = reader.object('phases');
  const meta = reader.optionalObject('_meta');
  const parsed = Object.entries(phases).map(([name, phase]) => [
    name,
    within('phases', given, () => parsePhase(phase)),
  ]);
  return { phases: Object.fromEntries(parsed), ...(meta === null ? {} : { _meta: meta }) };
}

function parsePhase(given: unknown): LifecyclePhase {
  const reader = bodyReader('phase', given);
  reader.onlyKeys(['min_age', 'actions']);
  const minAge = reader.optionalText('min_age') ?? '0ms';
  if (parseTimeValue(minAge, 'min_age') < 0)
    throw errors.illegalArgument(`[min_age] must not be negative: [${minAge}]`);
  const actions = Object.entries(reader.object('actions')).map(([name, options]) => [
    name,
    within('actions', given as object, () => parseAction(name, options)),
  ]);
  // As 8.12 shows it: `0` has a unit.
  return { min_age: /^0+$/.test(minAge) ? '0ms' : minAge, actions: Object.fromEntries(actions) };
}

function parseAction(name: string, options: unknown): JsonObject {
  const action = ACTIONS.get(name);
  if (!action) throw errors.namedObjectNotFound(`unknown field [${name}]`);
  if (!isPlainObject(options)) throw errors.parsing(`[${name}] expected an object`);
  return action.parse(options);
}

function checkRules({ phases }: LifecyclePolicy): void {
  for (const [phase, { actions }] of Object.entries(phases)) checkPhase(phase, Object.keys(actions));
  const hot = Object.keys(ownProperty(phases, 'hot')?.actions ?? {});
  const early = hot.includes('rollover') ? [] : hot.filter((name) => AFTER_ROLLOVER.has(name));
  if (early.length > 0)
    throw errors.illegalArgument(
      `the [${early.join(', ')}] action(s) may not be used in the [hot] phase without an accompanying [rollover] ` +
        'action',
    );
  checkMounts(phases);
  checkMigrations(phases);
  checkAges(phases);
}

function checkPhase(phase: string, actions: readonly string[]): void {
  const known = PHASES.get(phase)?.map(({ name }) => name);
  if (!known) throw errors.illegalArgument(`Timeseries lifecycle does not support phase [${phase}]`);
  const odd = actions.find((name) => !known.includes(name));
  if (odd !== undefined) throw errors.illegalArgument(`invalid action [${odd}] defined in phase [${phase}]`);
}

/** Actions that change the files of an index, which a mounted one has from its snapshot. */
const CHANGE_FILES = ['forcemerge', 'shrink', 'downsample'];

/** Rules of `searchable_snapshot`: one repository, nothing that changes files after it, in `frozen` always. */
function checkMounts(phases: LifecyclePolicy['phases']): void {
  const order = [...PHASES.keys()].filter((name) => Object.hasOwn(phases, name));
  const mounts = order.filter((name) => Object.hasOwn(phases[name]!.actions, 'searchable_snapshot'));
  const repositories = mounts.map((name) =>
    String(phases[name]!.actions['searchable_snapshot']!['snapshot_repository']),
  );
  if (new Set(repositories).size > 1)
    throw errors.illegalArgument(
      `policy specifies [searchable_snapshot] action multiple times with differing repositories ` +
        `[${[...new Set(repositories)].sort().join(', ')}], the same repository must be used for all searchable ` +
        'snapshot actions',
    );
  if (order.includes('frozen') && !mounts.includes('frozen'))
    throw errors.illegalArgument(
      'policy specifies the [frozen] phase without a corresponding [searchable_snapshot] action, but a searchable ' +
        'snapshot action is required in the frozen phase',
    );
  if (mounts.length === 0) return;
  const after = order.slice(order.indexOf(mounts[0]!) + 1);
  const odd = after.filter((name) => CHANGE_FILES.some((action) => Object.hasOwn(phases[name]!.actions, action)));
  if (odd.length > 0)
    throw errors.illegalArgument(
      `phases [${odd.join(',')}] define one or more of [forcemerge, shrink, downsample] actions which are not ` +
        'allowed after a managed index is mounted as a searchable snapshot',
    );
}

function definesRules(allocate: JsonObject | undefined): boolean {
  return ['include', 'exclude', 'require'].some((rule) => Object.keys((allocate?.[rule] ?? {}) as object).length > 0);
}

function checkMigrations(phases: LifecyclePolicy['phases']): void {
  const both = Object.entries(phases).filter(
    ([, { actions }]) => actions['migrate']?.['enabled'] === true && definesRules(actions['allocate']),
  );
  if (both.length === 0) return;
  throw errors.illegalArgument(
    `phases [${both.map(([phase]) => phase).join(',')}] specify an enabled migrate action and an allocate action ` +
      'with allocation rules. specify only a single data migration in each phase',
  );
}

/** Refuses a phase that begins before an earlier one; ages of zero count as not given. */
function checkAges(phases: LifecyclePolicy['phases']): void {
  const ages = [...PHASES.keys()].flatMap((name) => {
    const minAge = ownProperty(phases, name)?.min_age;
    const ms = minAge === undefined ? 0 : parseTimeValue(minAge, 'min_age');
    return ms === 0 ? [] : [{ name, minAge: minAge!, ms }];
  });
  const late = ages.findIndex(({ ms }, i) => ages.slice(i + 1).some((next) => next.ms < ms));
  if (late < 0) return;
  const { name, minAge, ms } = ages[late]!;
  const next = ages.slice(late + 1).filter((one) => one.ms < ms);
  const listed = next.map((one) => `the ${one.name} phase (min_age: ${one.minAge})`).join(' and ');
  throw errors.illegalArgument(
    `Your policy is configured to run ${listed} before the ${name} phase (min_age: ${minAge}). You should change the ` +
      'phase timing so that the phases will execute in the order of hot, warm, then cold.',
  );
}
