import { isPlainObject, readSource, setOwn, stringify } from '@shoal/json';
import { errors, isApiError } from '@shoal/errors';
import { allowedScripts, checkScriptType, type ScriptType, type StoredScript } from '@shoal/script';
import { type ClusterState, sectionEntry } from '@shoal/state';
import { encodeUtf8 } from '../json-bytes.js';
import type { WriteOperation } from './write-request.js';

const SCRIPT_KEY = Buffer.from('"script"');
const ID_KEY = Buffer.from('"id"');
const ESCAPE = Buffer.from('\\u');

/** Whether a body may have a stored script. Most updates have a document, of which this reads the bytes only. */
function mayNameScript(source: Uint8Array): boolean {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  if (allowedScripts().types !== null) return bytes.includes(SCRIPT_KEY) || bytes.includes(ESCAPE);
  return bytes.includes(SCRIPT_KEY) && (bytes.includes(ID_KEY) || bytes.includes(ESCAPE));
}

function checkType(type: ScriptType): void {
  try {
    checkScriptType(type);
  } catch (error) {
    throw isApiError(error) ? errors.illegalArgument('failed to execute script', { cause: error }) : error;
  }
}

/**
 * Returns an update whose stored script is replaced by its text, because shards do not know the cluster state. The
 * operation itself if it names no script that there is: its shard then refuses it. Throws for a script whose text comes
 * from where the node allows none.
 */
export function withStoredScript(state: ClusterState, operation: WriteOperation): WriteOperation {
  if (operation.op !== 'update' || !mayNameScript(operation.source)) return operation;
  const body = readSource(operation.source);
  const script = body['script'];
  const isWritten = typeof script === 'string' || (isPlainObject(script) && script['id'] === undefined);
  if (script !== undefined) checkType(isWritten ? 'inline' : 'stored');
  if (!isPlainObject(script) || typeof script['id'] !== 'string' || script['lang'] !== undefined) return operation;
  const stored = sectionEntry(state, 'storedScripts', script['id']) as StoredScript | undefined;
  if (stored === undefined || script['source'] !== undefined) return operation;
  const { id: _id, ...rest } = script;
  setOwn(body, 'script', { ...rest, ...stored });
  return { ...operation, source: encodeUtf8(stringify(body)) };
}
