import { useState } from 'preact/hooks';
import { type Field, isLeafField } from '../../explore/fields.js';
import { formatAmount, formatCount } from '../../state/format.js';

/** Props of the list of fields. */
interface FieldsPanelProps {
  readonly fields: readonly Field[];
  readonly columns: readonly string[];
  readonly onOpen: (field: Field) => void;
  readonly onColumn: (name: string, isShown: boolean) => void;
}

/** Fields shown at once. */
const SHOWN_MAX = 150;

/** The fields of the searched indices: each opens its values, and becomes a column. */
export function FieldsPanel({ fields, columns, onOpen, onColumn }: FieldsPanelProps) {
  const [text, setText] = useState('');
  const [count, setCount] = useState(SHOWN_MAX);
  const lower = text.trim().toLowerCase();
  const own = fields.filter((field) => isLeafField(field) && (!field.isVariant || lower !== ''));
  const found = own.filter(({ name }) => name.toLowerCase().includes(lower));
  const ordered = found.toSorted((a, b) => Number(columns.includes(b.name)) - Number(columns.includes(a.name)));
  const left = ordered.length - count;
  return (
    <aside aria-label="Fields" class="fields">
      <label class="field">
        Filter fields
        <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <p class="evidence">{formatAmount(own.length, 'field', 'fields')}</p>
      <ul>
        {ordered.slice(0, count).map((field) => {
          const { name, type } = field;
          const isShown = columns.includes(name);
          const act = isShown ? `Hide column ${name}` : `Show ${name} as a column`;
          return (
            <li key={name}>
              <button
                type="button"
                class="plain"
                aria-label={`Field ${name}`}
                title={type}
                onClick={() => onOpen(field)}
              >
                {name}
              </button>
              <button type="button" aria-label={act} title={act} onClick={() => onColumn(name, !isShown)}>
                {isShown ? '−' : '+'}
              </button>
            </li>
          );
        })}
      </ul>
      {left > 0 && (
        <p>
          {formatAmount(left, 'field', 'fields')} not shown.{' '}
          <button type="button" onClick={() => setCount(count + SHOWN_MAX)}>
            Show {formatCount(Math.min(left, SHOWN_MAX))} more fields
          </button>
        </p>
      )}
    </aside>
  );
}
