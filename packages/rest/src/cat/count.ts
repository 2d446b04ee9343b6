import { OPEN_ONLY } from '@shoal/cluster';
import { INDICES_PARAMETERS, selectIndices } from '../admin/index-options.js';
import { broadcastStats } from '../admin/shard-stats.js';
import { catRoutes, column } from './table.js';
import { epochSeconds, timeOfDay } from './timestamps.js';

interface Row {
  readonly nowMs: number;
  readonly count: number;
}

export const routes = catRoutes<Row>({
  name: 'count',
  paths: ['/_cat/count', '/_cat/count/{index}'],
  privilege: 'indices:data/read/search',
  parameters: INDICES_PARAMETERS,
  columns: [
    column('epoch', 't,time', 'seconds since 1970-01-01 00:00:00', 'default', (row) => epochSeconds(row.nowMs)),
    column('timestamp', 'ts,hms,hhmmss', 'time in HH:MM:SS', 'default', (row) => timeOfDay(row.nowMs)),
    column('count', 'dc,docs.count,docsCount', 'the document count', 'default', (row) => row.count),
  ],
  async rows(request, services) {
    const metas = selectIndices(request, services, OPEN_ONLY);
    const { shards } = await broadcastStats(services, metas);
    const count = shards.filter((row) => row.primary).reduce((sum, row) => sum + row.stats.docs.count, 0);
    return [{ nowMs: services.clock.now(), count }];
  },
});
