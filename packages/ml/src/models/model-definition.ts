import { gunzipSync, gzipSync } from 'node:zlib';
import { errors } from '@shoal/errors';
import { parseSource, stringify } from '@shoal/json';

/** Largest definition, inflated and compressed. */
const DEFINITION_BYTES_MAX = 128 * 1024 * 1024;
const COMPRESSED_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes of a definition in one document, before base64. */
const PART_BYTES = 384 * 1024;
const DEPTH_MAX = 100;

/** Bytes of an object of a definition once it is parsed, and what no definition has more objects than. */
const OBJECT_BYTES = 200;
const OBJECTS_MAX = 2_100_000;

/**
 * Inflates a definition in gzip and base64. Throws illegal_argument_exception if it is none, or too large for a node
 * whose models may have `modelBytes`: the objects in it are counted before it is parsed.
 */
export function inflateDefinition(text: string, modelBytes: number): unknown {
  if (text.length > (COMPRESSED_BYTES_MAX * 4) / 3)
    throw errors.illegalArgument(`[compressed_definition] has more than [${COMPRESSED_BYTES_MAX}] bytes`);
  let bytes: Buffer;
  try {
    bytes = gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: DEFINITION_BYTES_MAX });
  } catch (error) {
    const isLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    throw errors.illegalArgument(
      isLarge
        ? `[compressed_definition] inflates to more than [${DEFINITION_BYTES_MAX}] bytes`
        : '[compressed_definition] could not be inflated: it must be gzip in base64',
    );
  }
  checkShape(bytes, Math.min(OBJECTS_MAX, Math.floor(modelBytes / OBJECT_BYTES)));
  return parseSource(bytes);
}

/** Parsers use a stack frame a level, and memory an object: more than any model has is refused before it is parsed. */
function checkShape(bytes: Buffer, objectsMax: number): void {
  let depth = 0;
  let objects = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (inText) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inText = false;
    } else if (byte === 0x22) inText = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth++;
      objects++;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    if (depth > DEPTH_MAX) throw errors.illegalArgument(`the definition is nested deeper than [${DEPTH_MAX}] levels`);
    if (objects > objectsMax) throw errors.illegalArgument(`the definition has more than [${objectsMax}] objects`);
  }
}

/** Compresses a definition. */
export function deflateDefinition(definition: unknown): string {
  return gzipSync(Buffer.from(stringify(definition))).toString('base64');
}

/** Splits a compressed definition into the parts that documents hold. */
export function* definitionParts(text: string): Generator<string> {
  const size = Math.ceil(PART_BYTES / 3) * 4;
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
