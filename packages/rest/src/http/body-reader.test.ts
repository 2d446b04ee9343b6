import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { errors } from '@shoal/errors';
import { decompress, readBody } from './body-reader.js';

const ZEROS = gzipSync(Buffer.alloc(1_000_000));

test('a compressed body is charged as it unpacks, and given up where there is no room', async () => {
  let charged = 0;
  const bytes = await decompress(ZEROS, 1_000_000, (count) => void (charged += count));
  assert.deepEqual([bytes?.length, charged], [1_000_000, 1_000_000]);
  const room = (count: number): void => {
    charged += count;
    if (charged > 200_000) throw errors.circuitBreaking('no room');
  };
  charged = 0;
  await assert.rejects(decompress(ZEROS, 1_000_000, room), { type: 'circuit_breaking_exception' });
  assert.ok(charged < 400_000, `${charged} bytes were unpacked`);
});

test('a body that unpacks to more than may be is too large, one that does not unpack is refused', async () => {
  assert.equal(await decompress(ZEROS, 999_999, () => undefined), null);
  await assert.rejects(
    decompress(Buffer.from('nothing'), 100, () => undefined),
    { status: 400, message: /failed to decompress the request body/ },
  );
});

test('a compressed body that says at its end to be too large is not unpacked', async () => {
  let charged = 0;
  const damaged = Buffer.from(ZEROS).fill(0xff, 12, 40);
  assert.equal(await decompress(damaged, 999_999, (count) => void (charged += count)), null);
  assert.equal(charged, 0);
});

test('what a compressed body says of its length is not believed blindly', async () => {
  const wrong = Buffer.concat([ZEROS, gzipSync('more')]);
  assert.equal((await decompress(wrong, 2_000_000, () => undefined))?.length, 1_000_004);
  assert.equal(await decompress(wrong, 1_000_003, () => undefined), null);
});

/** A request of which only the body is used. */
function arriving(headers: Readonly<Record<string, string>>): PassThrough {
  return Object.assign(new PassThrough({ highWaterMark: 2 ** 24 }), { headers });
}

const SLOW = { add: () => undefined, remove: () => undefined };
const TURNS = { enter: () => () => undefined, discard: () => undefined };

test('room for the whole body is taken once a megabyte of it has come, not when it is announced', async () => {
  const request = arriving({ 'content-length': String(50 * 2 ** 20) });
  let charged = 0;
  const read = readBody(request as unknown as IncomingMessage, {
    bytesMax: 2 ** 30,
    charge: (count) => void (charged += count),
    slow: SLOW,
    turns: TURNS,
  });
  const megabyte = Buffer.alloc(2 ** 20);
  request.write(megabyte.subarray(0, 1000));
  await setImmediate();
  assert.equal(charged, 65_536);
  request.write(megabyte);
  await setImmediate();
  assert.equal(charged, 50 * 2 ** 20);
  request.end();
  assert.equal(await read, 'aborted');
});

test('a body that is refused for want of room is refused as soon as it is known to be large', async () => {
  const request = arriving({ 'content-length': String(50 * 2 ** 20) });
  let [charged, sent] = [0, 0];
  const room = (count: number): void => {
    if ((charged += count) > 40 * 2 ** 20) throw errors.circuitBreaking('no room');
  };
  const refused = assert.rejects(
    readBody(request as unknown as IncomingMessage, { bytesMax: 2 ** 30, charge: room, slow: SLOW, turns: TURNS }),
    { status: 429 },
  );
  for (; charged <= 40 * 2 ** 20 && sent < 50; sent++) {
    request.write(Buffer.alloc(2 ** 19));
    await setImmediate();
  }
  await refused;
  assert.ok(sent <= 3, `after ${sent} halves of a megabyte`);
});

test(
  'a body of unknown length is charged for the buffer that it ' + 'is in, and comes back without the rest of it',
  async () => {
    const request = arriving({ 'transfer-encoding': 'chunked' });
    let charged = 0;
    const read = readBody(request as unknown as IncomingMessage, {
      bytesMax: 250_000,
      charge: (count) => void (charged += count),
      slow: SLOW,
      turns: TURNS,
    });
    for (let i = 0; i < 3; i++) request.write(Buffer.alloc(50_000, i));
    request.end();
    const body = (await read) as Uint8Array;
    assert.deepEqual([body.length, body[49_999], body[50_000], body[149_999], charged], [150_000, 0, 1, 2, 250_000]);
  },
);
