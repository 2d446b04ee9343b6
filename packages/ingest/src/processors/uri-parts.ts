import { errors } from '@shoal/errors';
import type { ProcessorType } from '../processor-type.js';

/** Parts of a URI. Source: RFC 3986, appendix B. */
const URI = new RegExp(
  [
    /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?/,
    /(?:\/\/(?:([^/?#@]*)@)?(\[[^\]]*\]|[^/?#:]*)(?::(\d*))?)?/,
    /([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/,
  ]
    .map((part) => part.source)
    .join(''),
  's',
);

/** Returns the parts of a URI. Throws illegal_argument_exception for what is none. */
export function uriPartsOf(text: string): Record<string, unknown> {
  const match = URI.exec(text);
  if (!match || /\s/.test(text)) throw errors.illegalArgument(`unable to parse URI [${text}]`);
  const [, scheme, userInfo, host, port, path, query, fragment] = match;
  const name = path!.slice(path!.lastIndexOf('/') + 1);
  const extension = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
  const colon = userInfo?.indexOf(':') ?? -1;
  return {
    ...(host ? { domain: host } : {}),
    ...(fragment === undefined ? {} : { fragment }),
    path: path!,
    ...(port ? { port: Number(port) } : {}),
    ...(query === undefined ? {} : { query }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(extension === '' ? {} : { extension }),
    ...(userInfo === undefined ? {} : { user_info: userInfo }),
    ...(colon < 0 ? {} : { username: userInfo!.slice(0, colon), password: userInfo!.slice(colon + 1) }),
  };
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
