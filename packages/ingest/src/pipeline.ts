import { type ApiError, errors, isApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import { hashOrder } from '@shoal/values';
import { catalogue } from './catalogue.js';
import { configError, ConfigReader, withProcessor } from './config-reader.js';
import { javaClass } from './java-values.js';
import type { Pipeline, Processor } from './processor.js';
import type { PipelineSite, ProcessorType } from './processor-type.js';
import { processorLabel } from './ingest-stats.js';
import { IngestCounters } from './ingest-counters.js';

/** What compiling needs of its surroundings; the rest of a `PipelineSite` is made here. */
export type CompileSite = Omit<PipelineSite, 'processor'>;

/**
 * Compiles a pipeline from the body of its request. Throws the first error; errors of further processors are its
 * suppressed ones. Source: Elasticsearch's `Pipeline.create` and `ConfigurationUtils.readProcessor`.
 */
export function compilePipeline(id: string, config: JsonObject, site: CompileSite): Pipeline {
  const reader = new ConfigReader(null, null, config);
  const inner: PipelineSite = { ...site, processor: (type, json) => compileProcessor(type, json, inner) };
  reader.optionalString('description');
  reader.optionalInteger('version');
  reader.optionalMap('_meta');
  reader.boolean('deprecated', false);
  const processors = compileAll(reader.list('processors'), inner);
  const onFailureConfigs = reader.optionalList('on_failure');
  const onFailure = compileAll(onFailureConfigs ?? [], inner);
  const unread = reader.unread();
  if (unread.length > 0) {
    const names = unread.join(', ');
    throw errors.parse(`pipeline [${id}] doesn't support one or more provided configuration parameters [${names}]`);
  }
  if (onFailureConfigs !== null && onFailure.length === 0)
    throw errors.parse(`pipeline [${id}] cannot have an empty on_failure option defined`);
  return { id, processors, onFailure, counters: new IngestCounters() };
}

/** Compiles entries `{type: config}`; an entry with several keys is several processors. */
function compileAll(entries: readonly unknown[], site: PipelineSite): Processor[] {
  const processors: Processor[] = [];
  const failures: ApiError[] = [];
  for (const entry of entries) {
    if (!isPlainObject(entry))
      throw errors.classCast(`class ${javaClass(entry)} cannot be cast to class java.util.Map`);
    for (const type of hashOrder(Object.keys(entry))) {
      try {
        processors.push(compileProcessor(type, entry[type], site));
      } catch (thrown) {
        if (!isApiError(thrown)) throw thrown;
        failures.push(thrown);
      }
    }
  }
  const [first, ...others] = failures;
  if (first === undefined) return processors;
  if (others.length > 0) first.suppressed = [...(first.suppressed ?? []), ...others];
  throw first;
}

function configOf(type: string, json: unknown): JsonObject {
  if (json === null) throw configError(type, null, null, `the config of processor [${type}] cannot be null`);
  if (typeof json === 'string' && type === 'script') return { source: json };
  if (isPlainObject(json)) return json;
  throw configError(type, null, null, `property isn't a map, but of type [${javaClass(json)}]`);
}

/** Refuses a condition that is neither a text nor an object. Returns null if there is none. */
function conditionOf(json: unknown): unknown {
  if (json === undefined || json === null || typeof json === 'string' || isPlainObject(json)) return json ?? null;
  const reason = `property isn't a map or string, but of type [${javaClass(json)}]`;
  throw configError('conditional', null, 'script', reason);
}

function compileProcessor(type: string, json: unknown, site: PipelineSite): Processor {
  const {
    tag: tagJson,
    description: text,
    ignore_failure: ignore,
    if: test,
    on_failure,
    ...own
  } = configOf(type, json);
  const tag = new ConfigReader(null, null, { tag: tagJson }).optionalString('tag');
  const common = new ConfigReader(null, tag, { description: text, ignore_failure: ignore, on_failure });
  const description = common.optionalString('description');
  const ignoreFailure = common.boolean('ignore_failure', false);
  const condition = conditionOf(test);
  const row = catalogue.get(type);
  if (row === undefined) throw configError(type, tag, null, `No processor type exists with name [${type}]`);
  const onFailureConfigs = common.optionalList('on_failure');
  const onFailure = compileAll(onFailureConfigs ?? [], site);
  if (onFailureConfigs !== null && onFailure.length === 0)
    throw configError(type, tag, 'on_failure', 'processors list cannot be empty');
  const compiled = compileOwn(row, { tag, own, condition }, site);
  const label = processorLabel({ type, tag }, own);
  return { type, tag, description, label, ignoreFailure, onFailure, counters: new IngestCounters(), ...compiled };
}

interface OwnOptions {
  readonly tag: string | null;
  readonly own: JsonObject;
  readonly condition: unknown;
}

/** Compiles what a processor does. All errors get its header fields. */
function compileOwn(row: ProcessorType, { tag, own, condition }: OwnOptions, site: PipelineSite) {
  try {
    const reader = new ConfigReader(row.name, tag, own, site.scripts.templates);
    const step = row.parse(reader, site);
    reader.finish();
    return { step, condition: condition === null ? null : site.scripts.compile(condition, 'processor_conditional') };
  } catch (thrown) {
    throw withProcessor(thrown, row.name, tag, null);
  }
}
