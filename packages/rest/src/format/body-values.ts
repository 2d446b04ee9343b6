import { rareFormats } from './rare-formats.js';
import { errors } from '@shoal/errors';
import { parseJson } from '@shoal/json';
import type { BodyFormat } from './media-types.js';

/** Parses a request body into JSON values, strictly. Throws the errors of its media type. */
export function parseBody(bytes: Uint8Array, format: BodyFormat): unknown {
  if (format === 'json' || format === 'ndjson') return parseJson(bytes);
  if (format === 'yaml') return fromYaml(bytes);
  if (format === 'cbor') return fromCbor(bytes);
  throw errors.illegalArgument('request bodies in SMILE are not supported');
}

function fromYaml(bytes: Uint8Array): unknown {
  try {
    return rareFormats
      .yaml()
      .parse(Buffer.from(bytes).toString('utf8'), { maxAliasCount: 0, uniqueKeys: true }) as unknown;
  } catch (error) {
    throw errors.parse(`failed to parse the YAML body: ${(error as Error).message}`);
  }
}

function fromCbor(bytes: Uint8Array): unknown {
  try {
    return rareFormats.cbor().decode(bytes) as unknown;
  } catch (error) {
    throw errors.parse(`failed to parse the CBOR body: ${(error as Error).message}`);
  }
}
