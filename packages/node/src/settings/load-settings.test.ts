import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPasswordFile } from './password-file.js';
import { ConfigurationError, loadSettings, type SettingSources } from './load-settings.js';

const load = (sources: Partial<SettingSources>) =>
  loadSettings({ file: {}, environment: {}, overrides: [], isClusterSetting: () => false, ...sources });

test('later sources win: file, then environment, then command line', () => {
  const file = { cluster: { name: 'file' }, 'node.name': 'a', node: { roles: ['master', 'data'] } };
  assert.equal(load({ file }).text('cluster.name'), 'file');
  assert.equal(load({ file, environment: { 'cluster.name': 'env' } }).text('cluster.name'), 'env');
  const all = load({ file, environment: { 'cluster.name': 'env' }, overrides: [['cluster.name', 'cli']] });
  assert.equal(all.text('cluster.name'), 'cli');
  assert.equal(all.text('node.name'), 'a');
  assert.deepEqual(all.list('node.roles'), ['master', 'data']);
});

test('the environment is read as by the official container image', () => {
  const settings = load({
    environment: { ES_SETTING_HTTP_MAX__CONTENT__LENGTH: '5mb', PATH: '/bin', ES_JAVA_OPTS: '-Xms256m -Xmx384m' },
  });
  assert.equal(settings.bytes('http.max_content_length'), 5 * 1024 * 1024);
  assert.equal(settings.bytes('memory.limit'), 384 * 1024 * 1024);
});

test('an unknown setting is refused with the nearest known one', () => {
  assert.throws(
    () => load({ overrides: [['http.prot', '9200']] }),
    (error: unknown) =>
      error instanceof ConfigurationError &&
      /unknown setting \[http\.prot\]: did you mean.*http\.port/.test(error.message),
  );
});

test('a setting that the cluster may change is allowed in the configuration', () => {
  assert.equal(
    load({
      overrides: [['search.max_buckets', '10']],
      isClusterSetting: (n) => n === 'search.max_buckets',
    }).explicit.get('search.max_buckets'),
    '10',
  );
});

test('values that cannot be are refused with what is accepted', () => {
  assert.throws(
    () => load({ overrides: [['discovery.type', 'zen']] }),
    /does not take \[zen\].*Accepted: multi-node, single-node/,
  );
  assert.throws(() => load({ overrides: [['http.port', '9300-9200']] }), /port or a range/);
  assert.throws(() => load({ overrides: [['http.compression', 'yes']] }), /must be true or false but was \[yes\]/);
  assert.throws(() => load({ overrides: [['node.processors', '-1']] }), /whole number/);
  assert.throws(() => load({ file: { 'cluster.name': null } }), /\[cluster\.name\] has no value/);
});

test('defaults fill what is not set; shares are of the memory budget', () => {
  const settings = load({});
  assert.deepEqual(settings.ports('http.port'), [9200, 9300]);
  assert.equal(settings.boolean('http.compression'), true);
  assert.equal(settings.share('shoal.block_cache.size', 1000), 150);
  assert.equal(settings.explicit.size, 0);
});

test('the first password comes from the environment or a file, and is shown nowhere', () => {
  const settings = load({
    environment: { ELASTIC_PASSWORD: 'secret' },
    overrides: [['xpack.security.authc.realms.jwt.j.hmac_key', 'hidden']],
  });
  assert.equal(settings.text('bootstrap.password'), 'secret');
  assert.equal(settings.explicit.size, 0);
  assert.deepEqual(
    [...settings.below('xpack.security.authc.realms.')],
    [['xpack.security.authc.realms.jwt.j.hmac_key', 'hidden']],
  );
  assert.throws(() => withPasswordFile({ ELASTIC_PASSWORD: 'a', ELASTIC_PASSWORD_FILE: '/b' }), /mutually exclusive/);
  assert.throws(
    () => withPasswordFile({ ELASTIC_PASSWORD_FILE: '/nowhere/b' }),
    /\[\/nowhere\/b\] of ELASTIC_PASSWORD_FILE cannot be read/,
  );
});
