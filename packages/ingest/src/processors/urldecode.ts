import { errors } from '@shoal/errors';
import { stringProcessor } from '../string-processor.js';

/** Decodes texts of URLs: `%41` is a byte, `+` a space. */
export const urldecode = stringProcessor('urldecode', () => (text, field) => {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) {
    throw errors.illegalArgument(`URLDecoder: the field [${field}] has an escape (%) that is malformed`);
  }
  const parts = text.replaceAll('+', ' ').split(/((?:%[0-9a-fA-F]{2})+)/);
  return parts
    .map((part, i) => (i % 2 === 0 ? part : Buffer.from(part.replaceAll('%', ''), 'hex').toString('utf8')))
    .join('');
});
