import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  lightArabic,
  lightFrench,
  lightGerman,
  lightItalian,
  lightPortuguese,
  lightSpanish,
  minimalEnglish,
  minimalFrench,
} from './light-stemmers.js';

function check(stem: (word: string) => string, pairs: string): void {
  for (const pair of pairs.split(' ')) {
    const [word = '', expected] = pair.split(':');
    assert.equal(stem(word), expected, word);
  }
}

test('French words lose plurals, genders and the commonest suffixes', () => {
  check(
    lightFrench,
    'chevaux:cheval cheval:cheval hiboux:hibou chantés:chant chanter:chant chante:chant baronnes:baron ' +
      'barons:baron peaux:peau anneaux:aneau ' +
      'affreux:afreu investissement:investi investir:investi assourdissant:asourdi pratiquement:pratiqu ' +
      'pratique:pratiqu administrativement:administratif ' +
      'justificatrice:justifi justificateur:justifi justifier:justifi educatrice:eduqu eduquer:eduqu ' +
      'communicateur:comuniqu accompagnatrice:acompagn ' +
      'administrateur:administr productrice:product producteur:product acheteuse:achet acheteur:achet ' +
      'planteur:plant poreuse:poreu poreux:poreu ' +
      'bijoutière:bijouti bijoutier:bijouti caissière:caisi abrasive:abrasif folle:fou personnelle:person ' +
      'personnel:person complète:complet ' +
      'aromatique:aromat faiblesse:faibl patinage:patin sonorisation:sono ritualisation:rituel nomination:nomin ' +
      'disposition:dispos',
  );
});

test('Portuguese words lose plurals and feminines', () => {
  check(
    lightPortuguese,
    'doutores:doutor doutor:doutor homens:homem homem:homem papéis:papel papel:papel normais:normal lençóis:lencol ' +
      'barris:barril botões:bota botão:bota',
  );
});

test('German, Spanish, Italian', () => {
  check(lightGerman, 'häuser:haus haus:haus straßen:straß tische:tisch kinder:kind');
  check(lightSpanish, 'casas:cas casa:casa luces:luz canción:cancion');
  check(lightItalian, 'ragazzo:ragazz ragazzi:ragazz amiche:amic banche:banc');
});

test('minimal stemmers', () => {
  check(minimalEnglish, 'queries:query phrases:phrase corpus:corpus stress:stress kings:king panels:panel books:book');
  check(
    minimalFrench,
    'chevaux:cheval hiboux:hibou chantés:chant chanter:chant chante:chant baronnes:baron barons:baron',
  );
});

test('Arabic articles and endings', () => {
  check(lightArabic, 'الحسن:حسن والحسن:حسن وحسن:حسن زوجها:زوج ساهدان:ساهد ساهدات:ساهد ساهدون:ساهد');
});
