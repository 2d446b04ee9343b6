import { errors } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';

/** Processors that a pipeline may have, those that run on failures and within others included. */
const PROCESSORS_MAX = 5_000;
/** Patterns of `grok` and `redact` that it may have: compiling one takes as long as some tens of processors. */
const PATTERNS_MAX = 250;

/** Throws for a pipeline that is too large to be compiled at a stretch, as it is on each node that runs it. */
export function checkPipelineSize(id: string, config: JsonObject): void {
  let [processors, patterns] = [0, 0];
  const waiting: unknown[] = [config];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...value.filter((item) => typeof item === 'object' && item !== null));
    if (!isPlainObject(value)) continue;
    for (const [key, member] of Object.entries(value)) {
      if (typeof member !== 'object' || member === null) continue;
      waiting.push(member);
      if (!Array.isArray(member)) continue;
      if (key === 'processors' || key === 'on_failure') processors += member.length;
      else if (key === 'patterns') patterns += member.length;
    }
  }
  refuse(id, 'processors', processors, PROCESSORS_MAX);
  refuse(id, 'patterns', patterns, PATTERNS_MAX);
}

function refuse(id: string, what: string, count: number, max: number): void {
  if (count > max)
    throw errors.illegalArgument(`pipeline [${id}] has [${count}] ${what}, more than the limit of [${max}]`);
}
