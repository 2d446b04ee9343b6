import { errors, notBoolean } from '@shoal/errors';
import { isPlainObject, parseJson } from '@shoal/json';
import { didYouMean } from '@shoal/values';
import { withPositions } from '../error-position.js';
import { tokenName } from '../token-names.js';

/** Members of the body of an update that matter before it is sent to the shard. */
export interface UpdateShape {
  readonly hasDoc: boolean;
  readonly hasScript: boolean;
  readonly docAsUpsert: boolean;
  readonly hasUpsert: boolean;
}

const KEYS = [
  'script',
  'scripted_upsert',
  'upsert',
  'doc',
  'doc_as_upsert',
  'detect_noop',
  '_source',
  'if_seq_no',
  'if_primary_term',
];

function unknownField(name: string): string {
  const hint = didYouMean(name, KEYS);
  return `[UpdateRequest] unknown field [${name}]${hint}`;
}

function checkKey(body: Readonly<Record<string, unknown>>, key: string): void {
  const value = body[key];
  if (!KEYS.includes(key))
    throw errors.xContentParse(unknownField(key), { location: { container: body, key, at: 'key' } });
  if ((key === 'doc' || key === 'upsert') && !isPlainObject(value)) {
    throw errors.xContentParse(`[UpdateRequest] ${key} doesn't support values of type: ${tokenName(value)}`, {
      location: { container: body, key },
    });
  }
  if (key === 'doc_as_upsert' || key === 'detect_noop' || key === 'scripted_upsert') checkFlag(body, key, value);
}

function checkFlag(body: Readonly<Record<string, unknown>>, key: string, value: unknown): void {
  if (typeof value !== 'boolean' && typeof value !== 'string')
    throw errors.xContentParse(`[UpdateRequest] ${key} doesn't support values of type: ${tokenName(value)}`, {
      location: { container: body, key },
    });
  if (typeof value === 'string' && value !== 'true' && value !== 'false') {
    const cause = notBoolean(value);
    throw errors.xContentParse(`[UpdateRequest] failed to parse field [${key}]`, {
      location: { container: body, key },
      cause,
    });
  }
}

/** Whether the body of an update says which part of the document is answered. */
export function selectsSource(bytes: Uint8Array): boolean {
  const body = parseJson(bytes);
  return isPlainObject(body) && body['_source'] !== undefined;
}

/** Checks the body of an update. The shard parses it again. */
export function inspectUpdate(bytes: Uint8Array): UpdateShape {
  const body = parseJson(bytes);
  if (!isPlainObject(body)) {
    throw errors.parsing(`Expected [START_OBJECT] but found [${tokenName(body)}]`, { meta: { line: 1, col: 1 } });
  }
  withPositions(bytes, body, () => {
    for (const key of Object.keys(body)) checkKey(body, key);
  });
  return {
    hasDoc: body['doc'] !== undefined,
    hasScript: body['script'] !== undefined,
    docAsUpsert: body['doc_as_upsert'] === true || body['doc_as_upsert'] === 'true',
    hasUpsert: body['upsert'] !== undefined,
  };
}
