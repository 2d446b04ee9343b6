import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';

/** Processors that a pipeline may have, those that run on failures and within others included. */
const PROCESSORS_MAX = 5_000;
/** Patterns of `grok` and `redact` that it may have: compiling one takes as long as some tens of processors. */
const PATTERNS_MAX = 250;

/** Throws for the body of a pipeline that is too large to be compiled at a stretch, as each node that runs it does. */
export function checkPipelineSize(id: string, config: JsonObject): void {
  let [processors, patterns] = [0, 0];
  const waiting: unknown[] = [config['processors'], config['on_failure']];
  while (waiting.length > 0) {
    const list = waiting.pop();
    if (!Array.isArray(list)) continue;
    processors += list.length;
    for (const entry of list) {
      if (!isPlainObject(entry)) continue;
      for (const options of Object.values(entry)) {
        if (!isPlainObject(options)) continue;
        if (Array.isArray(options['patterns'])) patterns += options['patterns'].length;
        waiting.push(options['on_failure'], options['processor'] === undefined ? null : [options['processor']]);
      }
    }
  }
  refuse(id, 'processors', processors, PROCESSORS_MAX);
  refuse(id, 'patterns', patterns, PATTERNS_MAX);
}

function refuse(id: string, what: string, count: number, max: number): void {
  if (count > max)
    throw errors.illegalArgument(`pipeline [${id}] has [${count}] ${what}, more than the limit of [${max}]`);
}
