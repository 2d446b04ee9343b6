import { markedParts } from './marks.js';

/** A text in which words are marked. */
export function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] | undefined }) {
  if (words === undefined) return <>{text}</>;
  return (
    <>
      {markedParts(text, words).map((part, i) =>
        part.isMarked ? <mark key={i}>{part.text}</mark> : <span key={i}>{part.text}</span>,
      )}
    </>
  );
}
