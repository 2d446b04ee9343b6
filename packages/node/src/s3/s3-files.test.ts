import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { s3Folder } from '@shoal/coordinator';
import { fakeClock, seededRandom } from '@shoal/doors';
import type { ApiError } from '@shoal/errors';
import { type ObjectStore, startObjectStore } from '../testing/object-store.js';
import type { S3Client } from './s3-clients.js';
import { type S3Files, s3Files } from './s3-files.js';

const ACCOUNT = { bucket: 'backups', accessKey: 'AKID', secretKey: 'secret/key+x' };
const MIB = 1 << 20;
/** Time that does not pass: timers run at once. */
const clock = {
  ...fakeClock(),
  after: (_: number, callback: () => void) => {
    queueMicrotask(callback);
    return { cancel: () => undefined };
  },
};
let store: ObjectStore;
let files: S3Files;

const clientOf = (more: Partial<S3Client>): S3Client => ({
  keys: { accessKey: ACCOUNT.accessKey, secretKey: ACCOUNT.secretKey, sessionToken: null },
  endpoint: store.endpoint,
  protocol: 'http',
  region: null,
  pathStyle: null,
  readTimeoutMs: 5000,
  maxConnections: 4,
  maxRetries: 3,
  throttleRetries: true,
  proxy: null,
  ...more,
});

before(async () => {
  store = await startObjectStore({ ...ACCOUNT, pageSize: 3 });
  const thief = { accessKey: ACCOUNT.accessKey, secretKey: 'guessed', sessionToken: null };
  const clients = {
    default: clientOf({}),
    thief: clientOf({ keys: thief }),
    none: clientOf({ keys: null }),
    silent: clientOf({ readTimeoutMs: 30, maxRetries: 0 }),
  };
  files = s3Files(() => clients, { clock, random: seededRandom(1) });
});
after(async () => {
  files.close();
  await store.close();
});
afterEach(() => {
  store.objects.clear();
  store.requests.length = 0;
  store.fault = () => null;
});

const folder = (settings: Record<string, string> = {}): string =>
  s3Folder({ bucket: ACCOUNT.bucket, base_path: 'a b/ü', ...settings });
const bytes = (length: number): Uint8Array => Buffer.alloc(length, 'content of an object, ');
const text = async (path: string): Promise<string | null> => {
  const content = await files.read(path);
  return content === null ? null : Buffer.from(content).toString();
};
/** Type and text of the error of a call. */
const failure = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: ApiError) => `${error.type}: ${error.message}`,
  );

test('objects are written, read, listed page by page and removed', async () => {
  for (const name of ['x', 'y&z', 'sub/1', 'sub/2', 'sub/deep/3', 'w 1+2'])
    await files.replace(`${folder()}/${name}`, Buffer.from(name));
  assert.deepEqual((await files.list(folder())).sort(), ['sub', 'w 1+2', 'x', 'y&z']);
  assert.deepEqual((await files.list(`${folder()}/sub`)).sort(), ['1', '2', 'deep']);
  assert.equal(await files.folderSize(folder()), 1 + 3 + 5 + 5 + 10 + 5);
  assert.equal(await text(`${folder()}/y&z`), 'y&z');
  assert.equal(await text(`${folder()}/absent`), null);
  await files.remove(`${folder()}/x`);
  await files.remove(`${folder()}/x`);
  await files.removeFolder(`${folder()}/sub`);
  assert.deepEqual([...store.objects.keys()].sort(), ['a b/ü/w 1+2', 'a b/ü/y&z']);
  await files.removeFolder(s3Folder({ bucket: ACCOUNT.bucket }));
  assert.equal(store.objects.size, 0);
});

test('large objects are sent in parts, and divided above chunk_size', async () => {
  const content = bytes(13 * MIB);
  await files.replace(`${folder({ buffer_size: '5mb' })}/big`, content);
  assert.equal(store.requests.filter((line) => line.includes('partNumber')).length, 3);
  assert.deepEqual(Buffer.from((await files.read(`${folder()}/big`))!), content);
  const divided = folder({ chunk_size: '6mb' });
  await files.replace(`${divided}/big`, content);
  assert.deepEqual(
    [...store.objects].map(([key, { bytes: own }]) => [key, own.length]),
    [
      ['a b/ü/big', 0],
      ['a b/ü/big.piece-0', 6 * MIB],
      ['a b/ü/big.piece-1', 6 * MIB],
      ['a b/ü/big.piece-2', MIB],
    ],
  );
  assert.deepEqual(Buffer.from((await files.read(`${divided}/big`))!), content);
  await files.remove(`${divided}/big`);
  assert.equal(store.objects.size, 0);
});

