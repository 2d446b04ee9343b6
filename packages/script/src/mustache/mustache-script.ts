import { errors } from '@shoal/errors';
import type { BoundScript, CompiledScript } from '../compiled-script.js';
import type { InlineScript } from '../script-source.js';
import { compileTemplate } from './compile-template.js';

/** Contexts in which templates run. Both take parameters and return a text. */
export const TEMPLATE_CONTEXTS: readonly string[] = ['ingest_template', 'template'];

const USES = { fields: [], variables: new Set<string>(), isDeterministic: true };

/**
 * Compiles a template as a script. Throws script_exception, and illegal_argument_exception for contexts that take no
 * templates and for content types without a way to escape.
 */
export function compileMustache({ source, options }: InlineScript, context: string): CompiledScript {
  if (!TEMPLATE_CONTEXTS.includes(context))
    throw errors.illegalArgument(`mustache engine does not know how to handle context [${context}]`);
  const template = compileTemplate(source, { mediaType: options['content_type'] });
  const call = ([params]: readonly unknown[]): string => template.render(params as Readonly<Record<string, unknown>>);
  const each: BoundScript['each'] = (frame, count, _move, put) => {
    for (let run = 0; run < count; run++) put(run, call(frame));
  };
  return { uses: USES, call, bind: () => ({ cells: [], call, each, madeBytes: 0 }) };
}
