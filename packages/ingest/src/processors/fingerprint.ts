import { createHash } from 'node:crypto';
import { errors } from '@shoal/errors';
import type { IngestDocument } from '../document.js';
import { identityParts, isObject, javaText } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';
import { resultInTurns } from '../steps-in-turns.js';

const METHODS: ReadonlyMap<string, string> = new Map([
  ['MD5', 'md5'],
  ['SHA-1', 'sha1'],
  ['SHA-256', 'sha256'],
  ['SHA-512', 'sha512'],
]);

/** Puts a digest of the values of some fields into a field. Order of fields, and of keys, is no matter. */
export const fingerprint: ProcessorType = {
  name: 'fingerprint',
  parse(config) {
    const fields = [...config.strings('fields')].sort();
    const target = config.stringOr('target_field', 'fingerprint');
    const salt = config.stringOr('salt', '');
    const method = config.stringOr('method', 'SHA-1');
    const ignoreMissing = config.boolean('ignore_missing', false);
    const algorithm = METHODS.get(method);
    if (fields.length === 0 || fields.includes('')) throw config.error('fields', 'must specify at least one field');
    if (algorithm === undefined)
      throw config.error(
        'method',
        `[${method}] must be one of the supported hash methods [${[...METHODS.keys()].join(', ')}]`,
      );
    return (document, { pause }) => {
      const digest = createHash(algorithm).update(salt);
      const parts = partsOf(document, fields, ignoreMissing);
      const step = (): boolean => {
        const { done, value } = parts.next();
        if (done === true) return false;
        digest.update(value);
        return true;
      };
      return resultInTurns(step, pause, () => document.set(target, digest.digest('base64')));
    };
  },
};

/** What a digest is made of, part by part: names and values of the fields. */
function* partsOf(document: IngestDocument, fields: readonly string[], ignoreMissing: boolean): Generator<string> {
  for (const field of fields) {
    if (!document.has(field)) {
      if (ignoreMissing) continue;
      throw errors.illegalArgument(`missing field [${field}] when calculating fingerprint`);
    }
    const value = document.get(field);
    yield `\0${field}\0`;
    if (isObject(value) || Array.isArray(value)) yield* identityParts(value);
    else yield javaText(value);
  }
}
