import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiError } from '@shoal/errors';
import type { Services } from '../services.js';
import { placeOf } from './repositories.js';

const servicesWith = (settings: Readonly<Record<string, string | readonly string[]>>): Services =>
  ({ node: { settings } }) as unknown as Services;
const why = "doesn't match any of the locations specified by path.repo";
const ALLOWED = servicesWith({
  'path.repo': ['/backup', '/mnt/more/'],
  'repositories.url.allowed_urls': ['file:/media/old/*'],
});

/** Folder and whether it is read only, or why the repository cannot be used. */
function placed(type: string, settings: Record<string, string>, services = ALLOWED): string {
  try {
    const { folder, isReadOnly } = placeOf(services, 'r', { type, settings });
    return `${folder}${isReadOnly ? ' read only' : ''}`;
  } catch (error) {
    const { status, message, causedBy } = error as ApiError;
    assert.deepEqual([status, message], [400, '[r] failed to create repository']);
    return causedBy!.message;
  }
}

test('a repository of type fs is below path.repo', () => {
  assert.equal(placed('fs', { location: '/backup' }), '/backup');
  assert.equal(placed('fs', { location: '/mnt/more/a' }), '/mnt/more/a');
  assert.equal(placed('fs', { location: 'a/b', readonly: 'true' }), '/backup/a/b read only');
  for (const location of ['/', '/etc', '/backup-2', '/backup/../etc', '../etc', 'a/../../etc', '/media/old/x', 'a\0b'])
    assert.equal(placed('fs', { location }), `[r] location [${location}] ${why}`);
  assert.equal(placed('fs', {}), '[r] missing location');
  assert.equal(
    placed('fs', { location: 'a' }, servicesWith({})),
    `[r] location [a] ${why} because this setting is empty`,
  );
});

test('a repository of type url is read from below path.repo and from allowed URLs only', () => {
  for (const url of [
    'file:/backup/a',
    'file:///backup/a',
    'file:/backup/./a',
    'file:/backup/x/../a',
    'file:/backup/a/',
  ])
    assert.equal(placed('url', { url }), '/backup/a read only', url);
  assert.equal(placed('url', { url: 'file:/backup/a%20b' }), '/backup/a b read only');
  assert.equal(placed('url', { url: 'file:/media/old/x' }), '/media/old/x read only');
  for (const url of [
    'file:/etc',
    'file:/',
    'file:/backup/../etc',
    'file:/backup/%2e%2e/etc',
    'file:/backup/..%2fetc',
    'file:/media/old/..%2f..%2fetc',
    'file:/media/older',
    'file://host/backup/a',
    'file:/backup/a%00',
    'file:/backup/%ff',
  ])
    assert.equal(placed('url', { url }), `[r] file url [${url}] ${why} or repositories.url.allowed_urls`);
});

test('a repository of type url takes neither a location nor another protocol', () => {
  assert.equal(placed('url', { location: '/etc' }), '[r] missing url');
  assert.equal(placed('url', { url: 'nothing' }), '[r] cannot parse the specified url [nothing]');
  for (const protocol of ['http', 'https', 'ftp', 'jar'])
    assert.equal(
      placed('url', { url: `${protocol}://h/backup` }),
      `[r] unsupported url protocol [${protocol}] from URL [${protocol}://h/backup]`,
    );
});

test('a repository of type source is one of another type that keeps documents only', () => {
  const settings = { delegate_type: 'fs', location: 'a', readonly: 'true' };
  const { folder, isReadOnly, isSourceOnly } = placeOf(ALLOWED, 'r', { type: 'source', settings });
  assert.deepEqual([folder, isReadOnly, isSourceOnly], ['/backup/a', true, true]);
  assert.equal(placed('source', { location: 'a' }), '[r] delegate_type must be specified');
  assert.match(placed('source', { delegate_type: 'source' }), /delegate_type \[source\] does not exist/);
});

test('rates of a repository are 40mb for snapshots and none for restores, unless it says others', () => {
  const ratesOf = (settings: Record<string, string>): unknown => {
    const { snapshotRate, restoreRate } = placeOf(ALLOWED, 'r', {
      type: 'fs',
      settings: { location: 'a', ...settings },
    });
    return [snapshotRate, restoreRate];
  };
  assert.deepEqual(ratesOf({}), [40 << 20, undefined]);
  assert.deepEqual(ratesOf({ max_snapshot_bytes_per_sec: '-1', max_restore_bytes_per_sec: '1kb' }), [undefined, 1024]);
  assert.match(placed('fs', { location: 'a', max_restore_bytes_per_sec: 'fast' }), /failed to parse setting/);
});
