import { textOf } from '@shoal/script';
import type { SearchScript } from './segment-script.js';

/** Returns a script as explanations show it. */
export function scriptText({ id, source, lang, options, params }: SearchScript): string {
  const type = id === null ? 'inline' : 'stored';
  const shown = id === null ? `lang='${lang}', idOrCode='${source}', options=${textOf(options)}` : `idOrCode='${id}'`;
  return `Script{type=${type}, ${shown}, params=${textOf(params)}}`;
}
