import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { errors } from '@shoal/errors';
import { announcedLength, announcesBody, isLargeBody } from './announced-body.js';
import type { BodyTurns } from './body-turns.js';
import type { ArrivingBody, SlowBodies } from './slow-bodies.js';

/** Why a body was not read: too large (413), too slow (408), or the client closed the connection. */
export type BodyFailure = 'too-large' | 'too-slow' | 'aborted';

const EMPTY = new Uint8Array(0);

/** Limits of reading a body. */
export interface BodyReading {
  readonly bytesMax: number;
  /** Called before memory is allocated for received bytes; an error that it throws refuses the body. */
  readonly charge: (bytes: number) => void;
  readonly slow: SlowBodies;
  /** Pauses large bodies. */
  readonly turns: BodyTurns;
}

/** Collects the chunks of a body. */
interface BodyCollector {
  /** Adds a chunk; false if the body is too large. */
  add(chunk: Buffer): boolean;
  /** The whole body; null if a part is missing. */
  whole(): Uint8Array | null;
}

/**
 * Reads the body. Resolves with a failure rather than rejecting, because the caller decides what happens to the
 * connection. Rejects with an error that `charge` throws.
 */
export function readBody(
  request: IncomingMessage,
  { bytesMax, charge, slow, turns }: BodyReading,
): Promise<Uint8Array | BodyFailure> {
  if (!announcesBody(request)) return Promise.resolve(EMPTY);
  const length = announcedLength(request);
  if (length > bytesMax) return Promise.resolve('too-large');
  const collector = collectBody({ bytes: length, bytesMax, isExact: Number.isFinite(length) }, charge);
  return new Promise((resolve, reject) => {
    const arriving: ArrivingBody = {
      received: 0,
      seen: -1,
      slot: -1,
      isHeld: () => request.isPaused(),
      giveUp: () => settle(() => resolve('too-slow')),
    };
    const arrived = isLargeBody(request) ? turns.enter(request) : null;
    let isOver = false;
    const settle = (tell: () => void): void => {
      if (isOver) return;
      isOver = true;
      slow.remove(arriving);
      tell();
    };
    slow.add(arriving);
    request.on('data', (chunk: Buffer) => {
      arrived?.(chunk.length);
      if (isOver) return;
      arriving.received += chunk.length;
      try {
        if (!collector.add(chunk)) settle(() => resolve('too-large'));
      } catch (error) {
        settle(() => reject(error as Error));
      }
    });
    request.on('end', () => settle(() => resolve(collector.whole() ?? 'aborted')));
    request.on('error', () => settle(() => resolve('aborted')));
    request.on('close', () => settle(() => resolve('aborted')));
  });
}

const FIRST_BYTES = 64 * 1024;
/** Once this much of a body has arrived, memory for its announced length is allocated at once. */
const EARNEST_BYTES = 2 ** 20;

/** Expected size of a body. */
interface ExpectedBody {
  /** Announced bytes; NaN if unknown. */
  readonly bytes: number;
  readonly bytesMax: number;
  /** Whether a body of any other length is incomplete. */
  readonly isExact: boolean;
}

/**
 * Collects a body in one buffer; a list of chunks would need twice its memory at the end. The buffer grows with the
 * bytes that arrived, because a client that announces much and sends nothing must not get memory. After 1 MB it gets
 * its final size: outgrown buffers are garbage until a collection, and a body for which there is no memory is better
 * refused early.
 */
function collectBody(
  { bytes: expected, bytesMax, isExact }: ExpectedBody,
  charge: (bytes: number) => void,
): BodyCollector {
  let body: Buffer | null = null;
  let at = 0;
  const capacityFor = (needed: number): number => {
    const doubled = Math.max(needed, (body?.length ?? 0) * 2, FIRST_BYTES);
    if (!(needed <= expected)) return Math.min(bytesMax, doubled);
    return needed > EARNEST_BYTES ? expected : Math.min(expected, doubled);
  };
  const grow = (needed: number): Buffer => {
    const capacity = capacityFor(needed);
    charge(capacity - (body?.length ?? 0));
    const grown = Buffer.allocUnsafeSlow(capacity);
    body?.copy(grown, 0, 0, at);
    return grown;
  };
  return {
    add(chunk) {
      if (at + chunk.length > bytesMax) return false;
      if (at === 0 && chunk.length === expected) {
        charge(expected);
        body = chunk;
      } else {
        if (body === null || at + chunk.length > body.length) body = grow(at + chunk.length);
        chunk.copy(body, at);
      }
      at += chunk.length;
      return true;
    },
    whole() {
      if (isExact && at !== expected) return null;
      return body === null ? EMPTY : at === body.length ? body : body.subarray(0, at);
    },
  };
}

/** Most bytes into which deflate can expand one byte. */
const INFLATION_MAX = 1032;

/** Uncompressed length from the end of a gzip member; NaN if it is impossible. */
function announcedByGzip(bytes: Uint8Array): number {
  if (bytes.length < 4) return Number.NaN;
  const size = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(bytes.length - 4, true);
  return size <= bytes.length * INFLATION_MAX ? size : Number.NaN;
}

/**
 * Decompresses a gzip body; null if it exceeds `bytesMax`. Rejects with an error that `charge` throws, because a small
 * body may expand a lot.
 */
export function decompress(
  bytes: Uint8Array,
  bytesMax: number,
  charge: (bytes: number) => void,
): Promise<Uint8Array | null> {
  const expected = announcedByGzip(bytes);
  if (expected > bytesMax) return Promise.resolve(null);
  const collector = collectBody({ bytes: expected, bytesMax, isExact: false }, charge);
  const unzip = createGunzip({ chunkSize: FIRST_BYTES });
  return new Promise((resolve, reject) => {
    const giveUp = (tell: () => void): void => {
      unzip.destroy();
      tell();
    };
    unzip.on('data', (chunk: Buffer) => {
      try {
        if (!collector.add(chunk)) giveUp(() => resolve(null));
      } catch (error) {
        giveUp(() => reject(error as Error));
      }
    });
    unzip.on('end', () => resolve(collector.whole()));
    unzip.on('error', (error) =>
      reject(errors.illegalArgument(`failed to decompress the request body: ${error.message}`)),
    );
    unzip.end(bytes);
  });
}
