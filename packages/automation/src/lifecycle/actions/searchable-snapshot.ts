import { errors } from '@shoal/errors';
import { bodyReader, type JsonObject } from '@shoal/json';
import {
  type IndexMetadata,
  isMounted,
  isPartiallyMounted,
  type LifecycleExecution,
  MOUNTED,
  section,
} from '@shoal/state';
import { withSettings } from '../effects.js';
import { DONE, type LifecycleActionType, type Step, type StepView, type Verdict } from '../step.js';
import {
  copyExecution,
  deleteTarget,
  exchange,
  type ReplacementSteps,
  sourceGone,
  targetOf,
  targetWhole,
} from './replacement.js';
import { waitForSeriesEnd } from './series-end.js';
import { checkNotWriteIndex } from './write-index.js';

const STEPS: ReplacementSteps = { cleanUp: 'cleanup-mounted-index', check: 'swap-aliases-check' };
/** Beginnings of the names of mounted indices. */
const PREFIX = { full: 'restored-', partial: 'partial-' } as const;

/** Whether the phase mounts through the cache: only `frozen` does. */
const wantsPartial = ({ execution }: StepView): boolean => execution.phase === 'frozen';

const repositoryOf = (options: JsonObject): string => String(options['snapshot_repository']);

/** Whether the index is mounted already, from a snapshot of the repository. */
const isFrom = (meta: IndexMetadata, repository: string): boolean =>
  isMounted(meta) && meta.settings[MOUNTED.repository] === repository;

function checkPrerequisites(view: StepView, options: JsonObject): Verdict {
  const { state, meta, policy } = view;
  const repository = repositoryOf(options);
  if (isFrom(meta, repository) && isPartiallyMounted(meta) === wantsPartial(view)) return { kind: 'skip' };
  if (Object.hasOwn(section(state, 'repositories'), repository)) return DONE;
  return {
    kind: 'fail',
    reason:
      `repository [${repository}] is missing. [${policy}] policy for index [${meta.name}] cannot continue until the ` +
      'repository is created or the policy is changed',
  };
}

/** Name of a snapshot: the day, the index, the policy and the time. Characters that a name must not have become `_`. */
function snapshotName({ meta, policy, nowMs }: StepView): string {
  const day = new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '.');
  return `${day}-${meta.name}-${policy}-${nowMs.toString(36)}`.toLowerCase().replace(/[\s,#\\/*?"<>|]/g, '_');
}

/** Chooses the snapshot: the one that the index is mounted from, or a new one. The name is the same for each master. */
function chooseNames(view: StepView, options: JsonObject): Verdict {
  const { meta, execution } = view;
  const repository = repositoryOf(options);
  const origin = isMounted(meta) ? String(meta.settings[MOUNTED.index]) : meta.name;
  const names: Partial<LifecycleExecution> = {
    shrinkIndexName: `${wantsPartial(view) ? PREFIX.partial : PREFIX.full}${origin}`,
    snapshotRepository: repository,
  };
  if (isFrom(meta, repository))
    return {
      kind: 'done',
      changes: { ...names, snapshotName: String(meta.settings[MOUNTED.snapshot]), snapshotIndexName: origin },
    };
  const isChosen = execution.snapshotRepository === repository && execution.snapshotIndexName === meta.name;
  return {
    kind: 'done',
    changes: {
      ...names,
      snapshotName: (isChosen && execution.snapshotName) || snapshotName(view),
      snapshotIndexName: meta.name,
    },
  };
}

function takeSnapshot({ meta, execution }: StepView, options: JsonObject): Verdict {
  if (isFrom(meta, repositoryOf(options))) return DONE;
  return {
    kind: 'effect',
    effect: { kind: 'snapshot', repository: execution.snapshotRepository!, snapshot: execution.snapshotName! },
  };
}

/** Whether an index is mounted from the chosen snapshot: one that only has the name of the target replaces nothing. */
const isChosenOne = ({ settings }: IndexMetadata, { execution }: StepView): boolean =>
  settings[MOUNTED.repository] === execution.snapshotRepository &&
  settings[MOUNTED.snapshot] === execution.snapshotName &&
  settings[MOUNTED.index] === execution.snapshotIndexName;

function mountTarget(view: StepView): Verdict {
  const { execution } = view;
  const target = targetOf(view);
  if (target !== null && isChosenOne(target, view)) return DONE;
  if (target !== null)
    return {
      kind: 'fail',
      reason: `index [${target.name}] exists and is not mounted from the snapshot [${execution.snapshotName}]`,
    };
  return {
    kind: 'effect',
    effect: {
      kind: 'mount',
      repository: execution.snapshotRepository!,
      snapshot: execution.snapshotName!,
      index: execution.snapshotIndexName!,
      target: execution.shrinkIndexName!,
      isPartial: wantsPartial(view),
    },
  };
}

const merging = (options: JsonObject): readonly Step[] =>
  options['force_merge_index'] === false
    ? []
    : [
        {
          name: 'forcemerge',
          decide: ({ meta }) =>
            isMounted(meta) ? DONE : { kind: 'effect', effect: { kind: 'force-merge', segmentsMax: 1 } },
        },
      ];

/** Takes a snapshot of the index, and puts an index that is mounted from it in its place. */
export const searchableSnapshot: LifecycleActionType = {
  name: 'searchable_snapshot',
  parse(options) {
    const reader = bodyReader('searchable_snapshot', options);
    reader.onlyKeys(['snapshot_repository', 'force_merge_index']);
    const repository = reader.text('snapshot_repository');
    if (repository === '') throw errors.illegalArgument('the snapshot repository must be specified');
    return { snapshot_repository: repository, force_merge_index: reader.optionalBoolean('force_merge_index') ?? true };
  },
  steps: (options) => [
    {
      name: 'branch-searchable-snapshot-check-prerequisites',
      decide: (view) => checkPrerequisites(view, options),
    },
    checkNotWriteIndex,
    waitForSeriesEnd('searchable_snapshot'),
    { name: 'readonly', decide: ({ meta }) => withSettings(meta, { 'index.blocks.write': 'true' }) },
    ...merging(options),
    { name: STEPS.cleanUp, decide: deleteTarget },
    { name: 'generate-snapshot-name', decide: (view) => chooseNames(view, options) },
    { name: 'create-snapshot', decide: (view) => takeSnapshot(view, options) },
    { name: 'mount-snapshot', decide: mountTarget },
    targetWhole(STEPS),
    { name: 'copy-execution-state', decide: (view) => copyExecution(view, STEPS) },
    { name: 'aliases', decide: (view) => exchange(view, STEPS) },
    sourceGone(STEPS.check, ({ settings }) => settings[MOUNTED.index] as string | undefined),
  ],
  describe: (options) =>
    `takes a snapshot in [${repositoryOf(options)}] and puts an index that is mounted from it in place of the index`,
};
