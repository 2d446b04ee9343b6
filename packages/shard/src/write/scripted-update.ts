import { errors, isApiError } from '@shoal/errors';
import { readSource } from '@shoal/json';
import { compile, type CompiledScript, type InlineScript, isInline, type ScriptSource } from '@shoal/script';

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
function run(script: ScriptSource, ctx: Record<string, unknown>, nowMs: number): void {
  const ready = compiled(script);
  try {
    ready.call([script.params, ctx, nowMs]);
  } catch (error) {
    throw isApiError(error) && error.type === 'script_exception' ? failed(error) : error;
  }
}

/** Operations that a script may leave in `ctx.op`; any other one does nothing. */
const OPERATIONS: ReadonlyMap<unknown, ScriptedUpdate['kind']> = new Map([
  ['index', 'write'],
  ['create', 'write'],
  ['delete', 'delete'],
]);

/**
 * Runs the script of an update over a document's source, which is the upsert document (`create`) or the indexed one
 * (`index`). Metadata that the script changes has no effect, except the operation.
 */
export function runUpdateScript(
  script: ScriptSource,
  source: Uint8Array,
  op: 'index' | 'create',
  metadata: UpdateMetadata,
): ScriptedUpdate {
  const ctx: Record<string, unknown> = {
    _index: metadata.index,
    _id: metadata.id,
    ...(metadata.version === null ? {} : { _version: metadata.version }),
    ...(metadata.routing === null ? {} : { _routing: metadata.routing }),
    _now: metadata.nowMs,
    op,
    _source: readSource(source),
  };
  run(script, ctx, metadata.nowMs);
  const document = ctx['_source'];
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw errors.illegalArgument('failed to execute script', {
      cause: errors.classCast('_source is no map after the script has run'),
    });
  return { kind: OPERATIONS.get(ctx['op']) ?? 'noop', document: document as Record<string, unknown> };
}
