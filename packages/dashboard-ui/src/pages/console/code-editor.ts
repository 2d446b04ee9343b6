import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentUnit } from '@codemirror/language';
import { forceLinting, linter, lintKeymap } from '@codemirror/lint';
import { search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, StateEffect } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import type { Problem } from '../../console-language/json-node.js';
import { parseConsole } from '../../console-language/parse-console.js';
import { createProblemFinder } from '../../console-language/problems.js';
import type { Variables } from '../../console-language/request-text.js';
import { boot } from '../../state/session.js';
import type { ClusterNames } from './cluster-names.js';
import { consoleCompletion } from './editor-completion.js';
import { consoleLanguage } from './editor-language.js';

/** Asks for marks although the text did not change. */
const markAnew = StateEffect.define<null>();
/** Answers beyond this are shown without colours and folding. */
const COLOURED_CHARACTERS_MAX = 2 * 1024 * 1024;

/** Sizes and colours come from the page's variables; only what needs the editor's own classes is here. */
const theme = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--ground)', color: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', fontSize: '0.9rem', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--weak)', border: '0' },
  '.cm-foldGutter .cm-gutterElement': { minWidth: '1.2rem', cursor: 'pointer' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'transparent',
    outline: '1px solid var(--line)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--ground)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.15rem 0.5rem', minHeight: '1.5rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal' },
  '.cm-panels': { backgroundColor: 'var(--raised)', color: 'var(--text)' },
  '.cm-panel.cm-search': { padding: '0.4rem' },
  '.cm-panel.cm-search [name=close]': { minWidth: '1.5rem', minHeight: '1.5rem' },
  '.cm-textfield': { backgroundColor: 'var(--ground)', border: '1px solid var(--line)' },
  '.cm-button': { backgroundImage: 'none', backgroundColor: 'var(--raised)', border: '1px solid var(--line)' },
  '.cm-searchMatch': { backgroundColor: 'transparent', outline: '2px solid var(--yellow)' },
});

const shared: Extension = [
  EditorView.cspNonce.of(boot.nonce),
  theme,
  lineNumbers(),
  foldGutter(),
  search({ top: true }),
  EditorView.lineWrapping,
];

/**
 * Writes typed text into the document before the browser writes it into the lines: where a selection spans lines, the
 * browser joins them with inline styles, which the content policy refuses. Compositions are left to it.
 */
const typedText = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event;
    const selection = document.getSelection();
    if (inputType !== 'insertText' || data === null || isComposing || view.composing) return false;
    if (selection === null || selection.rangeCount === 0) return false;
    const range = selection.getRangeAt(0);
    if (!view.contentDOM.contains(range.commonAncestorContainer)) return false;
    event.preventDefault();
    // The selection of the browser: the editor may not have heard of it yet.
    const from = view.posAtDOM(range.startContainer, range.startOffset);
    const to = view.posAtDOM(range.endContainer, range.endOffset);
    const insert = () =>
      view.state.update({
        changes: { from, to, insert: data },
        selection: { anchor: from + data.length },
        userEvent: data.length === 1 ? 'input.type' : 'input.paste',
        scrollIntoView: true,
      });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});

/** The editor of requests. */
export interface RequestEditor {
  readonly view: EditorView;
  text(): string;
  /** Puts in another file; nothing of it can be undone. */
  load(text: string): void;
  /** Appends a request and puts the cursor at its begin. */
  append(text: string): void;
  /** Shows errors of the cluster until the text changes. */
  showErrors(problems: readonly Problem[]): void;
  /** Marks anew, after variables changed. */
  mark(): void;
}

/** What the editor tells its page. */
export interface RequestEditorEvents {
  readonly onRun: () => void;
  readonly onChange: () => void;
  readonly onProblems: (count: number) => void;
  readonly variables: () => Variables;
}

/** What the editor of requests is made of. */
function requestExtensions(names: ClusterNames, marks: Extension, onRun: () => void, onChange: () => void): Extension {
  return [
    keymap.of([{ key: 'Mod-Enter', run: () => (onRun(), true), preventDefault: true }]),
    shared,
    consoleLanguage,
    history(),
    indentUnit.of('  '),
    bracketMatching(),
    typedText,
    closeBrackets(),
    consoleCompletion(names),
    marks,
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...lintKeymap,
      ...foldKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({ 'aria-label': 'Request editor', 'aria-multiline': 'true', tabindex: '0' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange();
    }),
  ];
}

/** Creates the editor of requests in an element. */
export function createRequestEditor(
  parent: HTMLElement,
  names: ClusterNames,
  { onRun, onChange, onProblems, variables }: RequestEditorEvents,
): RequestEditor {
  let errors: readonly Problem[] = [];
  const problemsOf = createProblemFinder();
  const marks = linter(
    ({ state }) => {
      const text = state.doc.toString();
      const problems = [...problemsOf(parseConsole(text), text, variables()), ...errors];
      onProblems(problems.length);
      return problems.map((problem) => ({ ...problem, to: Math.min(problem.to, text.length) }));
    },
    {
      // At once: only the request that changed is looked at.
      delay: 0,
      needsRefresh: ({ transactions }) => transactions.some(({ effects }) => effects.some((one) => one.is(markAnew))),
    },
  );
  const extensions = requestExtensions(names, marks, onRun, () => {
    errors = [];
    onChange();
  });
  const stateOf = (doc: string): EditorState => EditorState.create({ doc, extensions });
  const view = new EditorView({ parent, state: stateOf('') });
  const mark = (): void => {
    view.dispatch({ effects: markAnew.of(null) });
    forceLinting(view);
  };
  return {
    view,
    text: () => view.state.doc.toString(),
    load(text) {
      errors = [];
      view.setState(stateOf(text));
      mark();
    },
    append(text) {
      const end = view.state.doc.length;
      const before = end === 0 ? '' : /\n\s*$/.test(view.state.sliceDoc(Math.max(0, end - 50))) ? '\n' : '\n\n';
      view.dispatch({
        changes: { from: end, insert: `${before}${text}\n` },
        selection: { anchor: end + before.length },
        scrollIntoView: true,
      });
    },
    showErrors(problems) {
      errors = problems;
      mark();
    },
    mark,
  };
}

/** The answer: read-only, and without colours if it is very long. */
export interface AnswerView {
  readonly view: EditorView;
  show(text: string): void;
}

/** Creates the view of an answer in an element. */
export function createAnswerView(parent: HTMLElement): AnswerView {
  const colours = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        shared,
        colours.of(consoleLanguage),
        EditorState.readOnly.of(true),
        keymap.of([...searchKeymap, ...foldKeymap, ...defaultKeymap]),
        EditorView.contentAttributes.of({
          'aria-label': 'Answer',
          tabindex: '0',
          'aria-readonly': 'true',
          'aria-multiline': 'true',
        }),
      ],
    }),
  });
  return {
    view,
    show(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: 0 },
        effects: [
          colours.reconfigure(text.length > COLOURED_CHARACTERS_MAX ? [] : consoleLanguage),
          EditorView.scrollIntoView(0),
        ],
      });
    },
  };
}
