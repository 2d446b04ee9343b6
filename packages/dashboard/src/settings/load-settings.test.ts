import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DashboardSettings, loadDashboardSettings } from './load-settings.js';

const loaded = (settings: Record<string, string>, file: unknown = {}): DashboardSettings =>
  loadDashboardSettings({ file, environment: {}, overrides: Object.entries(settings) });

test('the configuration that packages of Kibana come with is taken, and what it sets in vain is told', () => {
  const file = {
    logging: { appenders: { file: { type: 'file', fileName: '/var/log/kibana.log' } }, root: { appenders: ['file'] } },
    pid: { file: '/run/kibana/kibana.pid' },
    'elasticsearch.sniffOnStart': false,
    'xpack.security.showInsecureClusterWarning': false,
    'xpack.encryptedSavedObjects.encryptionKey': 'a'.repeat(32),
  };
  const { ignored, logLevel } = loaded({ 'logging.root.level': 'warn' }, file);
  assert.equal(logLevel, 'warn');
  assert.ok(ignored.includes('logging.appenders.file.type') && ignored.includes('pid.file'));
  assert.ok(!ignored.includes('logging.root.level'));
});

test('TLS takes a keystore or PEM files, a truststore, and versions without a gap', () => {
  const on = { 'server.ssl.enabled': 'true', 'server.ssl.keystore.path': '/a.p12' };
  const { server, cluster } = loaded({ ...on, 'elasticsearch.ssl.truststore.path': '/t.p12' });
  assert.deepEqual(server.tls?.identity, { path: '/a.p12', password: '' });
  assert.deepEqual([server.tls?.versionMin, server.tls?.versionMax], ['TLSv1.2', 'TLSv1.3']);
  assert.deepEqual(cluster.tls.truststore, { path: '/t.p12', password: '' });
  const versions = (list: string) => () => loaded({ ...on, 'server.ssl.supportedProtocols': list });
  assert.equal(versions('["TLSv1.1","TLSv1.2"]')().server.tls?.versionMax, 'TLSv1.2');
  assert.throws(versions('TLSv1.1,TLSv1.3'), /without a gap/);
  assert.throws(versions('SSLv3'), /without a gap/);
  assert.throws(() => loaded({ 'server.ssl.enabled': 'true' }), /or \[server\.ssl\.keystore\.path\]/);
  assert.throws(() => loaded({ ...on, 'server.ssl.key': '/k' }), /takes the place/);
  assert.throws(() => loaded({ ...on, 'server.ssl.redirectHttpFromPort': '5601' }), /must not be \[server\.port\]/);
});
