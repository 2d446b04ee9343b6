import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { completeKql, type Completion, kqlValue } from '../kql/complete-kql.js';
import { clusterCall } from '../request/own-call.js';
import { itemAfterKey } from '../widgets/menu.js';
import { OptionList, optionId } from '../widgets/option-list.js';
import { countedField, type Field, isLeafField } from './fields.js';
import type { Language } from './search-state.js';
import { indicesPath } from './use-search.js';

/** Props of the box for a query. */
interface QueryBoxProps {
  readonly text: string;
  readonly language: Language;
  readonly indices: string;
  readonly fields: readonly Field[];
  /** Why the text is no query; null if it is one. */
  readonly problem: string | null;
  readonly onText: (text: string) => void;
}

/** Values that are asked for. */
const VALUES_MAX = 10;

interface Shown {
  readonly from: number;
  readonly texts: readonly string[];
}

/** Completions as texts: those of values come from the cluster. */
async function shownFor(
  completion: Completion,
  { indices, fields }: Pick<QueryBoxProps, 'indices' | 'fields'>,
  signal: AbortSignal,
): Promise<Shown> {
  if (completion.kind !== 'value') return completion;
  const { from, field, prefix } = completion;
  const counted = countedField(fields, field);
  if (counted?.type === 'boolean') return { from, texts: ['true', 'false'].filter((one) => one.startsWith(prefix)) };
  if (counted === null || !['keyword', 'constant_keyword', 'flattened'].includes(counted.type))
    return { from, texts: [] };
  const body = { field: counted.name, string: prefix, size: VALUES_MAX, case_insensitive: true };
  const answer = await clusterCall('POST', `${indicesPath(indices)}/_terms_enum`, { body, signal, isPolling: true });
  const { terms = [] } = (answer.json ?? {}) as { readonly terms?: readonly string[] };
  return { from, texts: answer.status === 200 ? terms.map((term) => `${kqlValue(term)} `) : [] };
}

/** Completions of a text before the caret, as they come. */
function useCompletions(
  before: string | null,
  { indices, fields }: Pick<QueryBoxProps, 'indices' | 'fields'>,
): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    if (before === null) return setShown(null);
    const completion = completeKql(
      before,
      fields.filter(isLeafField).map(({ name }) => name),
    );
    if (completion === null) return setShown(null);
    const abort = new AbortController();
    shownFor(completion, { indices, fields }, abort.signal).then(
      (next) => {
        if (!abort.signal.aborted) setShown(next);
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [before, indices, fields]);
  return before === null ? null : shown;
}

/** The query as text, with completions for KQL: arrows choose, Enter takes the chosen one, else it searches. */
export function QueryBox({ text, language, indices, fields, problem, onText }: QueryBoxProps) {
  const [before, setBefore] = useState<string | null>(null);
  const [at, setAt] = useState<number | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const shown = useCompletions(language === 'kql' ? before : null, { indices, fields });
  const texts = shown?.texts ?? [];
  const follow = (): void => {
    const { value, selectionStart, selectionEnd } = input.current!;
    setBefore(selectionStart === selectionEnd ? value.slice(0, selectionStart ?? 0) : null);
    setAt(null);
  };
  const take = (chosen: string): void => {
    const { value, selectionStart } = input.current!;
    const head = value.slice(0, shown!.from) + chosen;
    input.current!.value = head + value.slice(selectionStart ?? value.length);
    input.current!.setSelectionRange(head.length, head.length);
    onText(input.current!.value);
    follow();
  };
  const onKey = (event: KeyboardEvent): void => {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    if (isArrow) {
      event.preventDefault();
      if (texts.length === 0) follow();
      else if (at === null) setAt(event.key === 'ArrowDown' ? 0 : texts.length - 1);
      else setAt(itemAfterKey(event.key, at, texts.length));
    } else if (event.key === 'Enter' && at !== null && texts[at] !== undefined) {
      event.preventDefault();
      take(texts[at]);
    } else if (event.key === 'Escape' || event.key === 'Enter') setBefore(null);
  };
  return (
    <div class="field query">
      <label for={`${id}-text`}>Query</label>
      <input
        ref={input}
        id={`${id}-text`}
        type="text"
        value={text}
        spellcheck={false}
        autocomplete="off"
        aria-autocomplete="list"
        aria-controls={texts.length > 0 ? id : undefined}
        aria-activedescendant={at === null ? undefined : optionId(id, at)}
        aria-invalid={problem === null ? undefined : 'true'}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onInput={(event) => {
          onText(event.currentTarget.value);
          follow();
        }}
        onKeyDown={onKey}
        onBlur={() => setBefore(null)}
      />
      <OptionList id={id} label="Completions" options={texts} at={at} onChoose={take} />
      {problem !== null && (
        <p id={`${id}-problem`} role="alert" class="problem">
          {problem}
        </p>
      )}
    </div>
  );
}
