import type { ConfigReader } from '../config-reader.js';
import { isObject } from '../java-values.js';
import type { Step } from '../processor.js';
import type { ProcessorType } from '../processor-type.js';
import type { Template } from '../template.js';

/** Removes fields, or all fields but some. */
export const remove: ProcessorType = {
  name: 'remove',
  parse(config) {
    const removed = templates(config, 'field');
    const kept = templates(config, 'keep');
    if (removed === null && kept === null) throw config.error('keep', 'or [field] must be specified');
    if (removed !== null && kept !== null)
      throw config.error('keep', 'and [field] cannot both be used in the same processor');
    const ignoreMissing = config.boolean('ignore_missing', false);
    return kept === null ? removeStep(removed ?? [], ignoreMissing) : keepStep(kept);
  },
};

/** One template or a list of them; null if the option is absent or empty. */
function templates(config: ConfigReader, name: string): Template[] | null {
  if (!config.has(name)) return null;
  const value = config.value(name);
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  if (list.length === 0) return null;
  return list.map((text) => config.compile(name, config.textOf(name, text)));
}

function removeStep(fields: readonly Template[], ignoreMissing: boolean): Step {
  return (document) => {
    for (const field of fields) {
      const path = field.render(document);
      if (!ignoreMissing || document.has(path)) document.remove(path);
    }
  };
}

function keepStep(fields: readonly Template[]): Step {
  return (document) => {
    const kept = new Set(fields.map((field) => field.render(document)));
    const ways = new Set([...kept].flatMap(beginnings));
    removeOthers(document.source, '', { kept, ways });
  };
}

/** Paths of the objects around a field: `a` and `a.b` for `a.b.c`. */
function beginnings(path: string): string[] {
  const result: string[] = [];
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) result.push(path.slice(0, dot));
  return result;
}

interface Kept {
  readonly kept: ReadonlySet<string>;
  /** Paths that lead to kept ones. */
  readonly ways: ReadonlySet<string>;
}

/** Removes members unless a kept path leads to them or through them. Lists are kept or removed as a whole. */
function removeOthers(object: Record<string, unknown>, prefix: string, { kept, ways }: Kept): void {
  for (const key of Object.keys(object)) {
    const path = prefix + key;
    if (kept.has(path) || beginnings(path).some((name) => kept.has(name))) continue;
    const value = object[key];
    if (!ways.has(path)) delete object[key];
    else if (isObject(value)) removeOthers(value, `${path}.`, { kept, ways });
  }
}
