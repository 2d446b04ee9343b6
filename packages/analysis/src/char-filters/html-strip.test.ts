import { test } from 'node:test';
import { cuts } from '../testing/analysis-table.js';

test('html_strip drops tags and resolves entities', () =>
  cuts({ char_filter: ['html_strip'] }, [
    ['<p>I&apos;m <b>so</b> happy &amp; &#x41;</p>', "I'm[3-11] so[15-21] happy[22-27] A[34-40]"],
    ['a<br>b <!-- c --> d<script>x</script>', 'a[0-1] b[5-6] d[18-19]'],
  ]));

test('html_strip keeps the tags that it is given', () =>
  cuts({ tokenizer: 'keyword', char_filter: [{ type: 'html_strip', escaped_tags: ['b'] }] }, [
    ['<p>a <b>c</b></p>', '\na <b>c</b>\n[0-17]'],
  ]));
