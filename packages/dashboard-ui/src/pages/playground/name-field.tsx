import { useId, useState } from 'preact/hooks';
import { useCall } from '../../request/use-call.js';

/** Props of the field. */
interface NameFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Names that are offered; those of the cluster's indices if absent. */
  readonly offered?: readonly string[];
}

/** A field for one name: what is typed is taken with Enter, and when it is left. */
export function NameField({ label, value, onChange, offered }: NameFieldProps) {
  const list = useCall('/_cat/indices?format=json&h=index&s=index');
  const id = useId();
  const [typed, setTyped] = useState(value);
  const names =
    offered ?? ((list.answer?.json ?? []) as readonly { readonly index: string }[]).map(({ index }) => index);
  return (
    <label class="field">
      {label}
      <input
        list={id}
        value={typed}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={() => onChange(typed.trim())}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange(typed.trim());
        }}
      />
      <datalist id={id}>
        {names.slice(0, 1_000).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}
