import { downsampleStatus } from '@shoal/cluster';
import { errors } from '@shoal/errors';
import { bodyReader, type JsonObject } from '@shoal/json';
import { type IndexMetadata, isTimeSeries } from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
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

const STEPS: ReplacementSteps = { cleanUp: 'cleanup-downsample-index', check: 'downsampled-index-check' };
const SOURCE = 'index.downsample.source.name';

/** Whether the index holds buckets of this length already. */
function isDownsampled({ settings }: IndexMetadata, interval: string): boolean {
  return settings['index.downsample.interval'] === interval;
}

function firstStep(interval: string): Step {
  return {
    name: 'branch-downsample-check-prerequisites',
    decide: ({ meta }) => (isTimeSeries(meta) && !isDownsampled(meta, interval) ? DONE : { kind: 'skip' }),
  };
}

function downsampled(view: StepView, interval: string): Verdict {
  const target = targetOf(view);
  if (target !== null && downsampleStatus(target) === 'success') return DONE;
  return { kind: 'effect', effect: { kind: 'downsample', target: view.execution.shrinkIndexName!, interval } };
}

/** Makes an index with one document for each time series and interval, and puts it in the place of the index. */
export const downsampleAction: LifecycleActionType = {
  name: 'downsample',
  parse(options) {
    const reader = bodyReader('downsample', options);
    reader.onlyKeys(['fixed_interval', 'wait_timeout']);
    const interval = reader.text('fixed_interval');
    if (parseTimeValue(interval, 'fixed_interval') <= 0)
      throw errors.illegalArgument(`[fixed_interval] must be greater than 0 but was [${interval}]`);
    const timeout = reader.optionalText('wait_timeout');
    if (timeout !== null) parseTimeValue(timeout, 'wait_timeout');
    return { fixed_interval: interval, ...(timeout === null ? {} : { wait_timeout: timeout }) };
  },
  steps(options: JsonObject) {
    const interval = String(options['fixed_interval']);
    return [
      firstStep(interval),
      checkNotWriteIndex,
      waitForSeriesEnd('downsample'),
      { name: 'readonly', decide: ({ meta }) => withSettings(meta, { 'index.blocks.write': 'true' }) },
      { name: STEPS.cleanUp, decide: deleteTarget },
      {
        name: 'generate-downsampled-index-name',
        decide: ({ meta }) => ({ kind: 'done', changes: { shrinkIndexName: `downsample-${interval}-${meta.name}` } }),
      },
      { name: 'downsample', decide: (view) => downsampled(view, interval) },
      targetWhole(STEPS),
      { name: 'copy-execution-state', decide: (view) => copyExecution(view, STEPS) },
      { name: 'aliases', decide: (view) => exchange(view, STEPS) },
      sourceGone(STEPS.check, ({ settings }) => settings[SOURCE] as string | undefined),
    ];
  },
  describe: (options) => `makes one document of each time series and [${String(options['fixed_interval'])}]`,
};
