import type { ProcessorType } from '../processor-type.js';
import { documentContext, takeContext } from '../script-context.js';

const OPTIONS = ['id', 'source', 'inline', 'lang', 'params', 'options'];

/** Runs a script on the document, which it sees as `ctx`. */
export const script: ProcessorType = {
  name: 'script',
  parse(config, { scripts }) {
    const json = Object.fromEntries(
      OPTIONS.filter((name) => config.has(name)).map((name) => [name, config.optional(name)]),
    );
    const compiled = scripts.compile(json, 'ingest');
    return (document) => {
      const ctx = documentContext(document);
      compiled.call(ctx, document.startedAt);
      takeContext(document, ctx);
    };
  },
};
