/** ASCII forms of signs and of letters without a decomposition. */
const FOLDS: ReadonlyMap<string, string> = new Map(
  (
    'Æ:AE æ:ae Ǽ:AE ǽ:ae Ø:O ø:o Ǿ:O ǿ:o Œ:OE œ:oe ß:ss ẞ:SS Ð:D ð:d Đ:D đ:d Þ:TH þ:th Ħ:H ħ:h ı:i ĸ:q Ŀ:L ŀ:l Ł:L ' +
    'ł:l Ŋ:N ŋ:n Ŧ:T ŧ:t ' +
    'ſ:s ƀ:b Ɓ:B Ƃ:B ƃ:b Ƈ:C ƈ:c Ɖ:D Ɗ:D Ƌ:D ƌ:d Ǝ:E Ə:A Ɛ:E Ƒ:F ƒ:f Ɠ:G ƕ:hv Ɨ:I Ƙ:K ƙ:k ƚ:l Ɲ:N ƞ:n Ɵ:O Ƥ:P ƥ:p ' +
    'ƫ:t Ƭ:T ƭ:t Ʈ:T Ʋ:V Ƴ:Y ƴ:y Ƶ:Z ƶ:z ' +
    'Ǆ:DZ ǅ:Dz ǆ:dz Ǉ:LJ ǈ:Lj ǉ:lj Ǌ:NJ ǋ:Nj ǌ:nj Ǳ:DZ ǲ:Dz ǳ:dz ĳ:ij Ĳ:IJ ŉ:n ǝ:e Ǥ:G ǥ:g ȡ:d Ȥ:Z ȥ:z ȴ:l ȵ:n ȶ:t ' +
    'ȷ:j Ⱥ:A Ȼ:C ȼ:c Ƚ:L Ⱦ:T ȿ:s ɀ:z ' +
    'Ƀ:B Ʉ:U Ɇ:E ɇ:e Ɉ:J ɉ:j Ɋ:Q ɋ:q Ɍ:R ɍ:r Ɏ:Y ɏ:y ɐ:a ɓ:b ɔ:o ɕ:c ɖ:d ɗ:d ɘ:e ə:a ɛ:e ɜ:e ɠ:g ɡ:g ɢ:G ɥ:h ɦ:h ' +
    'ɨ:i ɪ:I ɫ:l ɯ:m ɱ:m ɲ:n ɵ:o ʀ:R ʂ:s ʈ:t ʉ:u ʋ:v ʐ:z ' +
    '«:" »:" “:" ”:" „:" ″:" ‶:" ❝:" ❞:" ❮:" ❯:" ‘:\' ’:\' ‚:\' ‛:\' ′:\' ‵:\' ‹:\' ›:\' ❛:\' ❜:\' ‐:- ‑:- ‒:- –:- ' +
    '—:- ⁻:- ₋:- ' +
    '⁅:[ ❲:[ ⁆:] ❳:] ⁽:( ₍:( ❨:( ❪:( ⸨:(( ⁾:) ₎:) ❩:) ❫:) ⸩:)) ❬:< ❰:< ❭:> ❱:> ❴:{ ❵:} ⁺:+ ₊:+ ⁼:= ₌:= ‼:!! ⁉:!? ' +
    '⁎:* ⁏:; ⁇:?? ⁈:?! ⁒:% ⁓:~ ⁄:/'
  )
    .split(' ')
    .map((pair) => [pair.slice(0, pair.indexOf(':')), pair.slice(pair.indexOf(':') + 1)]),
);

const NON_ASCII = /[^\u0000-\u007f]/;
const MARKS = /[\u0300-\u036f]/g;
/**
 * Characters whose compatibility decomposition is ASCII: full width, superscripts, circled and parenthesised letters,
 * ligatures.
 */
const COMPATIBLE =
  /[\uff01-\uff5e\u00aa\u00b2\u00b3\u00b9\u00ba\u2070-\u209c\u2460-\u24ff\ufb00-\ufb06\u1d2c-\u1d6a\u2776-\u2793]/;

function foldCircled(char: string): string {
  const code = char.charCodeAt(0);
  if (code >= 0x2776 && code <= 0x2793) return String(((code - 0x2776) % 10) + 1);
  return char.normalize('NFKD').replace(MARKS, '');
}

function foldChar(char: string): string {
  const known = FOLDS.get(char);
  if (known !== undefined) return known;
  const plain = COMPATIBLE.test(char) ? foldCircled(char) : char.normalize('NFD').replace(MARKS, '');
  if (plain === char) return char;
  const folded = FOLDS.get(plain) ?? plain;
  return NON_ASCII.test(folded) ? char : folded;
}

/**
 * Replaces letters, digits and punctuation by their ASCII form, as Lucene's ASCIIFoldingFilter does; characters without
 * one stay.
 */
export function foldToAscii(text: string): string {
  if (!NON_ASCII.test(text)) return text;
  let out = '';
  for (const char of text) out += char < '\u0080' ? char : foldChar(char);
  return out;
}
