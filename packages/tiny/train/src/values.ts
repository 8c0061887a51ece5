// Makes values of arguments: places, dates, paths, numbers, words that mean nothing.

import type { Random } from './random.js';
import {
  CHARACTERS,
  CITIES,
  CITIES_ZH,
  ENGLISH,
  FILLERS,
  FILLERS_ZH,
  listOf,
  PEOPLE,
  PEOPLE_ZH,
  type Split,
  THINGS,
  THINGS_ZH,
  wordsFor,
} from './word-lists.js';

export type Language = 'en' | 'zh';

const ONSETS = {
  train: listOf('b,br,c,d,dr,f,g,gl,h,j,k,kr,l,m,n,p,pl,r,s,st,t,tr,v,w,z', /,/),
  held: listOf('b,bl,c,d,f,fr,g,gr,h,k,l,m,n,p,pr,r,s,sk,t,th,v,y', /,/),
};
const VOWELS = listOf('a,e,i,o,u,ai,ee,ou,ia', /,/);
const CODAS = 'n,r,l,s,t,k,m,x,nd,rt,,,,'.split(',');
const ACCENTED = listOf(
  'José, Zoë, naïve, café, Zürich, Malmö, résumé, Łódź, über, año, øre, façade, Müller, Ångström',
);
const ENDINGS = listOf('txt, md, json, csv, ts, py, log, png, yaml, html, js, toml');
const FOLDERS = [
  '/',
  '/tmp/',
  '/home/',
  './',
  'src/',
  '/var/log/',
  '',
  '/etc/',
  '~/',
  '../',
  'docs/',
  'tests/',
];

