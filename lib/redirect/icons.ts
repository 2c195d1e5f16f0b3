import type { Page, PageName } from './decide'

/** One small drawing a page, on a field of 24 by 24: what happened, before a word is read. */
const CLOCK = '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>'
const AGAIN = '<path d="M19.5 12a7.5 7.5 0 1 1-2.3-5.4L19.5 9M19.5 4v5h-5"/>'

const DRAWINGS: Record<Exclude<PageName, 'card'>, string> = {
  password: '<rect x="5" y="10.5" width="14" height="10" rx="2.5"/><path d="M8 10.5V8a4 4 0 0 1 8 0v2.5M12 14.5v2"/>',
  preview: '<path d="M7 17 17 7M9 7h8v8"/>',
  'not-found': '<circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/>',
  gone: '<path d="M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10.5 11v5M13.5 11v5"/>',
  inactive: CLOCK,
  expired: CLOCK,
  disabled: '<path d="M12 3.5V12M7 6.4a8 8 0 1 0 10 0"/>',
  banned: '<circle cx="12" cy="12" r="8.5"/><path d="m6 6 12 12"/>',
  paused: '<path d="M9 6v12M15 6v12"/>',
  malformed: '<path d="M12 4 3.5 19h17zM12 10v4M12 16.6v.1"/>',
  unopened: '<path d="M12 3.5V12M7 6.4a8 8 0 1 0 10 0"/>',
  unavailable: AGAIN,
  upstream: AGAIN,
  'too-many': CLOCK,
}

export const iconFor = ({ name }: Page) =>
  `<svg class="icon${name === 'banned' ? ' bad' : ''}" viewBox="0 0 24 24" aria-hidden="true">${name === 'card' ? '' : DRAWINGS[name]}</svg>`
