import { useState } from 'preact/hooks';
import { clusterCall } from '../request/own-call.js';
import { message } from '../state/session.js';
import { FormDialog } from './form-dialog.js';

/** A setting that may be changed while the cluster runs. */
export interface ChangeableSetting {
  readonly name: string;
  /** The value now, as text. */
  readonly value: string;
  /** The value without a setting; null if it is not known here. */
  readonly standard: string | null;
}

/** Props of the dialog. */
interface ChangeSettingProps {
  readonly setting: ChangeableSetting;
  readonly path: string;
  /** The body that sets the value; null puts the default back. */
  readonly bodyOf: (value: string | null) => object;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Changes one setting: shows its default and exactly the call that is made. */
export function ChangeSetting({
  setting: { name, value, standard },
  path,
  bodyOf,
  onClose,
  onDone,
}: ChangeSettingProps) {
  const [text, setText] = useState(value);
  const [isDefault, setDefault] = useState(false);
  const body = bodyOf(isDefault ? null : text);
  return (
    <FormDialog
      title={`Change ${name}`}
      does="Change"
      run={() => clusterCall('PUT', path, { body })}
      onClose={onClose}
      onDone={() => {
        message.value = `${name} was changed.`;
        onDone();
      }}
    >
      <p>
        It changes at once. Now: <code>{value}</code>.{' '}
        {standard !== null && (
          <>
            Default: <code>{standard === '' ? 'empty' : standard}</code>.
          </>
        )}
      </p>
      <label>
        Value
        <input
          value={text}
          disabled={isDefault}
          autofocus
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={isDefault} onChange={() => setDefault(!isDefault)} />
        Back to the default
      </label>
      <pre tabIndex={0} aria-label="Call">
        {`PUT ${path}\n${JSON.stringify(body, null, 2)}`}
      </pre>
    </FormDialog>
  );
}
