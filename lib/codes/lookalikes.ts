import { normalised } from '@/lib/tools/normalised'

/**
 * Of each Latin letter those that stand for it to the eye, in lower case: of the Cyrillic, Greek and Armenian alphabets, by
 * Unicode's confusables.txt (UTS 39), and some of its own.
 */
const OTHERS = {
  ...{ a: 'аαɑ', b: 'вβ', c: 'сϲ', d: 'ԁ', e: 'еε', g: 'ցɡ', h: 'һհ' },
  ...{ i: 'іιıɩ', j: 'јϳյȷ', k: 'кκ', l: 'ӏ', m: 'м', n: 'ηո', o: 'оοσօ' },
  ...{ p: 'рρ', q: 'ԛզ', r: 'г', s: 'ѕſ', t: 'тτ', u: 'цυս', v: 'ѵν' },
  ...{ w: 'ԝω', x: 'хχ', y: 'уγʏ' },
}
const LATIN = new Map(Object.entries(OTHERS).flatMap(([latin, others]) => [...others].map((letter) => [letter, latin])))

/**
 * What a text reads as: wide and ornamental letters as plain ones, those of other alphabets as the Latin ones they look like, and
 * without marks that belong to no letter of their own: the small form of `İ` is an `i` with such a dot.
 */
export const asLatin = (text: string): string =>
  normalised('NFKC', text)
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/gu, (letter) => LATIN.get(letter) ?? letter)

/** Scripts of which no word has two. */
const ALPHABETS = ['Latin', 'Cyrillic', 'Greek', 'Armenian'].map((script) => new RegExp(`\\p{Script=${script}}`, 'u'))

/** True where a word has letters of two alphabets that look alike, as `аdmin` with a Cyrillic а; `α-version` is two words. */
export const mixesAlphabets = (text: string): boolean =>
  (text.match(/[\p{L}\p{M}]+/gu) ?? []).some((word) => ALPHABETS.filter((alphabet) => alphabet.test(word)).length > 1)