test('an upload in parts that fails is given up, and one whose last answer was lost is complete', async () => {
  store.fault = (line) => (line.includes('partNumber=2') ? { status: 403, code: 'AccessDenied' } : null);
  const target = `${folder({ buffer_size: '5mb' })}/big`;
  assert.match(await failure(files.replace(target, bytes(11 * MIB))), /^i_o_exception: PUT \[backups\/a b\/ü\/big\]/);
  assert.equal(store.uploads.size, 0);
  let isFirst = true;
  store.fault = (line) => {
    if (!/^POST .*uploadId/.test(line) || !isFirst) return null;
    isFirst = false;
    return 'cut-answer';
  };
  await files.replace(target, bytes(11 * MIB));
  assert.equal((await files.read(target))!.length, 11 * MIB);
});

test('class, access list and encryption are asked for', async () => {
  const settings = { storage_class: 'standard_ia', canned_acl: 'bucket-owner-read', server_side_encryption: 'true' };
  await files.replace(`${folder(settings)}/x`, bytes(10));
  const { headers } = store.objects.get('a b/ü/x')!;
  assert.equal(headers['x-amz-storage-class'], 'STANDARD_IA');
  assert.equal(headers['x-amz-acl'], 'bucket-owner-read');
  assert.equal(headers['x-amz-server-side-encryption'], 'AES256');
});

test('a request is repeated while the store is busy or a connection fails, as often as the settings say', async () => {
  const faults = [{ status: 503, code: 'SlowDown' }, 'cut', { status: 500, code: 'InternalError' }] as const;
  let at = 0;
  store.fault = () => faults[at++] ?? null;
  await files.replace(`${folder()}/x`, bytes(10));
  assert.equal(store.requests.length, 4);
  store.requests.length = at = 0;
  const refusal = await failure(files.replace(`${folder({ max_retries: '2' })}/x`, bytes(10)));
  assert.match(refusal, /failed after 3 attempts: status 500 InternalError: refused & why$/);
  store.requests.length = at = 0;
  assert.match(
    await failure(files.replace(`${folder({ use_throttle_retries: 'false' })}/x`, bytes(10))),
    /failed: status 503 SlowDown/,
  );
  assert.equal(store.requests.length, 1);
});

test('keys that the store does not know, none, and other clients are refused by name', async () => {
  assert.match(await failure(files.read(`${folder({ client: 'thief' })}/x`)), /status 403 SignatureDoesNotMatch/);
  assert.match(
    await failure(files.read(`${folder({ client: 'none' })}/x`)),
    /keystore has no keys of the client \[none\]/,
  );
  assert.equal(
    await failure(files.read(`${folder({ client: 'other' })}/x`)),
    'illegal_argument_exception: Unknown s3 client name [other]. Existing client configs: default,thief,none,silent',
  );
  assert.match(await failure(files.read(`${folder({ bucket: 'absent' })}/x`)), /status 404 NoSuchBucket/);
  const closed = folder({ endpoint: 'http://127.0.0.1:1', max_retries: '1' });
  assert.match(await failure(files.read(`${closed}/x`)), /failed after 2 attempts: .*ECONNREFUSED/);
});

test('an object that was changed or cut in the store is refused', async () => {
  await files.replace(`${folder()}/x`, bytes(100));
  const { headers } = store.objects.get('a b/ü/x')!;
  store.objects.set('a b/ü/x', { bytes: Buffer.alloc(100), headers });
  assert.equal(
    await failure(files.read(`${folder()}/x`)),
    'corrupt_index_exception: object [a b/ü/x] is damaged: its hash differs',
  );
});

test('a store that does not answer is given up after read_timeout', async () => {
  store.fault = () => 'silence';
  assert.match(await failure(files.read(`${folder({ client: 'silent' })}/x`)), /failed: timed out waiting/);
  assert.match(
    await failure(files.read(`${folder({ read_timeout: '20ms', max_retries: '0' })}/x`)),
    /failed: timed out waiting/,
  );
});
