import { isApiError } from '@shoal/errors';
import { parseByteSize } from '@shoal/values';
import { valuesOf } from '../../runtime/collections.js';
import { textOf } from '../../runtime/java-text.js';
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

/** What processors do that the room of pipelines implements. */
export interface IngestFunctions {
  uriParts(text: string): Record<string, unknown>;
  networkDirection(source: string, destination: string, networks: readonly string[]): string;
  /** Source and destination address, IANA number, transport, ports, type and code of ICMP, as values of documents. */
  communityId(parts: readonly unknown[], seed: number): string | null;
}

let functions: IngestFunctions | null = null;

/** Sets what scripts of pipelines call; they run only where pipelines do. */
export function provideIngestFunctions(given: IngestFunctions): void {
  functions = given;
}

/** Returns the functions. Throws for a script that runs where there are no pipelines. */
function provided(): IngestFunctions {
  if (functions === null) throw illegalArgument('scripts of pipelines run on nodes with pipelines only');
  return functions;
}

const OBJECTS = 'Object,Object,Object,Object,Object,Object';

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
      'Map uriParts(String)': (text: string) => provided().uriParts(text),
      'String networkDirection(String,String,List)': (source: string, destination: string, networks: Value) =>
        provided().networkDirection(source, destination, valuesOf(networks).map(textOf)),
      [`String communityId(String,String,${OBJECTS})`]: (...parts: unknown[]) => provided().communityId(parts, 0),
      [`String communityId(String,String,${OBJECTS},int)`]: (...parts: unknown[]) =>
        provided().communityId(parts.slice(0, -1), Number(parts.at(-1))),
    },
  },
];
