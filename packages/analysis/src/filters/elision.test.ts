import { test } from 'node:test';
import { analyzes } from '../testing/analysis-table.js';

test('elision drops articles before an apostrophe', () =>
  analyzes({ filter: ['elision'] }, [
    ["l'avion d’un qu'il L'Avion", 'avion@0 un@1 il@2 Avion@3'],
    ["aujourd'hui", "aujourd'hui@0"],
  ]));

test('elision drops the articles that it is given, whatever their case if asked', () =>
  analyzes({ filter: [{ type: 'elision', articles: ['o'], articles_case: true }] }, [
    ["O'Neil l'avion", "Neil@0 l'avion@1"],
  ]));
