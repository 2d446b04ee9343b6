import { useCall } from '../../request/use-call.js';
import { formatBytes, formatCount } from '../../state/format.js';
import { addressOf } from '../../state/router.js';
import { DataTable } from '../../widgets/data-table.js';
import { Facts } from '../../widgets/facts.js';
import { Loaded } from '../../widgets/loaded.js';
import { Tabs } from '../../widgets/tabs.js';
import { IndexCauses } from '../../why/index-causes.js';
import { IndexLifecycle } from './index-lifecycle.js';
import { type IndexRow, inPath } from './index-rows.js';
import { IndexSettings } from './index-settings.js';
import { Mapping } from './mapping.js';

/** One index: numbers, documents as stored, mapping, settings, copies. */
export function IndexView({ index }: { readonly index: string }) {
  return (
    <>
      <p>
        <a href={addressOf('/app/indices')}>Indices</a>
      </p>
      <h1 tabIndex={-1}>{index}</h1>
      <Tabs
        label="Parts of the index"
        tabs={[
          { id: 'overview', name: 'Overview', show: () => <Overview index={index} /> },
          { id: 'documents', name: 'Documents', show: () => <Documents index={index} /> },
          { id: 'mapping', name: 'Mapping', show: () => <Mapping index={index} /> },
          { id: 'settings', name: 'Settings', show: () => <IndexSettings index={index} /> },
          { id: 'shards', name: 'Shards', show: () => <Shards index={index} /> },
          { id: 'lifecycle', name: 'Lifecycle', show: () => <IndexLifecycle index={index} /> },
        ]}
      />
    </>
  );
}

function Overview({ index }: { readonly index: string }) {
  const row = useCall(`/_cat/indices/${inPath(index)}?format=json&bytes=b&expand_wildcards=all`);
  return (
    <Loaded call={row}>
      {({ json }) => {
        const [one] = (json ?? []) as IndexRow[];
        if (one === undefined) return <p>There is no such index.</p>;
        const facts = [
          ['Health', one.status === 'close' ? 'closed' : one.health],
          ['Documents', one['docs.count'] === null ? '–' : formatCount(Number(one['docs.count']))],
          ['Size', one['store.size'] === null ? '–' : formatBytes(Number(one['store.size']))],
          ['Primary shards', one.pri],
          ['Replicas', one.rep],
        ] as const;
        return (
          <>
            <Facts facts={facts} />
            <IndexCauses index={index} onDone={row.again} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Text of the answer as it came: numbers and key order are those of the documents. */
function Documents({ index }: { readonly index: string }) {
  const found = useCall(`/${inPath(index)}/_search?size=20&pretty&filter_path=hits.hits._id,hits.hits._source`);
  return (
    <Loaded call={found}>
      {({ text, json }) =>
        Object.keys((json ?? {}) as object).length === 0 ? (
          <p>The index has no documents.</p>
        ) : (
          <>
            <p>20 documents at most, exactly as they are stored.</p>
            <pre tabIndex={0} aria-label="Documents as stored">
              {text}
            </pre>
          </>
        )
      }
    </Loaded>
  );
}

interface ShardRow {
  readonly shard: string;
  readonly prirep: string;
  readonly state: string;
  readonly docs: string | null;
  readonly store: string | null;
  readonly node: string | null;
}

function Shards({ index }: { readonly index: string }) {
  const shards = useCall(`/_cat/shards/${inPath(index)}?format=json&bytes=b&h=shard,prirep,state,docs,store,node`);
  return (
    <Loaded call={shards}>
      {({ json }) => (
        <DataTable
          caption="Copies of shards"
          rows={((json ?? []) as ShardRow[]).map((row, i) => ({ ...row, i }))}
          keyOf={({ i }) => String(i)}
          empty="There are no shards."
          columns={[
            { name: 'Shard', show: ({ shard, prirep }) => `${shard} ${prirep === 'p' ? 'primary' : 'replica'}` },
            { name: 'State', show: ({ state }) => state.toLowerCase(), sort: ({ state }) => state },
            { name: 'Node', show: ({ node }) => node ?? 'none', sort: ({ node }) => node ?? '' },
            {
              name: 'Documents',
              show: ({ docs }) => (docs === null ? '–' : formatCount(Number(docs))),
              isNumber: true,
            },
            { name: 'Size', show: ({ store }) => (store === null ? '–' : formatBytes(Number(store))), isNumber: true },
          ]}
        />
      )}
    </Loaded>
  );
}
