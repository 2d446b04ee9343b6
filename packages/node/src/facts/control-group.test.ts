import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlGroup } from './control-group.js';

const machine = (files: Readonly<Record<string, string>>) => controlGroup((path) => files[path] ?? null);

test('control groups of version 2 are read in the own group', () => {
  const folder = '/sys/fs/cgroup/system.slice/shoal.service';
  const group = '/system.slice/shoal.service';
  const found = machine({
    '/proc/self/cgroup': `0::${group}`,
    [`${folder}/memory.max`]: '1073741824',
    [`${folder}/memory.current`]: '4096',
    [`${folder}/cpu.max`]: '150000 100000',
    [`${folder}/cpu.stat`]: 'usage_usec 7\nnr_periods 3\nnr_throttled 2\nthrottled_usec 5',
  });
  assert.deepEqual(found, {
    cpuacct: { control_group: group, usage_nanos: 7_000 },
    cpu: {
      control_group: group,
      cfs_period_micros: 100_000,
      cfs_quota_micros: 150_000,
      stat: { number_of_elapsed_periods: 3, number_of_times_throttled: 2, time_throttled_nanos: 5_000 },
    },
    memory: { control_group: group, limit_in_bytes: '1073741824', usage_in_bytes: '4096' },
  });
});

test('in a container the own group is the root', () => {
  const found = machine({
    '/proc/self/cgroup': '0::/kubepods/pod',
    '/sys/fs/cgroup/memory.max': 'max',
    '/sys/fs/cgroup/cpu.max': 'max 100000',
  }) as { memory: unknown; cpu: { cfs_quota_micros: number } };
  assert.deepEqual(found.memory, { control_group: '/kubepods/pod', limit_in_bytes: 'max', usage_in_bytes: '0' });
  assert.equal(found.cpu.cfs_quota_micros, -1);
});

test('control groups of version 1 are read by controller', () => {
  const at = '/sys/fs/cgroup';
  const found = machine({
    '/proc/self/cgroup': '4:memory:/a\n2:cpu,cpuacct:/\n0::/',
    [`${at}/memory/a/memory.limit_in_bytes`]: '9223372036854771712',
    [`${at}/memory/a/memory.usage_in_bytes`]: '99',
    [`${at}/cpuacct/cpuacct.usage`]: '12345',
    [`${at}/cpu/cpu.cfs_quota_us`]: '-1',
    [`${at}/cpu/cpu.cfs_period_us`]: '100000',
    [`${at}/cpu/cpu.stat`]: 'nr_periods 0\nnr_throttled 0\nthrottled_time 9',
  }) as Record<string, Record<string, unknown>>;
  assert.deepEqual(found['memory'], {
    control_group: '/a',
    limit_in_bytes: '9223372036854771712',
    usage_in_bytes: '99',
  });
  assert.deepEqual(
    [
      found['cpuacct']!['usage_nanos'],
      found['cpu']!['cfs_quota_micros'],
      (found['cpu']!['stat'] as Record<string, number>)['time_throttled_nanos'],
    ],
    [12_345, -1, 9],
  );
});

test('a machine without control groups has none', () => assert.equal(machine({}), null));
