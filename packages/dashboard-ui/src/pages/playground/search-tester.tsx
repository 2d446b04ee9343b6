import { useEffect, useState } from 'preact/hooks';
import { type Answer, clusterCall, reasonOf } from '../../request/own-call.js';
import { formatAmount } from '../../state/format.js';
import { goTo, place } from '../../state/router.js';
import { Dialog } from '../../widgets/dialog.js';
import { NameField } from './name-field.js';
import { type Explanation, queryOf } from './search-query.js';

/** Pause after the last key before the search runs. */
const PAUSE_MS = 150;
const SIZE = 20;

/** Keeps a choice in the address, without a step for Back at each letter. */
function keep(name: string, value: string, fallback: string): void {
  const query = new URLSearchParams(place.value.query);
  if (value === fallback) query.delete(name);
  else query.set(name, value);
  goTo(query.size === 0 ? '/app/playground' : `/app/playground?${query}`, true);
}

interface Hit {
  readonly _index: string;
  readonly _id: string;
  readonly _score: number | null;
}

/** A search that runs while it is typed. */
export function SearchTester() {
  const { query } = place.value;
  const index = query.get('i') ?? '';
  const options = {
    text: query.get('text') ?? '',
    fields: query.get('fields') ?? '',
    fuzziness: query.get('fuzziness') ?? '0',
    operator: query.get('operator') ?? 'or',
  };
  const body = JSON.stringify({ query: queryOf(options), size: SIZE }, null, 2);
  const { answer, sources } = useSearch(index, body);
  const [explained, setExplained] = useState<Hit | null>(null);
  const hits = ((answer?.json ?? {}) as { hits?: { hits?: readonly Hit[]; total?: { value: number } } }).hits;
  return (
    <>
      <div class="row">
        <NameField label="Index" value={index} onChange={(value) => keep('i', value, '')} />
        <label class="field">
          Search text
          <input type="search" value={options.text} onInput={(event) => keep('text', event.currentTarget.value, '')} />
        </label>
        <label class="field">
          Fields
          <input value={options.fields} onInput={(event) => keep('fields', event.currentTarget.value, '')} />
        </label>
        <Choice name="Fuzziness" value={options.fuzziness} values={['0', '1', '2', 'AUTO']} id="fuzziness" />
        <Choice name="Operator" value={options.operator} values={['or', 'and']} id="operator" />
      </div>
      {index === '' && (
        <p>Choose an index; its results appear while you type. Fields may have weights: title^2, text.</p>
      )}
      {answer !== null && answer.status !== 200 && (
        <p role="alert" class="problem">
          {reasonOf(answer)}
        </p>
      )}
      {hits?.hits !== undefined && (
        <>
          <p role="status" aria-label="Matches">
            {formatAmount(hits.total?.value ?? 0, 'document', 'documents')}
          </p>
          <ol aria-label="Results" class="results">
            {hits.hits.map((hit, i) => (
              <li key={`${hit._index} ${hit._id}`}>
                <strong>{hit._id}</strong> <span class="evidence">{`score ${hit._score ?? '–'}`}</span>
                <pre>{sources[i] ?? ''}</pre>
                <button type="button" aria-label={`Explain score of ${hit._id}`} onClick={() => setExplained(hit)}>
                  Explain score
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
      <ShownQuery index={index} body={body} />
      {explained !== null && (
        <ScoreDialog hit={explained} query={queryOf(options)} onClose={() => setExplained(null)} />
      )}
    </>
  );
}

function ShownQuery({ index, body }: { readonly index: string; readonly body: string }) {
  return (
    <details>
      <summary>Query</summary>
      <pre tabIndex={0} aria-label="Query">
        {body}
      </pre>
      <button
        type="button"
        onClick={() => goTo(`/app/console?${new URLSearchParams({ request: `GET /${index}/_search\n${body}` })}`)}
      >
        Open in console
      </button>
    </details>
  );
}

/** Props of a choice of few values. */
interface ChoiceProps {
  readonly name: string;
  readonly id: string;
  readonly value: string;
  readonly values: readonly string[];
}

function Choice({ name, id, value, values }: ChoiceProps) {
  return (
    <label class="field">
      {name}
      <select value={value} onChange={(event) => keep(id, event.currentTarget.value, values[0]!)}>
        {values.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}

/** Runs the search after a pause, and cancels the one before. Sources are text as the cluster sends it. */
function useSearch(
  index: string,
  body: string,
): { readonly answer: Answer | null; readonly sources: readonly string[] } {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (index === '') return setAnswer(null);
    const abort = new AbortController();
    const timer = window.setTimeout(() => {
      const path = `/${encodeURIComponent(index)}/_search`;
      clusterCall('POST', path, { body, signal: abort.signal }).then(setAnswer, () => undefined);
    }, PAUSE_MS);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [index, body]);
  return { answer, sources: answer === null || answer.status !== 200 ? [] : sourcesIn(answer.text) };
}

/** Texts of the `_source` of each hit as they were sent: numbers keep their digits. */
function sourcesIn(text: string): readonly string[] {
  const sources: string[] = [];
  const key = '"_source":';
  for (let at = text.indexOf(key); at !== -1; at = text.indexOf(key, at)) {
    const from = at + key.length;
    at = endOfObject(text, from);
    sources.push(text.slice(from, at));
  }
  return sources;
}

function endOfObject(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const char = text[i];
    if (char === '"') {
      for (i++; i < text.length && text[i] !== '"'; i++) if (text[i] === '\\') i++;
    } else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return i + 1;
  }
  return text.length;
}

/** Props of the dialog. */
interface ScoreDialogProps {
  readonly hit: Hit;
  readonly query: object;
  readonly onClose: () => void;
}

function ScoreDialog({ hit, query, onClose }: ScoreDialogProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    const path = `/${encodeURIComponent(hit._index)}/_explain/${encodeURIComponent(hit._id)}`;
    void clusterCall('POST', path, { body: { query } }).then(setAnswer);
  }, []);
  const explanation = ((answer?.json ?? {}) as { explanation?: Explanation }).explanation;
  return (
    <Dialog title={`Score of ${hit._id}`} onClose={onClose}>
      {answer === null && <p>Loading</p>}
      {explanation !== undefined && (
        <ul>
          <Part part={explanation} />
        </ul>
      )}
      {answer !== null && explanation === undefined && (
        <p role="alert" class="problem">
          {reasonOf(answer)}
        </p>
      )}
      <div class="row">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function Part({ part: { value, description, details = [] } }: { readonly part: Explanation }) {
  return (
    <li>
      {`${value}: ${description}`}
      {details.length > 0 && (
        <ul>
          {details.map((detail, i) => (
            <Part key={i} part={detail} />
          ))}
        </ul>
      )}
    </li>
  );
}
