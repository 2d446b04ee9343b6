import { createHash } from 'node:crypto';
import { errors } from '@shoal/errors';
import { isObject, javaText, valueIdentity } from '../java-values.js';
import type { ProcessorType } from '../processor-type.js';

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
    return (document) => {
      const digest = createHash(algorithm).update(salt);
      for (const field of fields) {
        if (!document.has(field)) {
          if (ignoreMissing) continue;
          throw errors.illegalArgument(`missing field [${field}] when calculating fingerprint`);
        }
        const value = document.get(field);
        digest
          .update(`\0${field}\0`)
          .update(isObject(value) || Array.isArray(value) ? valueIdentity(value) : javaText(value));
      }
      document.set(target, digest.digest('base64'));
    };
  },
};
