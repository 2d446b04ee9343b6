import { errors } from '@shoal/errors';
import { setOwn } from '@shoal/json';
import type { IngestDocument } from '../document.js';
import { isObject, javaClass } from '../java-values.js';
import type { IngestRun, Pending, Processor } from '../processor.js';
import type { PipelineSite, ProcessorType } from '../processor-type.js';
import { runProcessor, settle } from '../run.js';

/** Runs a processor on each item of a list, or each member of an object: `_ingest._value`, and its `_ingest._key`. */
export const foreach: ProcessorType = {
  name: 'foreach',
  parse(config, site) {
    const field = config.string('field');
    const ignoreMissing = config.boolean('ignore_missing', false);
    const processor = innerProcessor(config.map('processor'), site);
    if (processor === null) throw config.error('processor', 'Must specify exactly one processor type');
    return (document, outer) => {
      const run = { ...outer, trace: null };
      const value = document.get(field, ignoreMissing);
      if (Array.isArray(value)) return overList({ field, processor, document, run }, value);
      if (isObject(value)) return overObject({ field, processor, document, run }, value);
      if (value !== null && value !== undefined) {
        throw errors.illegalArgument(`field [${field}] of type [${javaClass(value)}] cannot be cast to a list or map`);
      }
      if (!ignoreMissing) throw errors.illegalArgument(`field [${field}] is null, cannot loop over its elements.`);
    };
  },
};

function innerProcessor(config: Readonly<Record<string, unknown>>, site: PipelineSite): Processor | null {
  const [type, ...others] = Object.keys(config);
  return type === undefined || others.length > 0 ? null : site.processor(type, config[type] ?? null);
}

interface Loop {
  readonly field: string;
  readonly processor: Processor;
  readonly document: IngestDocument;
  readonly run: IngestRun;
}

function overList({ field, processor, document, run }: Loop, list: readonly unknown[]): Pending {
  const results: unknown[] = [];
  return each(list, { document, run }, (value) => {
    const outer = document.ingest['_value'] ?? null;
    document.ingest['_value'] = value;
    const take = (): void => {
      results.push(document.ingest['_value']);
      document.ingest['_value'] = outer;
      if (results.length === list.length && !document.isDropped) document.set(field, results);
    };
    return settle(() => runProcessor(processor, document, run), take);
  });
}

function overObject({ field, processor, document, run }: Loop, object: Record<string, unknown>): Pending {
  const results: Record<string, unknown> = {};
  const keys = Object.keys(object);
  let done = 0;
  return each(keys, { document, run }, (key) => {
    const { ingest } = document;
    const outerKey = ingest['_key'] ?? null;
    const outer = ingest['_value'] ?? null;
    ingest['_key'] = key;
    ingest['_value'] = object[key];
    const take = (): void => {
      const newKey = ingest['_key'];
      if (typeof newKey === 'string' && newKey.trim() !== '') setOwn(results, newKey, ingest['_value']);
      ingest['_key'] = outerKey;
      ingest['_value'] = outer;
      done++;
      if (done === keys.length && !document.isDropped) document.set(field, results);
    };
    return settle(() => runProcessor(processor, document, run), take);
  });
}

/** Runs a function on items one after another until the document is dropped. */
function each<T>(
  items: readonly T[],
  { document, run }: Pick<Loop, 'document' | 'run'>,
  work: (item: T) => Pending,
  from = 0,
): Pending {
  for (let i = from; i < items.length && !document.isDropped; i++) {
    const pause = run.pause();
    if (pause) return pause.then(() => each(items, { document, run }, work, i));
    document.countItem();
    const pending = work(items[i]!);
    if (pending) return pending.then(() => each(items, { document, run }, work, i + 1));
  }
}
