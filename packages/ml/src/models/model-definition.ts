import { promisify } from 'node:util';
import { gunzip, gzip, gzipSync } from 'node:zlib';
import { errors } from '@shoal/errors';
import { parseSourceInTurns, stringify, stringifyInSteps } from '@shoal/json';

/** Largest definition, inflated and compressed. */
const DEFINITION_BYTES_MAX = 128 * 1024 * 1024;
const COMPRESSED_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes of a definition in one document, before base64. */
const PART_BYTES = 384 * 1024;
const DEPTH_MAX = 100;

/** Bytes of an object of a definition once it is parsed, and what no definition has more objects than. */
const OBJECT_BYTES = 200;
const OBJECTS_MAX = 2_100_000;

/** Gives the thread to others. */
type Turn = () => Promise<void>;

/**
 * Inflates a definition in gzip and base64. Rejects with illegal_argument_exception if it is none, or too large for a
 * node whose models may have `modelBytes`: the objects in it are counted before it is parsed.
 */
export async function inflateDefinition(text: string, modelBytes: number, turn: Turn): Promise<unknown> {
  if (text.length > (COMPRESSED_BYTES_MAX * 4) / 3)
    throw errors.illegalArgument(`[compressed_definition] has more than [${COMPRESSED_BYTES_MAX}] bytes`);
  let bytes: Buffer;
  try {
    bytes = await promisify(gunzip)(Buffer.from(text, 'base64'), { maxOutputLength: DEFINITION_BYTES_MAX });
  } catch (error) {
    const isLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE';
    throw errors.illegalArgument(
      isLarge
        ? `[compressed_definition] inflates to more than [${DEFINITION_BYTES_MAX}] bytes`
        : '[compressed_definition] could not be inflated: it must be gzip in base64',
    );
  }
  await checkShape(bytes, Math.min(OBJECTS_MAX, Math.floor(modelBytes / OBJECT_BYTES)), turn);
  return await parseSourceInTurns(bytes, turn);
}

/** Bytes that are looked at in a turn: a few milliseconds. */
const BYTES_IN_TURN = 2 * 1024 * 1024;

/** Parsers use a stack frame a level, and memory an object: more than any model has is refused before it is parsed. */
async function checkShape(bytes: Buffer, objectsMax: number, turn: Turn): Promise<void> {
  let depth = 0;
  let objects = 0;
  let inText = false;
  let turnAt = BYTES_IN_TURN;
  for (let i = 0; i < bytes.length; i++) {
    if (i > turnAt) {
      await turn();
      turnAt = i + BYTES_IN_TURN;
    }
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

/** Compresses a large definition of a client in turns of the thread, and beside it. */
export async function deflateInTurns(definition: unknown, turn: Turn): Promise<string> {
  for (const steps = stringifyInSteps(definition); ; ) {
    const { done, value } = steps.next();
    if (done === true) return (await promisify(gzip)(Buffer.concat(value))).toString('base64');
    await turn();
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
