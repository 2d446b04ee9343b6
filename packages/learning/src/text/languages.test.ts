import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LanguageModel } from './languages.js';
import { mainScript } from './scripts.js';

const model = new LanguageModel();
/** Everyday sentences, which were not looked at when profiles were made. */
const SENTENCES: readonly (readonly [language: string, text: string])[] = [
  ['en', 'The weather was nice, so we walked to the harbour after lunch.'],
  ['en', 'Please restart the server and check the logs for errors'],
  ['de', 'Gestern habe ich mir ein neues Fahrrad gekauft.'],
  ['de', 'Können Sie mir sagen, wo der Bahnhof ist?'],
  ['fr', 'Je voudrais réserver une table pour deux personnes ce soir.'],
  ['es', 'El perro del vecino ladra toda la noche.'],
  ['pt', 'Não sei onde deixei as chaves do carro'],
  ['it', "Vorrei un caffè e un bicchiere d'acqua, per favore."],
  ['nl', 'Waar kan ik hier in de buurt goed eten?'],
  ['sv', 'Jag har glömt min plånbok hemma igen'],
  ['da', 'Hvad koster billetten til København?'],
  ['no', 'Jeg vet ikke hva jeg skal gjøre i morgen'],
  ['fi', 'Missä on lähin kauppa, josta saa maitoa?'],
  ['pl', 'Wczoraj wieczorem oglądaliśmy bardzo ciekawy film.'],
  ['hu', 'Nem tudom, mikor indul a következő vonat.'],
  ['tr', 'Yarın sabah erken kalkmam gerekiyor'],
  ['ru', 'Вчера вечером мы смотрели интересный фильм'],
  ['el', 'Πού είναι το πλησιέστερο φαρμακείο;'],
  ['ar', 'أين توجد أقرب محطة قطار من هنا؟'],
  ['fa', 'نزدیکترین ایستگاه قطار کجاست؟'],
  ['iw', 'איפה נמצאת תחנת הרכבת הקרובה?'],
  ['hi', 'मुझे नहीं पता कि ट्रेन कब आएगी'],
  ['ja', '明日は雨が降るそうです。'],
  ['zh', '请问最近的地铁站在哪里？'],
  ['ko', '가장 가까운 지하철역이 어디예요?'],
  ['vi', 'Xin hỏi ga tàu gần nhất ở đâu?'],
  ['th', 'สถานีรถไฟที่ใกล้ที่สุดอยู่ที่ไหน'],
];

test('nine of ten sentences of everyday life have their language', () => {
  const wrong = SENTENCES.filter(([language, text]) => model.of(text)[0]!.language !== language);
  assert.ok(wrong.length <= SENTENCES.length / 10, JSON.stringify(wrong));
});

test('probabilities add up, and texts without letters have no language', () => {
  const total = model.of('hallo welt').reduce((sum, { probability }) => sum + probability, 0);
  assert.ok(Math.abs(total - 1) < 1e-9);
  for (const text of ['', '12 + 34', '\ud800', '🎉🎉'])
    assert.deepEqual(model.of(text), [{ language: 'zxx', probability: 1 }]);
  assert.equal(model.codes.length, 105);
});

test('long and mixed texts are cut and go by their main script', () => {
  assert.equal(mainScript('abc где находится аптека'), 'cyrillic');
  assert.equal(mainScript('漢字かな'), 'kana');
  assert.equal(model.of('où est la gare la plus proche ? '.repeat(50_000))[0]!.language, 'fr');
});
