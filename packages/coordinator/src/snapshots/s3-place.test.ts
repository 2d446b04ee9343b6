import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError } from '@shoal/errors';
import { isS3Path, readS3Path, s3Folder, s3PlaceOf } from './s3-place.js';

const refusal = (settings: Record<string, string>): string => {
  try {
    s3Folder({ bucket: 'backups', ...settings });
    return 'none';
  } catch (error) {
    assert.equal((error as ApiError).type, 'illegal_argument_exception');
    return (error as ApiError).message;
  }
};

test('a path of a store says how to reach its bucket, and has the key behind', () => {
  const settings = { bucket: 'backups', base_path: '/a/b c/', endpoint: 'http://127.0.0.1:9000/x', buffer_size: '5mb' };
  const folder = s3Folder(settings);
  assert.equal(isS3Path(folder), true);
  assert.equal(isS3Path('/s3:x'), false);
  assert.deepEqual(readS3Path(`${folder}/data/x`), { place: s3PlaceOf(settings), key: 'a/b c/data/x' });
  assert.equal(readS3Path(s3Folder({ bucket: 'backups' })).key, '');
});

test('settings that cannot be are refused as by 8.12', () => {
  const cases: readonly [Record<string, string>, string][] = [
    [{ bucket: '' }, 'No bucket defined for s3 repository'],
    [{ storage_class: 'glacier' }, 'Glacier storage class is not supported'],
    [{ storage_class: 'cheap' }, '`cheap` is not a valid S3 Storage Class.'],
    [{ canned_acl: 'mine' }, 'cannedACL is not valid: [mine]'],
    [{ buffer_size: '1mb' }, 'failed to parse value [1mb] for setting [buffer_size], must be >= [5mb]'],
    [{ chunk_size: '5mb', buffer_size: '6mb' }, "chunk_size (5mb) can't be lower than buffer_size (6mb)."],
    [
      { path_style_access: 'maybe' },
      'Failed to parse value [maybe] as only [true] or [false] are allowed for setting [path_style_access].',
    ],
    [{ base_path: 'a/../b' }, '[base_path] [a/../b] must not have parts [.] or [..]'],
    [{ bucket: 'a/b' }, '[a/b] is no name of a bucket'],
    [{ buckets: 'x' }, 'unknown setting [buckets] of a repository of type [s3]'],
  ];
  for (const [settings, message] of cases) assert.equal(refusal(settings), message);
  assert.match(refusal({ secret_key: 'x' }), /^Setting \[secret_key\] is insecure/);
});
