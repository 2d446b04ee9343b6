import { isApiError } from '@shoal/errors';
import { isPlainObject, type JsonObject } from '@shoal/json';
import type { IngestScripts } from './scripts.js';
import type { Pause } from './steps-in-turns.js';

/** A script of a pipeline's body as it is written, with its context. */
type Written = readonly [json: unknown, context: Parameters<IngestScripts['compile']>[1]];

/**
 * Compiles the scripts of a pipeline's body with turns for others between them: a thousand new ones take most of a
 * second. The compilation of the pipeline then finds them in the cache. Faults are left to it: it tells them at their
 * processor.
 */
export async function prepareScripts(body: JsonObject, scripts: IngestScripts, pause: Pause): Promise<void> {
  for (const [json, context] of writtenScripts(body)) {
    try {
      scripts.compile(json, context);
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
    }
    const turn = pause();
    if (turn) await turn;
  }
}

function* writtenScripts(body: JsonObject): Generator<Written> {
  const waiting: unknown[] = [body['processors'], body['on_failure']];
  while (waiting.length > 0) {
    const list = waiting.pop();
    if (!Array.isArray(list)) continue;
    for (const entry of list)
      for (const [type, options] of isPlainObject(entry) ? Object.entries(entry) : []) {
        if (type === 'script') yield [scriptOf(options), 'ingest'];
        if (!isPlainObject(options)) continue;
        if (options['if'] !== undefined) yield [options['if'], 'processor_conditional'];
        waiting.push(options['on_failure'], options['processor'] === undefined ? null : [options['processor']]);
      }
  }
}

/** The options of a processor that are the script's. */
function scriptOf(options: unknown): unknown {
  if (!isPlainObject(options)) return options;
  const { id, source, lang, params, options: own } = options;
  const script = { id, source, lang, params, options: own };
  return Object.fromEntries(Object.entries(script).filter(([, value]) => value !== undefined));
}
