import { errors } from '@shoal/errors';
import { isPlainObject } from '@shoal/json';
import {
  checkScriptType,
  compile,
  type CompiledScript,
  type InlineScript,
  isInline,
  readScript,
  readOnlyView,
  type ScriptSource,
} from '@shoal/script';
import type { TemplateCompiler } from './template.js';

/** A script of a pipeline, compiled, with its parameters. */
export interface IngestScript {
  /** Its text or the id of the stored script; `_simulate` shows it. */
  readonly text: string;
  /**
   * Runs with the fields and metadata of a document under their names. `startedAt`: when its pipelines began. Throws
   * script_exception.
   */
  call(ctx: Record<string, unknown>, startedAt?: string): unknown;
}

/** Compiler of the scripts of pipelines. */
export interface IngestScripts {
  /**
   * Compiles a script as a request writes it: a text, or an object with `source` or `id`. A script of the context
   * `ingest` changes its `ctx` in place; a condition may not. Throws script_exception, and resource_not_found_exception
   * for a stored script that is not there.
   */
  compile(json: unknown, context: 'ingest' | 'processor_conditional'): IngestScript;
  /** Compiles templates with more than variables. */
  readonly templates: TemplateCompiler;
}

/** Bodies of stored scripts by id, as the cluster state keeps them. */
export type StoredScripts = Readonly<Record<string, unknown>>;

/** Makes the compiler for scripts and stored scripts. `stored`: those that there are now. */
export function createScripts(stored: () => StoredScripts): IngestScripts {
  return {
    compile(json, context) {
      const source = readScript(json);
      checkScriptType(isInline(source) ? 'inline' : 'stored');
      const compiled = compiledNow(source, context, stored);
      compiled();
      const run: IngestScript['call'] = (ctx, startedAt) => compiled().call([source.params, ctx, startedAt]);
      const text = source.source ?? source.id ?? '';
      return { text, call: context === 'ingest' ? run : readOnly(run, () => inline(source, stored).source) };
    },
    templates(text, mediaType) {
      const options = { content_type: mediaType };
      const script = { lang: 'mustache', source: text, id: null, params: {}, options };
      checkScriptType('inline');
      const template = compile(script, 'ingest_template');
      return (model) => String(template.call([model]));
    },
  };
}

/** Returns a function that gives the compiled form; that of a stored script changes with it. */
function compiledNow(source: ScriptSource, context: string, stored: () => StoredScripts): () => CompiledScript {
  if (isInline(source)) {
    const compiled = compile(source, context);
    return () => compiled;
  }
  return () => compile(inline(source, stored), context);
}

function inline(source: ScriptSource, stored: () => StoredScripts): InlineScript {
  if (isInline(source)) return source;
  const scripts = stored();
  const body = Object.hasOwn(scripts, source.id ?? '') ? scripts[source.id ?? ''] : null;
  if (!isPlainObject(body)) throw errors.resourceNotFound(`unable to find script [${source.id}] in cluster state`);
  return { ...source, lang: String(body['lang']), source: String(body['source']) };
}

/** Methods that change nothing, of those that conditions call most. */
const READING: ReadonlySet<string> = new Set([
  ...['get', 'getOrDefault', 'containsKey', 'containsValue', 'contains', 'isEmpty', 'size', 'length', 'indexOf'],
  ...['equals', 'equalsIgnoreCase', 'startsWith', 'endsWith', 'lastIndexOf', 'toLowerCase', 'toUpperCase', 'trim'],
  ...['substring', 'charAt', 'matches', 'find', 'matcher', 'toString', 'compareTo', 'hashCode'],
]);
const ASSIGNMENT = /(?<![=!<>])=(?![=~])|\+\+|--|->|::/;
const METHOD = /\.\s*(\w+)\s*\(/g;

/** Whether the text of a script shows that it changes nothing. Often false for one that does not. */
export function onlyReads(source: string): boolean {
  if (ASSIGNMENT.test(source)) return false;
  for (const [, name] of source.matchAll(METHOD)) if (!READING.has(name!)) return false;
  return true;
}

/**
 * Runs a condition so that it cannot change the document: on a view, unless its text shows that it only reads.
 */
function readOnly(run: IngestScript['call'], textOf: () => string): IngestScript['call'] {
  return (ctx) => run(onlyReads(textOf()) ? ctx : (readOnlyView(ctx) as Record<string, unknown>));
}
