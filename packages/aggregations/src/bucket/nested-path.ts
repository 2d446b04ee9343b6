import { errors } from '@shoal/errors';
import { tokenName } from '../parse/body-fields.js';

/** Reads the body of `nested` and `reverse_nested`, which 8.12 parses by hand: its `path`, or undefined without one. */
export function readPath(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  for (const [key, value] of Object.entries(body)) {
    const location = { container: body, key };
    if (typeof value !== 'string')
      throw errors.parsing(`Unexpected token ${tokenName(value)} in [${name}].`, { location });
    if (key !== 'path') throw errors.parsing(`Unknown key for a VALUE_STRING in [${name}]: [${key}].`, { location });
  }
  return body['path'] as string | undefined;
}
