import { errors } from '@shoal/errors';
import type { ProcessorType } from '../processor-type.js';
import { parseUri } from '../uri.js';

/** Returns the parts of a URI. Throws illegal_argument_exception for what is none. */
export function uriPartsOf(text: string): Record<string, unknown> {
  const parts = parseUri(text);
  if (parts === null) throw errors.illegalArgument(`unable to parse URI [${text}]`);
  const { scheme, userInfo, host, port, path, query, fragment } = parts;
  const colon = userInfo?.indexOf(':') ?? -1;
  return {
    domain: host,
    ...(fragment === null ? {} : { fragment }),
    ...(path === null ? {} : { path }),
    ...(port === null ? {} : { port }),
    ...(query === null ? {} : { query }),
    scheme,
    ...(path === null ? {} : extensionIn(path)),
    ...(userInfo === null ? {} : { user_info: userInfo }),
    ...(colon < 0 ? {} : { username: userInfo!.slice(0, colon), password: userInfo!.slice(colon + 1) }),
  };
}

/** What stands behind the last dot of the last segment of a path. */
function extensionIn(path: string): { readonly extension?: string } {
  const slash = path.lastIndexOf('/');
  const dot = path.lastIndexOf('.');
  return slash >= 0 && dot > slash ? { extension: path.slice(dot + 1) } : {};
}

/** Splits a URI into its parts. */
export const uriParts: ProcessorType = {
  name: 'uri_parts',
  parse(config) {
    const field = config.string('field');
    const target = config.stringOr('target_field', 'url');
    const removes = config.boolean('remove_if_successful', false);
    const keepsOriginal = config.boolean('keep_original', true);
    const ignoreMissing = config.boolean('ignore_missing', false);
    return (document) => {
      const text = document.text(field, ignoreMissing);
      if (text === null) {
        if (ignoreMissing) return;
        throw errors.illegalArgument(`field [${field}] is null, cannot process it.`);
      }
      const parts = uriPartsOf(text);
      if (removes && field !== target) document.remove(field);
      document.set(target, keepsOriginal ? { ...parts, original: text } : parts);
    };
  },
};
