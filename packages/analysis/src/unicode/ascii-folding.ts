/**
 * ASCII forms of characters without a canonical decomposition to them, as in Lucene's ASCIIFoldingFilter: a line each
 * of the form, a space and the characters.
 */
const FOLDS: ReadonlyMap<string, string> = new Map(
  (
    '" «»\u201c\u201d\u201e\u2033\u2036❝❞❮❯＂\n2 ²₂②⓶❷➁➋２\n3 ³₃③⓷❸➂➌３\n1 ¹₁①⓵❶➀➊１\nAE ÆǢǼᴁ\nD ÐĐƉƊƋᴅᴆⒹꝹＤ\n' +
    'O ØƆƟǾᴏᴐⓄꝊꝌＯ\nTH ÞꝦ\nss ß\nae æǣǽᴂ\nd ðđƌȡɖɗᵭᶁᶑⓓꝺｄ\no øǿɔɵᴖᴗᶗₒⓞⱺꝋꝍｏ\nth þᵺꝧ\nH ĦʜⒽⱧⱵＨ\nh ħɥɦʮʯⓗⱨⱶｈ\n' +
    'i ıɨᴉᵢᵼᶖⁱⓘｉ\nIJ Ĳ\nij ĳ\nq ĸɋʠⓠꝗꝙｑ\nL ĿŁȽʟᴌⓁⱠⱢꝆꝈꞀＬ\nl ŀłƚȴɫɬɭᶅⓛⱡꝇꝉꞁｌ\nn ŉŋƞȵɲɳᵰᶇⁿⓝｎ\nN ŊƝȠɴᴎⓃＮ\nOE Œɶ\n' +
    'oe œᴔ\nT ŦƬƮȾᴛⓉꞆＴ\nt ŧƫƭȶʇʈᵵⓣⱦｔ\ns ſȿʂᵴᶊẜẝⓢꞄｓ\nb ƀƃɓᵬᶀⓑｂ\nB ƁƂɃʙᴃⒷＢ\nC ƇȻʗᴄⒸＣ\nc ƈȼɕↄⓒꜾꜿｃ\nE ƎƐɆᴇⒺⱻＥ\n' +
    'A ƏȺᴀⒶＡ\nF ƑⒻꜰꝻꟻＦ\nf ƒᵮᶂẛⓕꝼｆ\nG ƓǤǥǧɢʛⒼꝽꝾＧ\nhv ƕ\nI ƖƗɪᵻⒾꟾＩ\nK ƘᴋⓀⱩꝀꝂꝄＫ\nk ƙʞᶄⓚⱪꝁꝃꝅｋ\nM ƜᴍⓂⱮꟽꟿＭ\n' +
    'P ƤᴘⓅⱣꝐꝒꝔＰ\np ƥᵱᵽᶈⓟꝑꝓꝕꟼｐ\nV ƲɅᴠỼⓋꝞꝨＶ\nY ƳɎʏỾⓎＹ\ny ƴɏʎỿⓨｙ\nZ ƵȜȤᴢⓏⱫꝢＺ\nz ƶȝȥɀʐʑᵶᶎⓩⱬꝣｚ\nw ƿʍⓦⱳｗ\nDZ ǄǱ\n' +
    'Dz ǅǲ\ndz ǆǳʣʥ\nLJ Ǉ\nLj ǈ\nlj ǉ\nNJ Ǌ\nNj ǋ\nnj ǌ\ne ǝɇɘɛɜɝɞʚᴈᶒᶓᶔₑⓔⱸｅ\nHV Ƕ\nW ǷᴡⓌⱲＷ\nOU Ȣᴕ\nou ȣ\n' +
    'j ȷɉɟʄʝⓙⱼｊ\ndb ȸ\nqp ȹ\nU ɄᴜᵾⓊＵ\nJ ɈᴊⒿＪ\nQ ɊⓆꝖꝘＱ\nR ɌʀʁᴙᴚⓇⱤꝚꞂＲ\nr ɍɼɽɾɿᵣᵲᵳᶉⓡꝛꞃｒ\na ɐəɚᶏᶕẚₐₔⓐⱥⱯａ\n' +
    'g ɠɡᵷᵹᶃⓖꝿｇ\nm ɯɰɱᵯᶆⓜｍ\nu ʉᵤᶙⓤｕ\nv ʋʌᵥᶌⓥⱱⱴꝟｖ\nts ʦ\ntc ʨ\nls ʪ\nlz ʫ\nue ᵫ\nx ᶍₓⓧｘ\nSS ẞ\nLL Ỻ\nll ỻ\n' +
    "- \u2010\u2011\u2012\u2013\u2014⁻₋－\n' \u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a❛❜＇\n^ \u2038＾\n" +
    '!! \u203c\n/ \u2044／\n[ \u2045❲［\n] \u2046❳］\n?? \u2047\n?! \u2048\n!? \u2049\n* \u204e＊\n; \u204f；\n' +
    '% \u2052％\n~ \u2053～\n0 ⁰₀⓪⓿０\n4 ⁴₄④⓸❹➃➍４\n5 ⁵₅⑤⓹❺➄➎５\n6 ⁶₆⑥⓺❻➅➏６\n7 ⁷₇⑦⓻❼➆➐７\n8 ⁸₈⑧⓼❽➇➑８\n9 ⁹₉⑨⓽❾➈➒９\n' +
    '+ ⁺₊＋\n= ⁼₌＝\n( ⁽₍❨❪（\n) ⁾₎❩❫）\n10 ⑩⓾❿➉➓\n11 ⑪⓫\n12 ⑫⓬\n13 ⑬⓭\n14 ⑭⓮\n15 ⑮⓯\n16 ⑯⓰\n17 ⑰⓱\n18 ⑱⓲\n19 ⑲⓳\n' +
    '20 ⑳⓴\n(1) ⑴\n(2) ⑵\n(3) ⑶\n(4) ⑷\n(5) ⑸\n(6) ⑹\n(7) ⑺\n(8) ⑻\n(9) ⑼\n(10) ⑽\n(11) ⑾\n(12) ⑿\n(13) ⒀\n' +
    '(14) ⒁\n(15) ⒂\n(16) ⒃\n(17) ⒄\n(18) ⒅\n(19) ⒆\n(20) ⒇\n1. ⒈\n2. ⒉\n3. ⒊\n4. ⒋\n5. ⒌\n6. ⒍\n7. ⒎\n8. ⒏\n' +
    '9. ⒐\n10. ⒑\n11. ⒒\n12. ⒓\n13. ⒔\n14. ⒕\n15. ⒖\n16. ⒗\n17. ⒘\n18. ⒙\n19. ⒚\n20. ⒛\n(a) ⒜\n(b) ⒝\n(c) ⒞\n' +
    '(d) ⒟\n(e) ⒠\n(f) ⒡\n(g) ⒢\n(h) ⒣\n(i) ⒤\n(j) ⒥\n(k) ⒦\n(l) ⒧\n(m) ⒨\n(n) ⒩\n(o) ⒪\n(p) ⒫\n(q) ⒬\n(r) ⒭\n' +
    '(s) ⒮\n(t) ⒯\n(u) ⒰\n(v) ⒱\n(w) ⒲\n(x) ⒳\n(y) ⒴\n(z) ⒵\nS ⓈꜱꞅＳ\nX ⓍＸ\n< ❬❰＜\n> ❭❱＞\n{ ❴｛\n} ❵｝\n(( ⸨\n)) ⸩\n' +
    'TZ Ꜩ\ntz ꜩ\nAA Ꜳ\naa ꜳ\nAO Ꜵ\nao ꜵ\nAU Ꜷ\nau ꜷ\nAV ꜸꜺ\nav ꜹꜻ\nAY Ꜽ\nay ꜽ\nOO Ꝏ\noo ꝏ\nVY Ꝡ\nvy ꝡ\nff ﬀ\n' +
    'fi ﬁ\nfl ﬂ\nffi ﬃ\nffl ﬄ\nst ﬆ\n! ！\n# ＃\n$ ＄\n& ＆\n, ，\n. ．\n: ：\n? ？\n@ ＠\n\\ ＼\n_ ＿\n'
  )
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const space = line.indexOf(' ');
      return [...line.slice(space + 1)].map((char) => [char, line.slice(0, space)] as const);
    }),
);

const NON_ASCII = /[^\u0000-\u007f]/;
const MARKS = /[\u0300-\u036f]/g;
/** Characters with a decomposition to ASCII that stay: the Greek question mark, the kelvin sign and their like. */
const UNFOLDED = /[\u037e\u1fef\u212a\u212b\u2260\u226e\u226f]/;

function foldChar(char: string): string {
  const known = FOLDS.get(char);
  if (known !== undefined) return known;
  const plain = char.normalize('NFD').replace(MARKS, '');
  return plain === '' || NON_ASCII.test(plain) || UNFOLDED.test(char) ? char : plain;
}

/**
 * Replaces letters, digits and punctuation by their ASCII form, as Lucene's ASCIIFoldingFilter does; characters without
 * one stay, combining marks too.
 */
export function foldToAscii(text: string): string {
  if (!NON_ASCII.test(text)) return text;
  let out = '';
  for (const char of text) out += char < '\u0080' ? char : foldChar(char);
  return out;
}
