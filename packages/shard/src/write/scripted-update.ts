import { errors, isApiError } from '@shoal/errors';
import { readSource } from '@shoal/json';
import {
  compile,
  type CompiledScript,
  type InlineScript,
  isInline,
  type ScriptSource,
  WriteContext,
} from '@shoal/script';

/** What a script made of a document. */
export type ScriptedUpdate =
  | { readonly kind: 'write' | 'noop'; readonly document: Record<string, unknown> }
  | { readonly kind: 'delete'; readonly document: Record<string, unknown> };

/** Metadata that a script sees beside the source. */
export interface UpdateMetadata {
  readonly index: string;
  readonly id: string;
  readonly version: number | null;
  readonly routing: string | null;
  readonly nowMs: number;
}

/** The coordinator has replaced stored scripts by their text: one that is left does not exist. */
function inline(script: ScriptSource): InlineScript {
  if (isInline(script)) return script;
  throw errors.resourceNotFound(`unable to find script [${script.id}] in cluster state`);
}

function failed(error: unknown): unknown {
  return isApiError(error) ? errors.illegalArgument('failed to execute script', { cause: error }) : error;
}

function compiled(script: ScriptSource): CompiledScript {
  try {
    return compile(inline(script), 'update');
  } catch (error) {
    throw failed(error);
  }
}

/** Runs a script. What it leaves in the document may be refused too, by an error that is not the script's. */
function run(script: ScriptSource, ctx: WriteContext, nowMs: number): void {
  const ready = compiled(script);
  try {
    ready.call([script.params, ctx, nowMs]);
  } catch (error) {
    throw isApiError(error) && error.type === 'script_exception' ? failed(error) : error;
  }
}

const KINDS: Readonly<Record<string, ScriptedUpdate['kind']>> = { index: 'write', create: 'write', delete: 'delete' };

/**
 * Runs the script of an update over a document's source, which is the upsert document (`create`) or the indexed one
 * (`index`). Of the metadata a script may change the operation alone.
 */
export function runUpdateScript(
  script: ScriptSource,
  source: Uint8Array,
  op: 'index' | 'create',
  metadata: UpdateMetadata,
): ScriptedUpdate {
  const given = {
    _index: metadata.index,
    _id: metadata.id,
    _type: '_doc',
    _version: metadata.version,
    _routing: metadata.routing,
    _now: metadata.nowMs,
    op,
  };
  const ctx = new WriteContext(op === 'index' ? 'update' : 'upsert', given, readSource(source));
  run(script, ctx, metadata.nowMs);
  return { kind: KINDS[ctx.operation] ?? 'noop', document: ctx.source as Record<string, unknown> };
}
