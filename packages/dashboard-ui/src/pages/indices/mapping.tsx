import { useState } from 'preact/hooks';
import { prettyJson, rawAt } from '@shoal/values';
import { clusterCall } from '../../request/own-call.js';
import { useCall } from '../../request/use-call.js';
import { message } from '../../state/session.js';
import { DataTable } from '../../widgets/data-table.js';
import { FormDialog } from '../../widgets/form-dialog.js';
import { Loaded } from '../../widgets/loaded.js';
import { inPath } from './index-rows.js';
import { addedText, fieldBody, type MappedField, mappedFields } from './mapping-fields.js';

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
        {({ json, text }) => {
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
                <pre>{prettyJson(rawAt(text, [index, 'mappings']) ?? '{}')}</pre>
              </details>
            </>
          );
        }}
      </Loaded>
      {isAdding && (
        <AddField
          index={index}
          fields={mappedFields(Object.values((mapping.answer?.json ?? {}) as MappingAnswer)[0]?.mappings ?? {})}
          onClose={() => setAdding(false)}
          onDone={mapping.again}
        />
      )}
    </>
  );
}

/** Props of the dialog. */
interface AddFieldProps {
  readonly index: string;
  /** The fields there are. */
  readonly fields: readonly MappedField[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Adds a field; tells before what changes, and shows the call. */
function AddField({ index, fields, onClose, onDone }: AddFieldProps) {
  const [name, setName] = useState('');
  const [type, setType] = useState<string>(TYPES[0]);
  const path = `/${inPath(index)}/_mapping`;
  const body = fieldBody(name.trim(), type);
  return (
    <FormDialog
      title="Add field"
      does="Add"
      run={() => clusterCall('PUT', path, { body })}
      onClose={onClose}
      onDone={() => {
        message.value = `The field ${name.trim()} was added.`;
        onDone();
      }}
    >
      <label>
        Name
        <input
          value={name}
          required
          autofocus
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <label>
        Type
        <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
          {TYPES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <p role="status" aria-label="What changes">
        {addedText(fields, name.trim(), type)}
      </p>
      <pre tabIndex={0} aria-label="Call">
        {`PUT ${path}\n${JSON.stringify(body, null, 2)}`}
      </pre>
    </FormDialog>
  );
}
