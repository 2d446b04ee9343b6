import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import type { Mapping } from '@shoal/mapping';
import { type FlatSettings, type IndexMetadata, indexSetting, isTimeSeries, timeWindow } from '@shoal/state';
import { parseTimeValue } from '@shoal/values';
import type { TaskContext } from '../tasks/task.js';
import type { Composition } from '../templates/compose.js';

const START = 'index.time_series.start_time';
const END = 'index.time_series.end_time';
const PATH = 'index.routing_path';

/** Windows begin and end with a second. */
const wholeSecond = (ms: number): number => Math.floor(ms / 1000) * 1000;

const reachMs = (settings: FlatSettings, name: string): number =>
  parseTimeValue(String(indexSetting(settings, name)), name);

/** Returns how far the window of an index reaches into the future, in milliseconds (`index.look_ahead_time`). */
export const lookAheadMs = (settings: FlatSettings): number => reachMs(settings, 'index.look_ahead_time');

/** A time as `end_time` has it, at a whole second. */
export const boundText = (ms: number): string => new Date(wholeSecond(ms)).toISOString();

/** The window of the first backing index is around now; the next one begins where that of the last one ends. */
function windowOf(settings: FlatSettings, previous: IndexMetadata | null, nowMs: number): FlatSettings {
  const aheadMs = lookAheadMs(settings);
  if (previous === null || !isTimeSeries(previous))
    return {
      [START]: boundText(nowMs - reachMs(settings, 'index.look_back_time')),
      [END]: boundText(nowMs + aheadMs),
    };
  if (previous.settings[END] === undefined)
    throw errors.illegalState(`backing index [${previous.name}] in tsdb mode doesn't have the [${END}] index setting`);
  const startMs = timeWindow(previous.settings).endMs;
  return { [START]: boundText(startMs), [END]: boundText(Math.max(startMs, nowMs) + aheadMs) };
}

/** The paths of a dynamic template whose fields are keywords that tell time series apart. */
function templatePaths(template: unknown): readonly string[] {
  if (!isPlainObject(template)) return [];
  const { mapping, path_match: paths } = template;
  if (!isPlainObject(mapping) || mapping['type'] !== 'keyword' || mapping['time_series_dimension'] !== true) return [];
  return typeof paths === 'string' ? [paths] : Array.isArray(paths) ? paths.map(String) : [];
}

/** Returns the keyword fields of a mapping that tell time series apart, those of dynamic templates as patterns. */
function routingPathOf(mapping: Mapping): readonly string[] {
  const fields = mapping.fields.filter(({ isDimension, typeName }) => isDimension && typeName === 'keyword');
  const templates = (mapping.toJson()['dynamic_templates'] ?? []) as readonly Record<string, unknown>[];
  const patterns = templates.flatMap((named) => Object.values(named).flatMap(templatePaths));
  return [...fields.map(({ name }) => name), ...patterns];
}

function mappingOf(composition: Composition, context: TaskContext): Mapping {
  const { 'index.mode': _mode, ...settings } = composition.settings;
  const options = context.mappings.options(settings);
  const [first = {}, ...rest] = composition.mappings;
  return rest.reduce(
    (merged, next) => context.mappings.merge(merged, next, options, 'template'),
    context.mappings.parse(first, options),
  );
}

/**
 * Adds what templates of time series leave open to a composition: the window of the next backing index, and a routing
 * path of all keyword dimensions. `previous` is the last backing index, null for a new data stream. Templates win.
 */
export function withSeriesSettings(
  composition: Composition,
  previous: IndexMetadata | null,
  context: TaskContext,
): Composition {
  const { settings } = composition;
  if (!isTimeSeries({ settings })) return composition;
  const path = settings[PATH] === undefined ? routingPathOf(mappingOf(composition, context)) : [];
  const added = {
    ...windowOf(settings, previous, context.nowMs),
    ...(path.length === 0 ? {} : { [PATH]: [...path] }),
  };
  return { ...composition, settings: { ...added, ...settings } };
}
