import { useState } from 'preact/hooks';
import { ChangeSetting, type ChangeableSetting } from './change-setting.js';
import { DataTable } from './data-table.js';

/** A setting as it is listed. */
export interface ListedSetting {
  readonly name: string;
  readonly value: unknown;
  /** Where the value comes from: `set`, `default`, `persistent`. */
  readonly from: string;
}

/** Props of the table. */
interface SettingTableProps {
  readonly caption: string;
  readonly settings: readonly ListedSetting[];
  /** Defaults of settings that may be changed now, by name. */
  readonly changeable: Readonly<Record<string, string>>;
  /** Beginnings of names that may be changed now. */
  readonly changeablePrefixes: readonly string[];
  readonly path: string;
  readonly bodyOf: (name: string, value: string | null) => object;
  readonly again: () => void;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Settings with their values; those that may be changed now have a button for it. */
export function SettingTable(props: SettingTableProps) {
  const { caption, settings, changeable, changeablePrefixes, path, bodyOf, again } = props;
  const [text, setText] = useState('');
  const [isChangeable, setChangeable] = useState(false);
  const [changed, setChanged] = useState<ChangeableSetting | null>(null);
  const canChange = (name: string): boolean =>
    Object.hasOwn(changeable, name) || changeablePrefixes.some((prefix) => name.startsWith(prefix));
  const wanted = text.trim().toLowerCase();
  return (
    <>
      <div class="row">
        <label class="field">
          Filter settings
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <label class="check">
          <input type="checkbox" checked={isChangeable} onChange={() => setChangeable(!isChangeable)} />
          Only those that can change now
        </label>
      </div>
      <DataTable
        caption={caption}
        rows={settings.filter(({ name }) => name.includes(wanted) && (!isChangeable || canChange(name)))}
        keyOf={({ name, from }) => `${from} ${name}`}
        empty="No setting has this in its name."
        columns={[
          { name: 'Setting', show: ({ name }) => name, sort: ({ name }) => name },
          { name: 'Value', show: ({ value }) => textOf(value) },
          { name: 'From', show: ({ from }) => from, sort: ({ from }) => from },
          { name: 'Default', show: ({ name }) => changeable[name] ?? '' },
          {
            name: 'Change',
            show: ({ name, value }) =>
              canChange(name) && (
                <button
                  type="button"
                  aria-label={`Change ${name}`}
                  onClick={() => setChanged({ name, value: textOf(value), standard: changeable[name] ?? null })}
                >
                  Change
                </button>
              ),
          },
        ]}
      />
      {changed !== null && (
        <ChangeSetting
          setting={changed}
          path={path}
          bodyOf={(value) => bodyOf(changed.name, value)}
          onClose={() => setChanged(null)}
          onDone={again}
        />
      )}
    </>
  );
}
