import type { SnapshotInfo } from '@shoal/coordinator';
import { pathList } from '../admin/index-options.js';
import { repositoryLocation, selectRepositories } from '../admin/repositories.js';
import { millis } from './cell.js';
import { catRoutes, type Column, column } from './table.js';
import { epochSeconds, timeOfDay } from './timestamps.js';

interface Row {
  readonly repository: string;
  readonly info: SnapshotInfo;
  readonly nowMs: number;
}

function elapsed({ info, nowMs }: Row): number {
  return (info.endedAtMs === 0 ? nowMs : info.endedAtMs) - info.startedAtMs;
}

function successful({ info }: Row): number {
  return info.state === 'IN_PROGRESS' ? 0 : info.totalShards - info.failures.length;
}

const columns: readonly Column<Row>[] = [
  column('id', 'id,snapshot', 'unique snapshot', 'default', ({ info }) => info.name),
  column('repository', 're,repo', 'repository name', 'default', (row) => row.repository),
  column('status', 's,status', 'snapshot name', 'default right', ({ info }) => info.state),
  column('start_epoch', 'ste,startEpoch', 'start time in seconds since 1970-01-01 00:00:00', 'default', ({ info }) =>
    epochSeconds(info.startedAtMs),
  ),
  column('start_time', 'sti,startTime', 'start time in HH:MM:SS', 'default', ({ info }) => timeOfDay(info.startedAtMs)),
  column('end_epoch', 'ete,endEpoch', 'end time in seconds since 1970-01-01 00:00:00', 'default', ({ info }) =>
    epochSeconds(info.endedAtMs),
  ),
  column('end_time', 'eti,endTime', 'end time in HH:MM:SS', 'default', ({ info }) => timeOfDay(info.endedAtMs)),
  column('duration', 'dur,duration', 'duration', 'default right', (row) => millis(elapsed(row))),
  column('indices', 'i,indices', 'number of indices', 'default right', ({ info }) => info.indices.length),
  column('successful_shards', 'ss,successful_shards', 'number of successful shards', 'default right', successful),
  column(
    'failed_shards',
    'fs,failed_shards',
    'number of failed shards',
    'default right',
    ({ info }) => info.failures.length,
  ),
  column('total_shards', 'ts,total_shards', 'number of total shards', 'default right', ({ info }) => info.totalShards),
  column('reason', 'r,reason', 'reason for failures', '', ({ info }) => info.failures[0]?.reason ?? null),
];

export const routes = catRoutes<Row>({
  name: 'snapshots',
  paths: ['/_cat/snapshots', '/_cat/snapshots/{repository}'],
  refuses: ['local'],
  privilege: 'cluster:admin/snapshot/get',
  parameters: ['ignore_unavailable'],
  columns,
  async rows(request, services) {
    const nowMs = services.clock.now();
    const names = selectRepositories(services.cluster.state(), pathList(request, 'repository')).map(([name]) => name);
    const lists = await Promise.all(
      names.map(async (repository) => ({
        repository,
        all: await services.snapshots.list(repositoryLocation(services, repository)),
      })),
    );
    return lists.flatMap(({ repository, all }) => all.map((info) => ({ repository, info, nowMs })));
  },
});
