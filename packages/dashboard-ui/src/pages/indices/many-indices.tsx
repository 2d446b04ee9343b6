import { useState } from 'preact/hooks';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { formatAmount } from '../../state/format.js';
import { message } from '../../state/session.js';
import { ConfirmDelete } from '../../widgets/confirm-delete.js';
import { Menu } from '../../widgets/menu.js';
import { nameBatches } from './name-batches.js';

/** Calls on indices by the name of the menu item. */
const CALLS: readonly (readonly [name: string, end: string])[] = [
  ['Refresh', '_refresh'],
  ['Flush', '_flush'],
  ['Force merge', '_forcemerge'],
  ['Close', '_close'],
  ['Open', '_open'],
];

/** Props of the bar. */
interface ManyIndicesProps {
  /** Those that are chosen and still there. */
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[]) => void;
  /** All that are listed now. */
  readonly listed: readonly string[];
  readonly again: () => void;
}

/** Makes one call after another until one is refused; returns the last answer. */
async function callEach(method: string, paths: readonly string[]): Promise<Answer> {
  let answer = await clusterCall(method, paths[0]!);
  for (const path of paths.slice(1)) {
    if (answer.status !== 200) break;
    answer = await clusterCall(method, path);
  }
  return answer;
}

/** Acts on all indices that are chosen. */
export function ManyIndices({ chosen, onChoose, listed, again }: ManyIndicesProps) {
  const [isDeleting, setDeleting] = useState(false);
  const amount = formatAmount(chosen.length, 'index', 'indices');
  const paths = nameBatches(chosen).map((names) => `/${names}`);
  const act = async (name: string, end: string): Promise<void> => {
    const answer = await callEach(
      'POST',
      paths.map((path) => `${path}/${end}`),
    );
    message.value = answer.status === 200 ? `${name}: ${amount}` : reasonOf(answer);
    again();
  };
  return (
    <div class="row">
      <label class="check">
        <input
          type="checkbox"
          checked={listed.length > 0 && chosen.length === listed.length}
          onChange={(event) => onChoose(event.currentTarget.checked ? listed : [])}
        />
        Choose all listed
      </label>
      {chosen.length > 0 && (
        <>
          <span role="status" aria-label="Chosen">
            {`${amount} chosen`}
          </span>
          <Menu
            label="Actions for those chosen"
            items={[
              ...CALLS.map(([name, end]) => ({ name, act: () => void act(name, end) })),
              { name: 'Delete', act: () => setDeleting(true) },
            ]}
          />
        </>
      )}
      {isDeleting && (
        <ConfirmDelete
          name={amount}
          lost="All their documents are lost."
          call={paths.map((path) => `DELETE ${path}`).join('\n')}
          run={() => callEach('DELETE', paths)}
          onClose={() => setDeleting(false)}
          onDone={() => {
            message.value = `${amount}: deleted.`;
            onChoose([]);
            again();
          }}
        />
      )}
    </div>
  );
}
