import type { CharFilterFactory } from '../component.js';
import type { FilteredText } from '../token.js';
import { textBuilder, type TextBuilder } from './offset-map.js';

/** Elements whose tags are removed without a trace; tags of all other elements become line breaks. */
const INLINE = new Set(
  (
    'a abbr acronym b basefont bdo big cite code dfn em font i img input kbd label q s samp select small span strike ' +
    'strong sub sup textarea tt u var'
  ).split(' '),
);

/** Entities of HTML 4 that texts use. */
const ENTITIES: ReadonlyMap<string, string> = new Map(
  (
    'amp:& lt:< gt:> quot:" apos:\' nbsp:\u00a0 iexcl:¡ cent:¢ pound:£ curren:¤ yen:¥ brvbar:¦ sect:§ uml:¨ copy:© ' +
    'ordf:ª laquo:« not:¬ shy:\u00ad reg:® macr:¯ ' +
    'deg:° plusmn:± sup2:² sup3:³ acute:´ micro:µ para:¶ middot:· cedil:¸ sup1:¹ ordm:º raquo:» frac14:¼ frac12:½ ' +
    'frac34:¾ iquest:¿ ' +
    'Agrave:À Aacute:Á Acirc:Â Atilde:Ã Auml:Ä Aring:Å AElig:Æ Ccedil:Ç Egrave:È Eacute:É Ecirc:Ê Euml:Ë Igrave:Ì ' +
    'Iacute:Í Icirc:Î Iuml:Ï ' +
    'ETH:Ð Ntilde:Ñ Ograve:Ò Oacute:Ó Ocirc:Ô Otilde:Õ Ouml:Ö times:× Oslash:Ø Ugrave:Ù Uacute:Ú Ucirc:Û Uuml:Ü ' +
    'Yacute:Ý THORN:Þ szlig:ß ' +
    'agrave:à aacute:á acirc:â atilde:ã auml:ä aring:å aelig:æ ccedil:ç egrave:è eacute:é ecirc:ê euml:ë igrave:ì ' +
    'iacute:í icirc:î iuml:ï ' +
    'eth:ð ntilde:ñ ograve:ò oacute:ó ocirc:ô otilde:õ ouml:ö divide:÷ oslash:ø ugrave:ù uacute:ú ucirc:û uuml:ü ' +
    'yacute:ý thorn:þ yuml:ÿ ' +
    'OElig:Œ oelig:œ Scaron:Š scaron:š Yuml:Ÿ fnof:ƒ circ:ˆ tilde:˜ ndash:– mdash:— lsquo:‘ rsquo:’ sbquo:‚ ' +
    'ldquo:“ rdquo:” bdquo:„ dagger:† ' +
    'Dagger:‡ bull:• hellip:… permil:‰ prime:′ Prime:″ lsaquo:‹ rsaquo:› oline:‾ frasl:⁄ euro:€ trade:™ larr:← ' +
    'uarr:↑ rarr:→ darr:↓ harr:↔ ' +
    'minus:− infin:∞ asymp:≈ ne:≠ equiv:≡ le:≤ ge:≥ alpha:α beta:β gamma:γ delta:δ epsilon:ε lambda:λ mu:μ pi:π ' +
    'sigma:σ tau:τ phi:φ omega:ω Delta:Δ Omega:Ω'
  )
    .split(' ')
    .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
);

