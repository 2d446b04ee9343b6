import { isApiError } from '@shoal/errors';
import { parseByteSize } from '@shoal/values';
import { mapGet, mapPut } from '../../runtime/maps.js';
import { illegalArgument } from '../../runtime/thrown.js';
import type { Value } from '../../runtime/values.js';
import type { AllowTable } from './class-row.js';
import { loadJson } from './digests-and-json.js';

function bytes(text: string): number {
  try {
    return parseByteSize(text, 'Ingest Field');
  } catch (error) {
    throw isApiError(error) ? illegalArgument(error.reason ?? '') : error;
  }
}

/** Decodes a text of a URL: `%41` is a byte, `+` a space. */
function urlDecode(text: string): string {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) throw illegalArgument('URLDecoder: an escape (%) is malformed');
  return text
    .replaceAll('+', ' ')
    .replaceAll(/(?:%[0-9a-fA-F]{2})+/g, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'));
}

/** `Processors` of ingest scripts: what processors do, as functions. */
export const INGEST_PROCESSORS: AllowTable = [
  {
    name: 'org.elasticsearch.ingest.common.Processors',
    statics: {
      'long bytes(String)': bytes,
      'String lowercase(String)': (text: string) => text.toLowerCase(),
      'String uppercase(String)': (text: string) => text.toUpperCase(),
      'def json(def)': (text: Value) => loadJson(text as string),
      'void json(Map,String)': (map: object, field: string) => {
        mapPut(map, field, loadJson(mapGet(map, field) as string));
      },
      'String urlDecode(String)': urlDecode,
    },
  },
];
