// The files of deployments, as far as they can be checked without a container engine, an orchestrator or systemd.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import yaml from 'js-yaml';
import { root, temporaryFolder } from '../node-process.mjs';

const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const compose = yaml.load(read('docker-compose.yml'));
const kubernetes = yaml.loadAll(read('deploy/kubernetes/shoal.yaml')).filter(Boolean);
const kind = (name) => kubernetes.find((document) => document.kind === name);

test('services of the compose file have no privileges, a read-only root, and bounded logs and memory', () => {
  assert.deepEqual(Object.keys(compose.services), [
    'certificates',
    'shoal-1',
    'shoal-2',
    'shoal-3',
    'setup',
    'dashboard',
  ]);
  for (const [name, service] of Object.entries(compose.services)) {
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    assert.equal(service.read_only, true, name);
    assert.match(service.tmpfs[0], /^\/tmp:/, name);
    assert.deepEqual(service.logging.options, { 'max-size': '10m', 'max-file': '5' }, name);
    assert.ok(!service.privileged && service.image.includes(':'), name);
    for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:/, name);
    if (name.startsWith('shoal-')) {
      assert.equal(service.mem_limit, '640m');
      assert.ok(service.volumes.includes('certificates:/certificates:ro'), name);
      assert.equal(service.environment['xpack.security.transport.ssl.enabled'], 'true');
    }
  }
});

test('the dashboard of the compose file has its password from the one-shot, in a volume that it only reads', () => {
  const { setup, dashboard } = compose.services;
  assert.deepEqual(dashboard.depends_on, { setup: { condition: 'service_completed_successfully' } });
  assert.deepEqual(dashboard.volumes, ['dashboard:/dashboard:ro']);
  assert.equal(dashboard.mem_limit, '192m');
  assert.equal(dashboard.environment.ELASTICSEARCH_PASSWORD_FILE, setup.command.at(-1));
  assert.ok(!('ELASTIC_PASSWORD' in dashboard.environment));
});

test('the pod of the dashboard is confined, and one of those that reach the nodes', () => {
  const documents = yaml.loadAll(read('deploy/kubernetes/dashboard.yaml')).filter(Boolean);
  const { metadata, spec } = documents.find((document) => document.kind === 'Deployment').spec.template;
  assert.equal(metadata.labels['shoal-client'], 'true');
  assert.equal(spec.securityContext.runAsNonRoot, true);
  assert.equal(spec.automountServiceAccountToken, false);
  assert.equal(spec.containers[0].securityContext.readOnlyRootFilesystem, true);
  assert.ok(spec.containers[0].resources.limits.memory);
});

test('the command of the compose file leaves certificates without the key of the authority, once', () => {
  const [shared, own] = [temporaryFolder('shared'), temporaryFolder('own')];
  const { entrypoint, command } = compose.services.certificates;
  const script = command[0].replaceAll('/tmp/certificates', own).replaceAll('/certificates/', `${shared}/`);
  const run = () => {
    const { status, stderr } = spawnSync(entrypoint[0], [...entrypoint.slice(1), script], {
      cwd: root,
      timeout: 120_000,
    });
    assert.equal(status, 0, String(stderr));
    return fs.readdirSync(shared).sort();
  };
  const files = ['ca.crt', 'node.crt', 'node.key'];
  assert.deepEqual(run(), files);
  assert.equal(fs.statSync(path.join(shared, 'node.key')).mode & 0o077, 0);
  const key = fs.readFileSync(path.join(shared, 'node.key'), 'utf8');
  // The volume of an older compose file.
  fs.writeFileSync(path.join(shared, 'ca.key'), 'key');
  assert.deepEqual(run(), files);
  assert.equal(fs.readFileSync(path.join(shared, 'node.key'), 'utf8'), key);
});

test('pods run confined, and only nodes reach the ports of nodes', () => {
  const { spec } = kind('StatefulSet').spec.template;
  assert.deepEqual(spec.securityContext.seccompProfile, { type: 'RuntimeDefault' });
  assert.equal(spec.securityContext.runAsNonRoot, true);
  assert.equal(spec.automountServiceAccountToken, false);
  const [container] = spec.containers;
  assert.deepEqual(container.securityContext, {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  assert.match(container.image, /:[\d.]+$|@sha256:/);
  assert.ok(container.resources.limits.memory);
  const policy = kind('NetworkPolicy').spec;
  assert.deepEqual(policy.podSelector, kind('StatefulSet').spec.selector);
  assert.deepEqual(policy.policyTypes, ['Ingress', 'Egress']);
  for (const { from, ports } of policy.ingress)
    if (ports.some(({ port }) => port !== 9200))
      assert.deepEqual(from, [{ podSelector: policy.podSelector }], 'ports between nodes');
});

test('images are pinned to a release', () => {
  const lines = read('deploy/Dockerfile').matchAll(/^(?:ARG NODE_IMAGE=|FROM )(\S+)/gm);
  const images = [...lines].map(([, image]) => image);
  assert.ok(images.length > 0);
  for (const image of images)
    assert.match(image, /^\$\{NODE_IMAGE\}$|^node:\d+\.\d+\.\d+-bookworm-slim$|@sha256:[\da-f]{64}$/);
});

test('the service of systemd has limits for memory and system calls', () => {
  const lines = read('deploy/systemd/shoal.service').split('\n');
  const own = read('deploy/systemd/shoal-dashboard.service').split('\n');
  for (const wanted of [
    'MemoryMax=192M',
    'NoNewPrivileges=true',
    'ProtectSystem=strict',
    'RestartPreventExitStatus=78',
  ])
    assert.ok(own.includes(wanted), wanted);
  for (const wanted of [
    'NoNewPrivileges=true',
    'CapabilityBoundingSet=',
    'ProtectSystem=strict',
    'SystemCallFilter=@system-service',
    'SystemCallFilter=~@privileged @resources',
    'MemoryMax=640M',
    'LimitCORE=0',
  ])
    assert.ok(lines.includes(wanted), wanted);
});

test('packages have checksums, all but binaries of other platforms, which the image leaves out', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const without = Object.entries(packages).filter(
    ([name, entry]) => name.startsWith('node_modules/') && !entry.link && !entry.integrity,
  );
  for (const [name, entry] of without) assert.ok(entry.optional && (entry.os || entry.cpu), name);
  assert.match(read('deploy/Dockerfile'), /npm prune --omit=dev --omit=optional/);
});