/** Ranges of characters: Han, Cyrillic, Greek, kana, Hangul, Latin with accents, Arabic, emoji. */
const SCRIPTS: readonly (readonly [number, number])[] = [
  [0x4e00, 0x9fa5],
  [0x4e00, 0x9fa5],
  [0x0410, 0x044f],
  [0x03b1, 0x03c9],
  [0x3041, 0x3096],
  [0xac00, 0xd7a3],
  [0x00c0, 0x017f],
  [0x0621, 0x064a],
  [0x1f300, 0x1f64f],
];
const SIGNS = listOf('°, °C, °F, €, £, ¥, ±, ×, ÷, …, —, •, →, ✓, µ, §, ©, ½, ², ‰, №, ™');
const DOMAINS = listOf('com, org, net, io, dev');
const DAYS = listOf(
  'today, tomorrow, Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday, next week, tonight, next Monday, this weekend',
);
const DAYS_ZH = listOf('今天, 明天, 后天, 周一, 周二, 周三, 周五, 周末, 下周, 今晚, 明早');
const MONTHS = listOf(
  'January, February, March, April, May, June, July, August, September, October, November, December',
);

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export class Values {
  constructor(
    readonly random: Random,
    readonly split: Split,
    readonly language: Language,
  ) {}

  /** A word that no language has. */
  fake(): string {
    const { random } = this;
    const onsets = this.split === 'train' ? ONSETS.train : ONSETS.held;
    const syllable = () => random.pick(onsets) + random.pick(VOWELS) + random.pick(CODAS);
    return syllable() + syllable() + (random.chance(0.35) ? syllable() : '');
  }

  letters(count: number): string {
    return Array.from({ length: count }, () => String.fromCharCode(97 + this.random.int(26))).join('');
  }

  english(): string {
    return this.random.pick(wordsFor(ENGLISH, this.split));
  }

  characters(first: number, last: number): string {
    const count = this.random.between(first, last);
    return Array.from({ length: count }, () => this.random.pick(wordsFor(CHARACTERS, this.split))).join('');
  }

  /** Chinese characters; in training also those that have no token. */
  #han(first: number, last: number): string {
    const { random } = this;
    if (this.split !== 'train' || random.chance(0.5)) return this.characters(first, last);
    const count = random.between(first, last);
    return Array.from({ length: count }, () => String.fromCodePoint(random.between(0x4e00, 0x9fa5))).join('');
  }

  word(): string {
    const { random } = this;
    // What the vocabulary does not have is spelled in bytes, which must be copied as well.
    if (this.split === 'train' && random.chance(0.06)) return this.#rare();
    const kind = random.next();
    if (kind < 0.3) return random.pick(wordsFor(THINGS, this.split));
    if (kind < 0.5) return this.fake();
    if (kind < 0.88) return this.english();
    if (kind < 0.97) return this.letters(random.between(2, 8));
    return kind < 0.985 ? this.characters(1, 4) : random.pick(ACCENTED);
  }

  /** Characters of other scripts, signs and emoji. */
  #rare(): string {
    const { random } = this;
    const [first, last] = random.pick(SCRIPTS);
    const many = first === 0x4e00 ? random.between(1, 4) : random.between(1, 7);
    const text = Array.from({ length: many }, () => String.fromCodePoint(random.between(first, last))).join(
      '',
    );
    if (random.chance(0.5)) return text;
    return random.chance(0.5)
      ? `${random.between(1, 99)} ${random.pick(SIGNS)}`
      : random.pick(SIGNS) + this.integer(99);
  }

  /** A word of Latin letters alone. */
  plainWord(): string {
    for (;;) {
      const word = this.word();
      if (/^[a-z]+$/i.test(word)) return word;
    }
  }

  words(first: number, last: number): string {
    if (this.language === 'zh' && this.random.chance(0.75)) return this.wordsZh(first, last);
    return Array.from({ length: this.random.between(first, last) }, () => this.word()).join(' ');
  }

  wordsZh(first: number, last: number): string {
    const { random } = this;
    const one = () => (random.chance(0.6) ? random.pick(wordsFor(THINGS_ZH, this.split)) : this.#han(2, 4));
    return Array.from({ length: Math.ceil(random.between(first, last) / 2) }, one).join('');
  }

  fill(first: number, last: number): string {
    const { random, language } = this;
    const count = random.between(first, last);
    const training = this.split === 'train';
    const one = () =>
      language === 'zh'
        ? training && random.chance(0.3)
          ? this.characters(1, 3)
          : random.pick(FILLERS_ZH)
        : random.chance(training ? 0.6 : 0.85)
          ? random.pick(FILLERS)
          : this.english();
    return Array.from({ length: count }, one).join(language === 'zh' ? '' : ' ');
  }

  name(): string {
    const { random } = this;
    return capital(
      random.chance(0.5)
        ? this.fake()
        : random.chance(0.8)
          ? this.english()
          : this.letters(random.between(3, 8)),
    );
  }

  place(): string {
    const { random } = this;
    if (this.language === 'zh' && random.chance(0.7))
      return random.chance(0.7) ? random.pick(wordsFor(CITIES_ZH, this.split)) : this.#han(2, 3);
    if (random.chance(0.5)) return random.pick(wordsFor(CITIES, this.split));
    return random.chance(0.8) ? this.name() : `${this.name()} ${this.name()}`;
  }

  person(): string {
    const { random } = this;
    if (this.language === 'zh' && random.chance(0.7))
      return random.chance(0.7) ? random.pick(wordsFor(PEOPLE_ZH, this.split)) : this.#han(2, 3);
    const first = random.chance(0.5) ? random.pick(wordsFor(PEOPLE, this.split)) : this.name();
    return random.chance(0.25) ? `${first} ${this.name()}` : first;
  }

  date(): string {
    const { random, language } = this;
    if (random.chance(0.45))
      return `20${20 + random.int(12)}-${two(random.between(1, 12))}-${two(random.between(1, 28))}`;
    if (language === 'zh')
      return random.chance(0.3)
        ? `${random.between(1, 12)}月${random.between(1, 28)}日`
        : random.pick(DAYS_ZH);
    if (random.chance(0.25)) return `${random.pick(MONTHS)} ${random.between(1, 28)}`;
    return random.pick(DAYS);
  }

  time(): string {
    const { random } = this;
    const kind = random.next();
    if (kind < 0.6) return `${two(random.int(24))}:${two(random.int(60))}`;
    if (this.language === 'zh') return `${random.pick(['上午', '下午', '晚上'])}${random.between(1, 12)}点`;
    return `${random.between(1, 12)}${random.pick([' am', ' pm', 'am', 'pm', ':30 pm', ':15'])}`;
  }

  integer(most: number): number {
    return this.random.chance(0.5)
      ? this.random.between(1, Math.min(most, 12))
      : this.random.between(1, most);
  }

  number(most: number): number {
    const { random } = this;
    return random.chance(0.3)
      ? this.integer(most)
      : Number((random.next() * most).toFixed(random.between(1, 2)));
  }

  identifier(): string {
    const { random } = this;
    switch (random.int(5)) {
      case 0:
        return String(random.between(1, 99999));
      case 1:
        return `${this.fake().slice(0, 3).toUpperCase()}-${random.int(9999)}`;
      case 2:
        return Math.floor(random.next() * 2 ** 32).toString(16);
      case 3:
        return `${this.letters(1).toUpperCase()}${random.between(10, 99999)}`;
      default:
        return `${this.fake()}_${random.int(100)}`;
    }
  }

  path(): string {
    const { random } = this;
    const parts = Array.from({ length: random.between(1, 2) }, () => this.plainWord());
    return `${random.pick(FOLDERS)}${parts.join('/')}.${random.pick(ENDINGS)}`;
  }

  folder(): string {
    const { random } = this;
    const parts = Array.from({ length: random.between(1, 2) }, () => this.plainWord());
    return `${random.pick(FOLDERS)}${parts.join('/')}${random.chance(0.3) ? '/' : ''}`;
  }

  host(): string {
    return `${this.fake()}.${this.random.pick(DOMAINS)}`;
  }

  email(): string {
    return `${this.fake()}${this.random.chance(0.2) ? `.${this.fake()}` : ''}@${this.host()}`;
  }

  url(): string {
    return `https://${this.host()}${this.random.chance(0.7) ? `/${this.plainWord()}` : ''}`;
  }
}

export function two(value: number): string {
  return String(value).padStart(2, '0');
}
