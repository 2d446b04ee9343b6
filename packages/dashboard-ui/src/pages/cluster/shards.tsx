import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { formatAmount, formatBytes, formatCount } from '../../state/format.js';
import { Dialog } from '../../widgets/dialog.js';
import { Loaded } from '../../widgets/loaded.js';
import { IndexCauses } from '../../why/index-causes.js';
import { copyName, shardMap, type ShardRow } from './shard-map.js';

const LIST =
  '/_cat/shards?format=json&bytes=b&s=index,shard,prirep&h=index,shard,prirep,state,docs,store,node,unassigned.reason';
/** Indices in the page at once; the filter finds the others. */
const INDICES_SHOWN = 100;

/** Which copy is on which node; each copy is a button that tells its size, or why it has no node. */
export function Shards() {
  const list = useCall(LIST);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<ShardRow | null>(null);
  return (
    <>
      <label class="field">
        Filter indices
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <Loaded call={list}>
        {({ json }) => {
          const all = (json ?? []) as readonly ShardRow[];
          const rows = all.filter(({ index }) => index.includes(text.trim()));
          return rows.length === 0 ? <p>There are no shards.</p> : <MapTable rows={rows} choose={setChosen} />;
        }}
      </Loaded>
      {chosen !== null && <CopyDialog copy={chosen} onClose={() => setChosen(null)} onDone={list.again} />}
    </>
  );
}

function MapTable({ rows, choose }: { readonly rows: readonly ShardRow[]; readonly choose: (row: ShardRow) => void }) {
  const { nodes, indices } = shardMap(rows);
  const left = indices.length - INDICES_SHOWN;
  return (
    <div class="table-box" tabIndex={0} role="group" aria-label="Shards, scrolls">
      <table>
        <caption>Shards</caption>
        <thead>
          <tr>
            <th scope="col">Index</th>
            {nodes.map((node) => (
              <th key={node} scope="col">
                {node ?? 'No node'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {indices.slice(0, INDICES_SHOWN).map(({ index, byNode }) => (
            <tr key={index}>
              <th scope="row">{index}</th>
              {nodes.map((node) => (
                <td key={node}>
                  {(byNode.get(node) ?? []).map((row, i) => (
                    <button
                      key={i}
                      type="button"
                      class={`copy copy-${row.state.toLowerCase()}`}
                      aria-label={copyName(row)}
                      onClick={() => choose(row)}
                    >
                      {copyName(row).slice(row.index.length + 1)}
                    </button>
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && <p>{formatAmount(left, 'index is', 'indices are')} not shown: filter by name.</p>}
    </div>
  );
}

interface Explanation {
  readonly allocate_explanation?: string;
  readonly rebalance_explanation?: string;
  readonly move_explanation?: string;
  readonly node_allocation_decisions?: readonly {
    readonly node_name: string;
    readonly deciders?: readonly { readonly decider: string; readonly explanation: string }[];
  }[];
}

/** Props of the dialog. */
interface CopyDialogProps {
  readonly copy: ShardRow;
  readonly onClose: () => void;
  /** Called after a call that mends it was made. */
  readonly onDone: () => void;
}

function CopyDialog({ copy, onClose, onDone }: CopyDialogProps) {
  const [explanation, setExplanation] = useState<Explanation | null>(null);
  const [problem, setProblem] = useState('');
  const ask = async (): Promise<void> => {
    const ofNode = copy.node === null || copy.prirep === 'p' ? {} : { current_node: copy.node.split(' -> ', 1)[0] };
    const body = { index: copy.index, shard: Number(copy.shard), primary: copy.prirep === 'p', ...ofNode };
    const answer = await clusterCall('POST', '/_cluster/allocation/explain', { body });
    if (answer.status === 200) setExplanation(answer.json as Explanation);
    else setProblem(reasonOf(answer));
  };
  return (
    <Dialog title={copyName(copy)} onClose={onClose}>
      <dl class="facts">
        {[
          ['Node', copy.node ?? 'none'],
          ['Documents', copy.docs === null ? '–' : formatCount(Number(copy.docs))],
          ['Size', copy.store === null ? '–' : formatBytes(Number(copy.store))],
          ...(copy['unassigned.reason'] === null ? [] : [['Reason', copy['unassigned.reason']]]),
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {explanation !== null && (
        <>
          <p>{explanation.allocate_explanation ?? explanation.move_explanation ?? explanation.rebalance_explanation}</p>
          <ul>
            {(explanation.node_allocation_decisions ?? []).flatMap(({ node_name: node, deciders = [] }) =>
              deciders.map(({ decider, explanation: why }) => (
                <li key={`${node} ${decider}`}>
                  {node}, {decider}: {why}
                </li>
              )),
            )}
          </ul>
        </>
      )}
      {explanation !== null && copy.node === null && <IndexCauses index={copy.index} onDone={onDone} />}
      {problem !== '' && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      <div class="row">
        <button type="button" onClick={() => void ask()}>
          {copy.node === null ? 'Why has it no node?' : 'Why is it here?'}
        </button>
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
