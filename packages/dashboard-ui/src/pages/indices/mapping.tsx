import { useState } from 'preact/hooks';
import { clusterCall, reasonOf } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { message } from '../../state/session.js';
import { DataTable } from '../../widgets/data-table.js';
import { Dialog } from '../../widgets/dialog.js';
import { Loaded } from '../../widgets/loaded.js';
import { inPath } from './index-rows.js';
import { fieldBody, mappedFields } from './mapping-fields.js';

const TYPES = ['keyword', 'text', 'long', 'double', 'date', 'boolean', 'ip', 'geo_point', 'object', 'nested'] as const;

type MappingAnswer = Readonly<Record<string, { readonly mappings: object }>>;

/** Fields of an index as a table and as JSON; fields can be added. */
export function Mapping({ index }: { readonly index: string }) {
  const mapping = useCall(`/${inPath(index)}/_mapping`);
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <div class="row">
        <button type="button" onClick={() => setAdding(true)}>
          Add field
        </button>
      </div>
      <Loaded call={mapping}>
        {({ json }) => {
          const [one] = Object.values((json ?? {}) as MappingAnswer);
          return (
            <>
              <DataTable
                caption="Fields"
                rows={mappedFields(one?.mappings ?? {})}
                keyOf={({ name }) => name}
                empty="The index has no fields yet."
                columns={[
                  { name: 'Field', show: ({ name }) => name, sort: ({ name }) => name },
                  { name: 'Type', show: ({ type }) => type, sort: ({ type }) => type },
                  { name: 'Parameters', show: ({ parameters }) => parameters },
                ]}
              />
              <details>
                <summary>As JSON</summary>
                <pre>{JSON.stringify(one?.mappings ?? {}, null, 2)}</pre>
              </details>
            </>
          );
        }}
      </Loaded>
      {isAdding && <AddField index={index} onClose={() => setAdding(false)} onDone={mapping.again} />}
    </>
  );
}

interface AddFieldProps {
  readonly index: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function AddField({ index, onClose, onDone }: AddFieldProps) {
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const name = String(form.get('name'));
    const body = fieldBody(name, String(form.get('type')));
    const added = await clusterCall('PUT', `/${inPath(index)}/_mapping`, { body });
    if (added.status !== 200) return setProblem(reasonOf(added));
    message.value = `The field ${name} was added.`;
    onDone();
    onClose();
  };
  return (
    <Dialog title="Add field" onClose={onClose}>
      <form class="form" onSubmit={(event) => void submit(event as SubmitEvent)}>
        {problem !== '' && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <label>
          Name
          <input name="name" required autofocus autocomplete="off" spellcheck={false} />
        </label>
        <label>
          Type
          <select name="type">
            {TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
        <div class="row">
          <button type="submit" class="primary">
            Add
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
