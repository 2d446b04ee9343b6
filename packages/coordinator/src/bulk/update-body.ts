import { errors } from '@shoal/errors';
import {
  booleanField,
  type DeclaredField,
  isPlainObject,
  longField,
  objectField,
  parseJson,
  readFields,
} from '@shoal/json';
import { withPositions } from '../error-position.js';
import { tokenName } from '../token-names.js';

/** Members of the body of an update that matter before it is sent to the shard. */
export interface UpdateShape {
  readonly hasDoc: boolean;
  readonly hasScript: boolean;
  readonly docAsUpsert: boolean;
  readonly hasUpsert: boolean;
}

const flag = booleanField;
const document = objectField((value) => value);
/** Fields that the shard parses are only looked at. */
const seen = (...tokens: string[]): DeclaredField<unknown> => ({ tokens, read: (value) => value });

const FIELDS = {
  script: seen('START_OBJECT', 'VALUE_STRING'),
  scripted_upsert: flag,
  upsert: document,
  doc: document,
  doc_as_upsert: flag,
  detect_noop: flag,
  _source: seen('START_OBJECT', 'START_ARRAY', 'VALUE_BOOLEAN', 'VALUE_STRING'),
  if_seq_no: longField,
  if_primary_term: longField,
};

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
  const { doc, script, doc_as_upsert, upsert } = withPositions(bytes, body, () =>
    readFields('UpdateRequest', body, FIELDS),
  );
  return {
    hasDoc: doc !== undefined,
    hasScript: script !== undefined,
    docAsUpsert: doc_as_upsert === true,
    hasUpsert: upsert !== undefined,
  };
}
