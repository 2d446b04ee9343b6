import { useState } from 'preact/hooks';
import { ComboBox } from '../widgets/combo-box.js';
import { Dialog } from '../widgets/dialog.js';
import { type Field, isLeafField } from './fields.js';
import {
  type Filter,
  filterName,
  type FilterOperator,
  FILTERS_MAX,
  filterValues,
  negated,
  OPERATORS,
} from './filters.js';

/** Props of the filters. */
interface FilterListProps {
  readonly filters: readonly Filter[];
  readonly fields: readonly Field[];
  readonly onChange: (filters: readonly Filter[]) => void;
}

/** The filters of a search: each is edited, turned around or removed; new ones are added. */
export function FilterList({ filters, fields, onChange }: FilterListProps) {
  /** Number of the filter that is edited; that of a new one is the length of the list. */
  const [edited, setEdited] = useState<number | null>(null);
  const withFilter = (at: number, filter: Filter | null): readonly Filter[] =>
    filter === null ? filters.filter((_, i) => i !== at) : [...filters.slice(0, at), filter, ...filters.slice(at + 1)];
  return (
    <div class="row filters">
      {filters.length > 0 && (
        <ul aria-label="Filters" class="pills">
          {filters.map((filter, i) => (
            <li key={`${i} ${filterName(filter)}`}>
              <span>{filterName(filter)}</span>
              <button type="button" aria-label={`Edit filter ${filterName(filter)}`} onClick={() => setEdited(i)}>
                Edit
              </button>
              <button
                type="button"
                aria-label={`Negate filter ${filterName(filter)}`}
                onClick={() => onChange(withFilter(i, negated(filter)))}
              >
                Negate
              </button>
              <button
                type="button"
                aria-label={`Remove filter ${filterName(filter)}`}
                onClick={() => onChange(withFilter(i, null))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {filters.length < FILTERS_MAX && (
        <button type="button" onClick={() => setEdited(filters.length)}>
          Add filter
        </button>
      )}
      {edited !== null && (
        <FilterDialog
          filter={filters[edited] ?? null}
          fields={fields}
          onClose={() => setEdited(null)}
          onDone={(filter) => {
            setEdited(null);
            onChange(withFilter(edited, filter));
          }}
        />
      )}
    </div>
  );
}

/** Props of the dialog. */
interface FilterDialogProps {
  /** Null for a new one. */
  readonly filter: Filter | null;
  readonly fields: readonly Field[];
  readonly onClose: () => void;
  readonly onDone: (filter: Filter) => void;
}

function FilterDialog({ filter, fields, onClose, onDone }: FilterDialogProps) {
  const [field, setField] = useState(filter?.field ?? '');
  const [op, setOp] = useState<FilterOperator>(filter?.op ?? 'is');
  const [value, setValue] = useState(filter === null ? '' : filterValues(filter).join('\n'));
  const isList = op === 'in' || op === 'not_in';
  const hasValue = op !== 'exists' && op !== 'missing';
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (field.trim() === '') return;
    const values = isList ? value.split('\n').filter((line) => line !== '') : value;
    if (isList && values.length === 0) return;
    onDone({ field: field.trim(), op, ...(hasValue ? { value: values } : {}) });
  };
  return (
    <Dialog title={filter === null ? 'Add filter' : `Filter ${filterName(filter)}`} onClose={onClose}>
      <form class="form" onSubmit={(event) => submit(event as SubmitEvent)}>
        <ComboBox
          label="Field"
          value={field}
          options={fields.filter((one) => isLeafField(one) && one.isSearchable).map(({ name }) => name)}
          onTake={setField}
          isLive
        />
        <label>
          Operator
          <select value={op} onChange={(event) => setOp(event.currentTarget.value as FilterOperator)}>
            {OPERATORS.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {hasValue && !isList && (
          <label>
            Value
            <input value={value} onInput={(event) => setValue(event.currentTarget.value)} />
          </label>
        )}
        {isList && (
          <label>
            Values, one a line
            <textarea rows={5} value={value} onInput={(event) => setValue(event.currentTarget.value)} />
          </label>
        )}
        <div class="row">
          <button type="submit" class="primary">
            {filter === null ? 'Add' : 'Change'}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
