import type { Page, PageName } from './decide'

/** Where a page leads when there is nothing else to do on it. */
export type Way = 'front' | 'home' | 'again' | 'back'

/** What a page says. In English for everyone. */
export interface Words {
  title: string
  text: string
  /** In place of `text` where the date is known, which stands for the `{}`. */
  dated?: string
  /** A date of its own, or a moment at which to come back. */
  moment?: boolean
  /** None: the page has a form or a button of its own. */
  way?: Way
}

const NEW_ONE = 'Ask the person who shared it for a new one.'

const WORDS: Record<PageName, Words> = {
  password: {
    title: 'This link is protected by a password',
    text: 'The person who shared it can tell you the password.',
  },
  preview: { title: 'Where this link leads', text: '' },
  'not-found': {
    title: 'There is no such link',
    text: 'Check the address for a typo. Uppercase and lowercase letters matter.',
    way: 'front',
  },
  gone: {
    title: 'This link was deleted',
    text: `It no longer leads anywhere. ${NEW_ONE}`,
    dated: `It was deleted on {}. ${NEW_ONE}`,
    way: 'front',
  },
  inactive: {
    title: 'This link is not active yet',
    text: 'It starts to work later. Try again then.',
    dated: 'It starts to work on {}.',
    moment: true,
    way: 'again',
  },
  expired: {
    title: 'This link has expired',
    text: NEW_ONE,
    dated: `It expired on {}. ${NEW_ONE}`,
    way: 'front',
  },
  disabled: {
    title: 'This link is turned off',
    text: 'Its owner can turn it on again. Try again later, or ask the person who shared it.',
    way: 'again',
  },
  banned: {
    title: 'This link was banned',
    text: 'It broke the rules of this site, so it no longer leads anywhere.',
    way: 'home',
  },
  malformed: {
    title: 'This address cannot be read',
    text: 'It has a “%” in a place where it means nothing. Copy the whole link and try again.',
    way: 'home',
  },
  unavailable: {
    title: 'Try again in a moment',
    text: 'We cannot look up this link right now. It is not lost.',
    way: 'again',
  },
  'too-many': { title: 'Too many attempts', text: 'Try again in a few minutes.', way: 'back' },
}

const USED_UP: Words = {
  title: 'This link has reached its click limit',
  text: `It opened as often as it was meant to. ${NEW_ONE}`,
  way: 'front',
}

export const wordsOf = ({ name, usedUp }: Page): Words => (usedUp ? USED_UP : WORDS[name])
