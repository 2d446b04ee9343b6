import { useEffect, useState } from 'preact/hooks';
import { countedField, type Field } from '../../explore/fields.js';
import type { Filter } from '../../explore/filters.js';
import type { Hit } from '@shoal/values';
import { indicesPath } from '../../explore/use-search.js';
import type { Query } from '../../kql/kql-query.js';
import { type Answer, clusterCall } from '../../request/own-call.js';
import { formatAmount, formatCount } from '../../state/format.js';
import { Dialog } from '../../widgets/dialog.js';
import { Failure } from '../../widgets/failure.js';
import { isNumberType } from './distribution.js';
import { FieldDistribution } from './field-distribution.js';
import { readTopValues, sampleTopValues, topValuesBody, type TopValues } from './top-values.js';

/** Props of the dialog. */
interface FieldDialogProps {
  readonly field: Field;
  readonly fields: readonly Field[];
  readonly indices: string;
  /** The query of the search, with its time and filters. */
  readonly query: Query;
  readonly hits: readonly Hit[];
  readonly onFilter: (filter: Filter) => void;
  readonly onClose: () => void;
}

/** Characters of a value in a button's name. */
const NAME_CHARS_MAX = 80;

const shortened = (text: string): string => (text.length > NAME_CHARS_MAX ? `${text.slice(0, NAME_CHARS_MAX)}…` : text);

/** The most frequent values of a field in what was found; each becomes a filter. */
export function FieldDialog({ field, fields, indices, query, hits, onFilter, onClose }: FieldDialogProps) {
  const counted = countedField(fields, field.name);
  const [values, setValues] = useState<TopValues | null>(counted === null ? sampleTopValues(hits, field.name) : null);
  const [failure, setFailure] = useState<Answer | null>(null);
  const [looks, setLooks] = useState(0);
  const path = `${indicesPath(indices)}/_search`;
  useEffect(() => {
    if (counted === null) return;
    const abort = new AbortController();
    const body = topValuesBody(query, counted.name);
    clusterCall('POST', path, { body, signal: abort.signal }).then(
      (answer) => {
        setFailure(answer.status === 200 ? null : answer);
        if (answer.status === 200) setValues(readTopValues(answer.text));
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [looks]);
  const filter = (op: Filter['op'], value?: string): void => {
    onClose();
    onFilter({ field: counted?.name ?? field.name, op, ...(value === undefined ? {} : { value }) });
  };
  return (
    <Dialog title={`Field ${field.name}`} onClose={onClose}>
      <p class="evidence">Type: {field.type}</p>
      {failure !== null && <Failure answer={failure} request={`POST ${path}`} again={() => setLooks(looks + 1)} />}
      {values === null && failure === null && <p aria-busy="true">Loading</p>}
      {values !== null && (
        <ValueTable values={values} isSample={counted === null} onFilter={(op, value) => filter(op, value)} />
      )}
      {counted !== null && isNumberType(counted.type) && (
        <FieldDistribution field={counted.name} query={query} path={path} />
      )}
      <div class="row">
        <button type="button" onClick={() => filter('exists')}>
          Filter for any value
        </button>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function ValueTable({
  values: { values, documents, others },
  isSample,
  onFilter,
}: {
  readonly values: TopValues;
  readonly isSample: boolean;
  readonly onFilter: (op: Filter['op'], value: string) => void;
}) {
  if (values.length === 0) return <p>No document found has a value.</p>;
  const most = values[0]!.count;
  return (
    <>
      <p>
        {isSample
          ? `Values of the ${formatAmount(documents, 'document', 'documents')} loaded.`
          : `Values of all ${formatAmount(documents, 'document', 'documents')}.`}
        {others > 0 && ` ${formatAmount(others, 'further value is', 'further values are')} not shown.`}
      </p>
      <div class="table-box" tabIndex={0} role="group" aria-label="Top values, scrolls">
        <table>
          <caption>Top values</caption>
          <thead>
            <tr>
              <th scope="col">Value</th>
              <th scope="col" class="number">
                Documents
              </th>
              <th scope="col">Filter</th>
            </tr>
          </thead>
          <tbody>
            {values.map(({ text, count }) => (
              <tr key={text}>
                <th scope="row">
                  {text === '' ? '(empty)' : text}
                  <span class="share" style={{ width: `${(100 * count) / most}%` }} />
                </th>
                <td class="number">
                  {formatCount(count)} ({formatCount(Math.round((1_000 * count) / Math.max(1, documents)) / 10)} %)
                </td>
                <td class="acts">
                  <button
                    type="button"
                    aria-label={`Filter for ${shortened(text)}`}
                    onClick={() => onFilter('is', text)}
                  >
                    For
                  </button>
                  <button
                    type="button"
                    aria-label={`Filter out ${shortened(text)}`}
                    onClick={() => onFilter('is_not', text)}
                  >
                    Out
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
