import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { type CompletionOption, type Completions, completionsAt } from '../../console-language/completions.js';
import type { ClusterNames } from './cluster-names.js';

/** Completions of the console: its tables, and names of the cluster. */
export function consoleCompletion(names: ClusterNames): Extension {
  return autocompletion({
    override: [(context) => complete(context, names)],
    icons: false,
    maxRenderedOptions: 200,
    activateOnTypingDelay: 50,
  });
}

async function complete(context: CompletionContext, names: ClusterNames): Promise<CompletionResult | null> {
  const { pos, explicit, state } = context;
  const text = state.doc.toString();
  const found = completionsAt(text, pos);
  if (found === null) return null;
  const typed = text.slice(found.from, pos);
  // Without a letter the list opens where one is sure to follow, or when it is asked for.
  if (!explicit && typed === '' && !/[/?&]$/.test(text.slice(0, pos))) return null;
  const options = [...found.options, ...(await clusterOptions(found, typed, names))].map(
    (option): Completion => ({
      label: option.label,
      ...(option.detail === undefined ? {} : { detail: option.detail }),
      apply: (view, _completion, from, to) => {
        // A quote that closes the text already is replaced with it.
        const end = option.insert.startsWith('"') && view.state.sliceDoc(to, to + 1) === '"' ? to + 1 : to;
        const inner = /[{[]$/.test(option.insert.slice(0, -1)) ? 1 : 0;
        view.dispatch({
          changes: { from, to: end, insert: option.insert },
          selection: { anchor: from + option.insert.length - inner },
          userEvent: 'input.complete',
        });
      },
    }),
  );
  // What is written in full needs no list, which would take the next Enter for itself.
  if (!explicit && options.some(({ label }) => label === typed)) return null;
  return options.length === 0 ? null : { from: found.from, options };
}

/** Names and values of the cluster as they are written at the place. */
async function clusterOptions(
  { names, valuesOf }: Completions,
  typed: string,
  cluster: ClusterNames,
): Promise<readonly CompletionOption[]> {
  const options: CompletionOption[] = [];
  if (names !== undefined) {
    const found = names.kind === 'indices' ? await cluster.indices() : await cluster.fields(names.index);
    const slash = typed.startsWith('/') ? '/' : '';
    for (const { name, detail } of found) {
      const label = names.form === 'path' ? slash + name : JSON.stringify(name);
      options.push({ label, insert: names.form === 'key' ? `${label}: ` : label, detail });
    }
  }
  if (valuesOf !== undefined)
    for (const { name, detail } of await cluster.values(valuesOf.index, valuesOf.field, typed.replace(/^"/, '')))
      options.push({ label: JSON.stringify(name), insert: JSON.stringify(name), detail });
  return options;
}
