import { useEffect, useState } from 'preact/hooks';
import { place } from '../state/router.js';
import { ComboBox } from '../widgets/combo-box.js';
import { Dialog } from '../widgets/dialog.js';
import { type Field, isLeafField } from './fields.js';
import {
  type Condition,
  CONDITIONS_MAX,
  conditionsOf,
  conditionValues,
  type Filter,
  filterName,
  type FilterOperator,
  FILTERS_MAX,
  negated,
  OPERATORS,
  pinTurned,
  withConditions,
} from './filters.js';
import { keepPinned, pinnedFilters, withPinned } from './pinned-filters.js';

/** Props of the filters. */
interface FilterListProps {
  readonly filters: readonly Filter[];
  readonly fields: readonly Field[];
  readonly onChange: (filters: readonly Filter[]) => void;
}

/** The filters of a search: each is edited, turned around, pinned or removed; new ones are added. */
export function FilterList({ filters, fields, onChange: change }: FilterListProps) {
  const onChange = (next: readonly Filter[]): void => {
    keepPinned(next);
    change(next);
  };
  usePinned(filters, change);
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
                aria-label={`Pin filter ${filterName(filter)}`}
                aria-pressed={filter.isPinned === true}
                onClick={() => onChange(withFilter(i, pinTurned(filter)))}
              >
                Pin
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

/** An address without filters of its own begins with the pinned ones. */
function usePinned(filters: readonly Filter[], change: (filters: readonly Filter[]) => void): void {
  useEffect(() => {
    const all = withPinned(filters, pinnedFilters.value);
    if (!place.value.query.has('f') && all.length > filters.length) change(all);
  }, []);
}

/** Props of the dialog. */
interface FilterDialogProps {
  /** Null for a new one. */
  readonly filter: Filter | null;
  readonly fields: readonly Field[];
  readonly onClose: () => void;
  readonly onDone: (filter: Filter) => void;
}

/** A condition as it is edited: a list has a value a line. */
interface Draft {
  readonly field: string;
  readonly op: FilterOperator;
  readonly value: string;
}

const NEW: Draft = { field: '', op: 'is', value: '' };
const isListOp = (op: FilterOperator): boolean => op === 'in' || op === 'not_in';
const hasValue = (op: FilterOperator): boolean => op !== 'exists' && op !== 'missing';

/** The condition of a draft; null if something is missing. */
function conditionOf({ field, op, value }: Draft): Condition | null {
  const values = isListOp(op) ? value.split('\n').filter((line) => line !== '') : value;
  if (field.trim() === '' || (isListOp(op) && values.length === 0)) return null;
  return { field: field.trim(), op, ...(hasValue(op) ? { value: values } : {}) };
}

function FilterDialog({ filter, fields, onClose, onDone }: FilterDialogProps) {
  const [drafts, setDrafts] = useState<readonly Draft[]>(() =>
    filter === null ? [NEW] : conditionsOf(filter).map((one) => ({ ...one, value: conditionValues(one).join('\n') })),
  );
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const conditions = drafts.map(conditionOf).filter((one) => one !== null);
    if (conditions.length === drafts.length) onDone(withConditions(conditions, filter));
  };
  const change = (at: number, part: Partial<Draft>): void =>
    setDrafts(drafts.map((draft, i) => (i === at ? { ...draft, ...part } : draft)));
  return (
    <Dialog title={filter === null ? 'Add filter' : `Filter ${filterName(filter)}`} onClose={onClose}>
      <form class="form" onSubmit={(event) => submit(event as SubmitEvent)}>
        {drafts.map((draft, i) => (
          <ConditionFields
            key={i}
            draft={draft}
            fields={fields}
            number={drafts.length === 1 ? null : i + 1}
            onChange={(part) => change(i, part)}
            onRemove={() => setDrafts(drafts.filter((_, other) => other !== i))}
          />
        ))}
        {drafts.length < CONDITIONS_MAX && (
          <div class="row">
            <button type="button" onClick={() => setDrafts([...drafts, NEW])}>
              Or another condition
            </button>
          </div>
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

/** Props of the fields of a condition. */
interface ConditionFieldsProps {
  readonly draft: Draft;
  readonly fields: readonly Field[];
  /** Number of the condition; null if it is the only one. */
  readonly number: number | null;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly onRemove: () => void;
}

function ConditionFields({ draft: { field, op, value }, fields, number, onChange, onRemove }: ConditionFieldsProps) {
  const parts = (
    <>
      <ComboBox
        label="Field"
        value={field}
        options={fields.filter((one) => isLeafField(one) && one.isSearchable).map(({ name }) => name)}
        onTake={(taken) => onChange({ field: taken })}
        isLive
      />
      <label>
        Operator
        <select value={op} onChange={(event) => onChange({ op: event.currentTarget.value as FilterOperator })}>
          {OPERATORS.map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {hasValue(op) && !isListOp(op) && (
        <label>
          Value
          <input value={value} onInput={(event) => onChange({ value: event.currentTarget.value })} />
        </label>
      )}
      {isListOp(op) && (
        <label>
          Values, one a line
          <textarea rows={5} value={value} onInput={(event) => onChange({ value: event.currentTarget.value })} />
        </label>
      )}
    </>
  );
  if (number === null) return parts;
  return (
    <fieldset class="form">
      <legend>Condition {number}</legend>
      {parts}
      <div class="row">
        <button type="button" aria-label={`Remove condition ${number}`} onClick={onRemove}>
          Remove
        </button>
      </div>
    </fieldset>
  );
}
