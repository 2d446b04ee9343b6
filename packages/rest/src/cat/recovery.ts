import type { JsonObject } from '@shoal/json';
import { OPEN_AND_CLOSED } from '@shoal/state';
import { INDICES_PARAMETERS, pathList, selectIndices } from '../admin/index-options.js';
import { recoveryRows } from '../admin/recovery-json.js';
import { bytes, type Cell, millis } from './cell.js';
import { catRoutes, type Column, column } from './table.js';
import { isoTime } from './timestamps.js';

interface Row {
  readonly index: string;
  readonly json: JsonObject;
}

function at(row: Row, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as JsonObject)[key] : undefined),
    row.json,
  );
}

function plain(row: Row, ...path: string[]): Cell {
  const value = at(row, ...path);
  return value === undefined ? null : (value as string | number);
}

function orNone(row: Row, ...path: string[]): Cell {
  return plain(row, ...path) ?? 'n/a';
}

const size = (row: Row, name: string): Cell => bytes(Number(at(row, 'index', 'size', name)));
const startedAt = (row: Row): number => Number(at(row, 'start_time_in_millis'));
const stoppedAt = (row: Row): number => Number(at(row, 'stop_time_in_millis') ?? 0);

const columns: readonly Column<Row>[] = [
  column('index', 'i,idx', 'index name', 'default', (row) => row.index),
  column('shard', 's,sh', 'shard name', 'default', (row) => plain(row, 'id')),
  column('start_time', 'start', 'recovery start time', '', (row) => isoTime(startedAt(row))),
  column('start_time_millis', 'start_millis', 'recovery start time in epoch milliseconds', '', startedAt),
  column('stop_time', 'stop', 'recovery stop time', '', (row) => isoTime(stoppedAt(row))),
  column('stop_time_millis', 'stop_millis', 'recovery stop time in epoch milliseconds', '', stoppedAt),
  column('time', 't,ti', 'recovery time', 'default', (row) => millis(Number(at(row, 'total_time_in_millis')))),
  column('type', 'ty', 'recovery type', 'default', (row) => String(at(row, 'type')).toLowerCase()),
  column('stage', 'st', 'recovery stage', 'default', (row) => String(at(row, 'stage')).toLowerCase()),
  column('source_host', 'shost', 'source host', 'default', (row) => orNone(row, 'source', 'host')),
  column('source_node', 'snode', 'source node name', 'default', (row) => orNone(row, 'source', 'name')),
  column('target_host', 'thost', 'target host', 'default', (row) => orNone(row, 'target', 'host')),
  column('target_node', 'tnode', 'target node name', 'default', (row) => orNone(row, 'target', 'name')),
  column('repository', 'rep', 'repository', 'default', (row) => orNone(row, 'source', 'repository')),
  column('snapshot', 'snap', 'snapshot', 'default', (row) => orNone(row, 'source', 'snapshot')),
  column(
    'files',
    'f',
    'number of files to recover',
    'default',
    (row) => Number(at(row, 'index', 'files', 'total')) - Number(at(row, 'index', 'files', 'reused')),
  ),
  column('files_recovered', 'fr', 'files recovered', 'default', (row) => plain(row, 'index', 'files', 'recovered')),
  column('files_percent', 'fp', 'percent of files recovered', 'default', (row) =>
    plain(row, 'index', 'files', 'percent'),
  ),
  column('files_total', 'tf', 'total number of files', 'default', (row) => plain(row, 'index', 'files', 'total')),
  column('bytes', 'b', 'number of bytes to recover', 'default', (row) =>
    bytes(Number(at(row, 'index', 'size', 'total_in_bytes')) - Number(at(row, 'index', 'size', 'reused_in_bytes'))),
  ),
  column('bytes_recovered', 'br', 'bytes recovered', 'default', (row) => size(row, 'recovered_in_bytes')),
  column('bytes_percent', 'bp', 'percent of bytes recovered', 'default', (row) =>
    plain(row, 'index', 'size', 'percent'),
  ),
  column('bytes_total', 'tb', 'total number of bytes', 'default', (row) => size(row, 'total_in_bytes')),
  column('translog_ops', 'to', 'number of translog ops to recover', 'default', (row) =>
    plain(row, 'translog', 'total'),
  ),
  column('translog_ops_recovered', 'tor', 'translog ops recovered', 'default', (row) =>
    plain(row, 'translog', 'recovered'),
  ),
  column('translog_ops_percent', 'top', 'percent of translog ops recovered', 'default', (row) =>
    plain(row, 'translog', 'percent'),
  ),
];

export const routes = catRoutes<Row>({
  name: 'recovery',
  paths: ['/_cat/recovery', '/_cat/recovery/{index}'],
  refuses: ['local', 'master_timeout'],
  privilege: 'indices:monitor/recovery',
  parameters: [...INDICES_PARAMETERS, 'active_only', 'detailed', 'index'],
  columns,
  async rows(request, services) {
    pathList(request, 'index');
    const activeOnly = request.params.boolean('active_only', false);
    const metas = selectIndices(request, services, OPEN_AND_CLOSED);
    const rows = await recoveryRows(services, metas);
    return rows
      .filter((row) => !activeOnly || row.json['stage'] !== 'DONE')
      .map(({ index, json }) => ({ index: index.name, json }));
  },
});
