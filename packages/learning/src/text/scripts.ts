/** Scripts of letters, by their blocks in Unicode, as far as they tell languages apart. */

/** Blocks: first and last code point, and the script. */
const BLOCKS: readonly (readonly [from: number, to: number, script: string])[] = [
  [0x41, 0x24f, 'latin'],
  [0x370, 0x3ff, 'greek'],
  [0x400, 0x52f, 'cyrillic'],
  [0x531, 0x58f, 'armenian'],
  [0x591, 0x5f4, 'hebrew'],
  [0x600, 0x6ff, 'arabic'],
  [0x750, 0x77f, 'arabic'],
  [0x900, 0x97f, 'devanagari'],
  [0x980, 0x9ff, 'bengali'],
  [0xa00, 0xa7f, 'gurmukhi'],
  [0xa80, 0xaff, 'gujarati'],
  [0xb80, 0xbff, 'tamil'],
  [0xc00, 0xc7f, 'telugu'],
  [0xc80, 0xcff, 'kannada'],
  [0xd00, 0xd7f, 'malayalam'],
  [0xd80, 0xdff, 'sinhala'],
  [0xe00, 0xe7f, 'thai'],
  [0xe80, 0xeff, 'lao'],
  [0x1000, 0x109f, 'myanmar'],
  [0x10a0, 0x10ff, 'georgian'],
  [0x1100, 0x11ff, 'hangul'],
  [0x1200, 0x139f, 'ethiopic'],
  [0x1780, 0x17ff, 'khmer'],
  [0x1e00, 0x1eff, 'latin'],
  [0x1f00, 0x1fff, 'greek'],
  [0x3040, 0x30ff, 'kana'],
  [0x3400, 0x9fff, 'han'],
  [0xac00, 0xd7af, 'hangul'],
  [0xf900, 0xfaff, 'han'],
  [0xfb1d, 0xfb4f, 'hebrew'],
  [0xfb50, 0xfdff, 'arabic'],
  [0xfe70, 0xfeff, 'arabic'],
  [0x20000, 0x2fa1f, 'han'],
];

/** Languages whose script no other of the model has. */
export const OF_SCRIPT: ReadonlyMap<string, string> = new Map([
  ['greek', 'el'],
  ['armenian', 'hy'],
  ['bengali', 'bn'],
  ['gurmukhi', 'pa'],
  ['gujarati', 'gu'],
  ['tamil', 'ta'],
  ['telugu', 'te'],
  ['kannada', 'kn'],
  ['malayalam', 'ml'],
  ['sinhala', 'si'],
  ['thai', 'th'],
  ['lao', 'lo'],
  ['myanmar', 'my'],
  ['georgian', 'ka'],
  ['hangul', 'ko'],
  ['ethiopic', 'am'],
  ['khmer', 'km'],
  ['kana', 'ja'],
  ['han', 'zh'],
]);

const LETTER = /[\p{L}\p{M}]/u;

/** The script of a letter; null for other characters and scripts. */
function scriptOf(char: string): string | null {
  const code = char.codePointAt(0)!;
  let low = 0;
  for (let high = BLOCKS.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (BLOCKS[middle]![1] < code) low = middle + 1;
    else high = middle;
  }
  const block = BLOCKS[low];
  return block !== undefined && block[0] <= code && LETTER.test(char) ? block[2] : null;
}

/** Share of kana from which a text with Chinese characters is Japanese. */
const KANA_SHARE = 0.05;

/** The script that most letters of a text have; null for a text without letters. */
export function mainScript(text: string): string | null {
  const counts = new Map<string, number>();
  for (const char of text) {
    const script = scriptOf(char);
    if (script !== null) counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  const [kana, han] = [counts.get('kana') ?? 0, counts.get('han') ?? 0];
  if (kana >= KANA_SHARE * (kana + han) && kana > 0) {
    counts.set('kana', kana + han);
    counts.delete('han');
  }
  let best: string | null = null;
  for (const [script, count] of counts) if (best === null || count > counts.get(best)!) best = script;
  return best;
}
