/// <reference types="chrome" />

/** What the extension says, from `_locales`: the browser picks the language. */
export const say = (name: string, ...values: string[]): string => chrome.i18n.getMessage(name, values)

/** Writes the texts of the page that it is asked on. */
export function writePage(): void {
  document.documentElement.lang = chrome.i18n.getUILanguage()
  for (const element of document.querySelectorAll<HTMLElement>('[data-message]')) {
    element.textContent = say(element.dataset.message ?? '')
  }
}

/** An element that the page surely has. */
export function byId<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no #${id}`)
  return element as E
}

/** Shows what went wrong, or nothing for ''. */
export function showFailure(text: string): void {
  const failure = byId('failure')
  failure.textContent = text
  failure.hidden = text === ''
}
