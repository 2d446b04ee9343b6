import assert from 'node:assert/strict';
import { test } from 'node:test';
import { porterStem } from './porter.js';

/** Examples of Porter's paper, step by step, and words of his sample vocabulary. */
const STEMS =
  'caresses:caress ponies:poni ties:ti caress:caress cats:cat feed:feed agreed:agre plastered:plaster bled:bled ' +
  'motoring:motor sing:sing ' +
  'conflated:conflat troubled:troubl sized:size hopping:hop tanned:tan falling:fall hissing:hiss fizzed:fizz ' +
  'failing:fail filing:file ' +
  'happy:happi sky:sky relational:relat conditional:condit rational:ration valenci:valenc digitizer:digit ' +
  'radicalli:radic differentli:differ ' +
  'vileli:vile analogousli:analog vietnamization:vietnam predication:predic operator:oper feudalism:feudal ' +
  'decisiveness:decis hopefulness:hope ' +
  'callousness:callous formaliti:formal sensitiviti:sensit sensibiliti:sensibl triplicate:triplic formative:form ' +
  'formalize:formal electriciti:electr ' +
  'electrical:electr hopeful:hope goodness:good revival:reviv allowance:allow inference:infer airliner:airlin ' +
  'gyroscopic:gyroscop ' +
  'adjustable:adjust defensible:defens irritant:irrit replacement:replac adjustment:adjust dependent:depend ' +
  'adoption:adopt communism:commun ' +
  'activate:activ angulariti:angular homologous:homolog effective:effect bowdlerize:bowdler probate:probat ' +
  'rate:rate cease:ceas controll:control ' +
  'roll:roll is:is as:as by:by oscillators:oscil generalizations:gener apology:apolog possibly:possibl';

test('words get the stems of Porter', () => {
  for (const pair of STEMS.split(' ')) {
    const [word = '', stem] = pair.split(':');
    assert.equal(porterStem(word), stem, word);
  }
});