/** A tag. Lengths of names and attributes are limited, so that text with many `<` takes linear time. */
const TAG = /<\/?([A-Za-z][A-Za-z0-9:._-]{0,63})(?:\s(?:[^<>"']|"[^"]{0,2048}"|'[^']{0,2048}'){0,2048}|\/)?>/y;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{0,31}));?/y;
const DECLARATION = /<[!?][^<>]{0,2048}>/y;
const RAW_ELEMENT = /<(script|style)(?=[\s>])/iy;

/** Opening and closing marks of parts that are removed with their content. */
const SKIPPED: readonly (readonly [string, string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
];

/** Closing marks that do not occur any more in the text: keeps repeated searches from taking quadratic time. */
type MissingEnds = Set<string>;

function endOf(text: string, closing: string, from: number, missing: MissingEnds): number {
  if (missing.has(closing)) return -1;
  const at = text.indexOf(closing, from);
  if (at < 0) missing.add(closing);
  return at < 0 ? -1 : at + closing.length;
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** Index after the comment, CDATA section or declaration at `at`; -1 if there is none. */
function skippedEnd(text: string, at: number, missing: MissingEnds): number {
  for (const [opening, closing] of SKIPPED) {
    if (text.startsWith(opening, at)) return endOf(text, closing, at, missing);
  }
  return matchAt(DECLARATION, text, at) ? DECLARATION.lastIndex : -1;
}

function rawElementEnd(text: string, lower: string, at: number, missing: MissingEnds): number {
  const name = matchAt(RAW_ELEMENT, text, at)?.[1]?.toLowerCase();
  return name === undefined ? -1 : endOf(lower, `</${name}>`, at, missing);
}

function entityText(match: RegExpExecArray): string | null {
  const [, decimal, hexadecimal, named] = match;
  if (named !== undefined) return ENTITIES.get(named) ?? null;
  const code = decimal === undefined ? parseInt(hexadecimal ?? '', 16) : Number(decimal);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd';
  return String.fromCodePoint(code);
}

/** State of stripping one text. */
interface StripRun {
  readonly text: string;
  readonly lower: string;
  readonly escaped: ReadonlySet<string>;
  readonly missing: MissingEnds;
  readonly builder: TextBuilder;
}

function decodeEntity({ text, builder }: StripRun, at: number): number {
  const match = matchAt(ENTITY, text, at);
  const char = match && entityText(match);
  if (!match || char === null) return at;
  builder.append(char === '\u00a0' ? ' ' : char, at, at + match[0].length);
  return at + match[0].length;
}

/** Strips or decodes the markup at `at` and returns the index after it; returns `at` if there is no markup. */
function stripAt(run: StripRun, at: number): number {
  const { text, builder } = run;
  if (text[at] === '&') return decodeEntity(run, at);
  const skipped = skippedEnd(text, at, run.missing);
  const raw = skipped < 0 ? rawElementEnd(text, run.lower, at, run.missing) : -1;
  if (skipped > 0 || raw > 0) {
    builder.append(raw > 0 ? '\n' : '', at, Math.max(skipped, raw));
    return Math.max(skipped, raw);
  }
  const tag = matchAt(TAG, text, at);
  const name = tag?.[1]?.toLowerCase() ?? '';
  if (!tag || run.escaped.has(name)) return at;
  builder.append(INLINE.has(name) ? '' : '\n', at, at + tag[0].length);
  return at + tag[0].length;
}

/** Markup or characters that one step of a stripper looks at. */
const STEP_LENGTH = 1024;

/** Strips a text step by step. */
class HtmlStripper {
  readonly #run: StripRun;
  /** Up to where the text was looked at, and up to where it was taken. */
  #at = 0;
  #copied = 0;

  constructor(text: string, escaped: ReadonlySet<string>) {
    const lower = text.toLowerCase();
    this.#run = {
      text,
      lower: lower.length === text.length ? lower : text,
      escaped,
      missing: new Set(),
      builder: textBuilder(),
    };
  }

  /** Looks at some of the text; returns whether there is more. */
  readonly step = (): boolean => {
    const { text, builder } = this.#run;
    const end = Math.min(text.length, this.#at + STEP_LENGTH);
    while (this.#at < end) {
      const at = this.#at;
      if (text[at] !== '<' && text[at] !== '&') {
        this.#at++;
        continue;
      }
      if (at > this.#copied) builder.append(text.slice(this.#copied, at), this.#copied, at);
      const behind = stripAt(this.#run, at);
      this.#copied = Math.max(at, behind);
      this.#at = Math.max(behind, at + 1);
    }
    return this.#at < text.length;
  };

  finish(): FilteredText {
    const { text, builder } = this.#run;
    if (this.#copied < text.length) builder.append(text.slice(this.#copied), this.#copied, text.length);
    return builder.finish();
  }
}

function strip(text: string, escaped: ReadonlySet<string>): FilteredText {
  const stripper = new HtmlStripper(text, escaped);
  while (stripper.step()) continue;
  return stripper.finish();
}

/**
 * `html_strip`: removes tags and comments and decodes entities; tags of blocks become line breaks, `escaped_tags` stay.
 */
export const htmlStrip: CharFilterFactory = {
  create(name, parameters) {
    const escaped = new Set((parameters.list('escaped_tags') ?? []).map((tag) => tag.toLowerCase()));
    return { name, isNormalizing: false, apply: (text) => strip(text, escaped) };
  },
};

/** Takes tags and comments out of a text and decodes entities, as `html_strip` does, step by step. */
export interface HtmlText {
  /** Looks at about a thousand characters; returns whether there are more. */
  readonly step: () => boolean;
  /** The text without markup, once `step` has returned false. */
  text(): string;
}

/** Begins to strip a text of HTML. */
export function stripHtml(text: string): HtmlText {
  const stripper = new HtmlStripper(text, new Set());
  return { step: stripper.step, text: () => stripper.finish().text };
}
