/** Begins a line that stands for an offset of the script; \u0001 and \u0002 occur nowhere else in generated text. */
export function mark(at: number): string {
  return `\u0001${at}\u0002`;
}

/** Generated text, and for each of its lines the offset in the script that an error of the line tells. */
export interface Code {
  readonly text: string;
  /** Offset by line, from line 1 on; -1 where none is known. */
  readonly offsets: readonly number[];
}

/** Turns marks into line breaks. */
export function layOut(marked: string): Code {
  const offsets = [-1, -1];
  const text = marked.replace(/\u0001(\d+)\u0002/g, (_all, at: string) => {
    offsets.push(Number(at));
    return '\n';
  });
  return { text, offsets };
}
